"use strict";
// The spatial view: z points up. Uses the globals THREE (three.js) and window.PicusSpaceView.
window.PicusSpaceView = class {
  constructor(list, box, tools) {
    this.list = list;
    this.tools = tools;
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "mechanism");
    box.appendChild(this.canvas);
    try {
      const many = list.some((r) => r.drawing.shapes.length > 300);
      this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: !(many && this.isSoftware()), preserveDrawingBuffer: true });
    } catch (error) {
      const note = document.createElement("p");
      note.textContent = "This browser cannot draw in 3-D (WebGL): " + error.message;
      this.canvas.replaceWith(note);
      return;
    }
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(40, 1, 1e-3, 1e3);
    this.camera.up.set(0, 0, 1);
    this.scene.add(new THREE.AmbientLight(0xffffff, 1.6));
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    sun.position.set(1, -2, 3);
    this.scene.add(sun);
    this.parts = list.map((r, k) => this.build(r, k));
    this.trails = [];
    this.listen();
    this.fit();
    this.retheme();
  }

  // FrontSide of three.js, whose bundle has no name for it.
  get frontSide() { return 0; }

  // Without a graphics card: smooth edges of many bodies would halve the frame rate.
  isSoftware() {
    const gl = document.createElement("canvas").getContext("webgl2"), info = gl && gl.getExtension("WEBGL_debug_renderer_info");
    const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "", lose = gl && gl.getExtension("WEBGL_lose_context");
    if (lose) lose.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
  }

  dispose() { if (this.renderer) this.renderer.dispose(); }

  // ---- shapes

  build(r, index) {
    const root = new THREE.Group();
    this.scene.add(root);
    const groups = r.drawing.frames.map(() => { const g = new THREE.Group(); root.add(g); return g; });
    const all = r.drawing.shapes.map((s) => ({ s, r, moves: s.points.some((p) => p.some((c) => typeof c !== "number")) || Array.isArray(s.radius), alpha: index > 0 ? 0.35 : 1 }));
    const part = { r, root, groups, crowds: this.buildCrowds(all, root) };
    part.items = all.filter((item) => !item.crowd);
    for (const item of part.items) {
      item.node = new THREE.Group();
      item.node.userData.name = item.s.name;
      groups[item.s.frame].add(item.node);
    }
    return part;
  }

  // ---- many bodies: the same surface drawn many times in one go

  // Shapes that do not change in their frame and differ by a scale only.
  buildCrowds(items, root) {
    const found = new Map(), unit = { sphere: [1, 1, 1], box: [1, 1, 1], cylinder: [1, 1, 1], mesh: [1, 1, 1] };
    for (const item of items) {
      const { s } = item;
      if (item.moves || s.frame === 0 || item.r.drawing.planar || !Object.prototype.hasOwnProperty.call(unit, s.kind)) continue;
      if (!s.points.every((p) => p.every(isFinite))) continue;
      const key = s.kind + (s.kind === "mesh" ? JSON.stringify([s.points, s.faces]) : "");
      if (!found.has(key)) found.set(key, []);
      found.get(key).push(item);
    }
    return [...found.values()].filter((list) => list.length >= 40).map((list) => this.buildCrowd(list, root));
  }

  buildCrowd(list, root) {
    const { s, alpha } = list[0], n = list.length > 500 ? 10 : list.length > 200 ? 16 : 28; // sides
    let surface;
    if (s.kind === "sphere") surface = new THREE.SphereGeometry(1, n, Math.ceil(0.65 * n));
    else if (s.kind === "box") surface = new THREE.BoxGeometry(1, 1, 1);
    else if (s.kind === "cylinder") surface = new THREE.CylinderGeometry(1, 1, 1, n);
    else surface = this.surfaceOf(s.points, s.faces);
    const material = new THREE.MeshLambertMaterial({ side: s.kind === "mesh" ? THREE.DoubleSide : this.frontSide, flatShading: s.kind === "mesh", transparent: alpha < 1, opacity: alpha });
    const mesh = new THREE.InstancedMesh(surface, material, list.length);
    mesh.frustumCulled = false;
    mesh.userData.names = list.map((item) => item.s.name);
    root.add(mesh);
    const crowd = { list, mesh, local: list.map((item) => this.placeInFrame(item.s)), edges: null };
    if (s.kind === "box") {
      const lines = new THREE.BufferGeometry();
      crowd.edge = new THREE.EdgesGeometry(surface).getAttribute("position").array;
      lines.setAttribute("position", new THREE.BufferAttribute(new Float32Array(list.length * crowd.edge.length), 3));
      crowd.edges = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ transparent: alpha < 1, opacity: alpha }));
      crowd.edges.frustumCulled = false;
      root.add(crowd.edges);
    }
    for (const item of list) item.crowd = crowd;
    return crowd;
  }

  // The matrix from the unit surface to the frame of a shape.
  placeInFrame(s) {
    const matrix = new THREE.Matrix4(), p = s.points, radius = Math.abs(s.radius) || 0, turn = new THREE.Quaternion();
    if (s.kind === "mesh") return matrix;
    if (s.kind === "sphere") return matrix.compose(new THREE.Vector3(...p[0]), turn, new THREE.Vector3(radius, radius, radius));
    const a = new THREE.Vector3(...p[0]), b = new THREE.Vector3(...p[1]), middle = a.clone().add(b).multiplyScalar(0.5), along = b.clone().sub(a);
    if (s.kind === "box") return matrix.compose(middle, turn, new THREE.Vector3(Math.abs(along.x), Math.abs(along.y), Math.abs(along.z)));
    const length = along.length();
    turn.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
    return matrix.compose(middle, turn, new THREE.Vector3(radius, length, radius));
  }

  paintCrowd(crowd) {
    const tools = this.tools, theme = tools.theme(), colour = new THREE.Color();
    crowd.list.forEach(({ s }, k) => {
      const picked = tools.state.picked !== null && s.name === tools.state.picked;
      crowd.mesh.setColorAt(k, colour.set(picked ? theme.accent : tools.colour(s.fill, null) || tools.colour(s.line, theme.ink) || theme.grey));
    });
    crowd.mesh.instanceColor.needsUpdate = true;
    if (crowd.edges) crowd.edges.material.color.set(tools.colour(crowd.list[0].s.line, theme.ink) || theme.ink);
  }

  moveCrowd(part, crowd) {
    const matrix = new THREE.Matrix4(), place = new THREE.Vector3(), turn = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1), none = new THREE.Matrix4().makeScale(0, 0, 0);
    const lines = crowd.edges ? crowd.edges.geometry.getAttribute("position") : null, corner = new THREE.Vector3();
    crowd.list.forEach(({ s }, k) => {
      const pose = part.r.pose(s.frame), fine = pose.every(isFinite);
      if (fine) matrix.compose(place.set(pose[0], pose[1], pose[2]), turn.set(pose[4], pose[5], pose[6], pose[3]), one).multiply(crowd.local[k]);
      crowd.mesh.setMatrixAt(k, fine ? matrix : none);
      for (let i = 0; lines && i < crowd.edge.length; i += 3) {
        corner.set(crowd.edge[i], crowd.edge[i + 1], crowd.edge[i + 2]).applyMatrix4(fine ? matrix : none);
        corner.toArray(lines.array, k * crowd.edge.length + i);
      }
    });
    crowd.mesh.instanceMatrix.needsUpdate = true;
    if (lines) lines.needsUpdate = true;
  }

  // ---- single shapes

  // Coordinates of a shape in its frame.
  local(item) { return item.s.points.map((p) => p.map((c) => item.r.value(c))); }

  lines(points, material, closed) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points.flat()), 3));
    return closed ? new THREE.LineLoop(geometry, material) : new THREE.Line(geometry, material);
  }

  surfaceOf(points, faces) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points.flat()), 3));
    geometry.setIndex(faces);
    geometry.computeVertexNormals();
    return geometry;
  }
  surface(points, faces, material) { return new THREE.Mesh(this.surfaceOf(points, faces), material); }

  fill(item) {
    const { s, node } = item, tools = this.tools, theme = tools.theme();
    node.traverse((o) => { if (o.geometry) o.geometry.dispose(); if (o.material) o.material.dispose(); });
    node.clear();
    const picked = tools.state.picked !== null && s.name === tools.state.picked;
    const ink = picked ? theme.accent : tools.colour(s.line, theme.ink), paint = tools.colour(s.fill, null);
    const transparent = item.alpha < 1;
    const pen = new THREE.LineBasicMaterial({ color: ink || theme.ink, transparent, opacity: item.alpha });
    const brush = new THREE.MeshLambertMaterial({ color: picked ? theme.accent : paint || ink || theme.grey, side: THREE.DoubleSide, flatShading: s.kind === "mesh" || s.kind === "polygon", transparent, opacity: item.alpha });
    const points = this.local(item), radius = Math.abs(item.r.value(s.radius)) || 0;
    if (points.some((p) => p.some((x) => !isFinite(x)))) return;
    const add = (o) => node.add(o);
    switch (s.kind) {
      case "polygon": {
        const faces = [];
        for (let k = 1; k + 1 < points.length; k++) faces.push(0, k, k + 1);
        if (paint) add(this.surface(points, faces, brush));
        if (ink) add(this.lines(points, pen, true));
        break;
      }
      case "ground": { // an area that is seen from one side
        const faces = [];
        for (let k = 1; k + 1 < points.length; k++) faces.push(0, k, k + 1);
        brush.side = this.frontSide;
        Object.assign(brush, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
        if (paint && faces.length) add(this.surface(points, faces, brush));
        if (ink) add(this.lines(points, pen, Boolean(paint && faces.length)));
        break;
      }
      case "mesh": add(this.surface(points, s.faces, brush)); break;
      case "circle": {
        const ring = [];
        for (let k = 0; k < 64; k++) ring.push([points[0][0] + radius * Math.cos(k * Math.PI / 32), points[0][1] + radius * Math.sin(k * Math.PI / 32), points[0][2]]);
        if (paint) { const disk = new THREE.Mesh(new THREE.CircleGeometry(radius, 48), brush); disk.position.set(...points[0]); add(disk); }
        if (ink) add(this.lines(ring, pen, true));
        break;
      }
      case "sphere": { const ball = new THREE.Mesh(new THREE.SphereGeometry(radius, 28, 18), brush); ball.position.set(...points[0]); add(ball); break; }
      case "box": {
        const size = [0, 1, 2].map((i) => Math.abs(points[1][i] - points[0][i])), shape = new THREE.BoxGeometry(...size);
        const body = new THREE.Mesh(shape, brush), edges = new THREE.LineSegments(new THREE.EdgesGeometry(shape), pen);
        for (const o of [body, edges]) { o.position.set(...[0, 1, 2].map((i) => (points[0][i] + points[1][i]) / 2)); add(o); }
        break;
      }
      case "cylinder": add(this.rod(points[0], points[1], radius, brush)); break;
      case "spring": add(this.lines(helix(points[0], points[1], radius), pen, false)); break;
      case "arrow": this.arrow(node, points[0], points[1], brush, pen); break;
      case "text": add(this.label(s.text, points[0], ink || theme.ink)); break;
      default: add(this.lines(points, pen, false));
    }
    function helix(a, b, size) {
      const u = new THREE.Vector3(b[0] - a[0], b[1] - a[1], b[2] - a[2]), length = u.length() || 1, e = u.clone().normalize();
      const n = new THREE.Vector3(Math.abs(e.z) < 0.9 ? 0 : 1, 0, Math.abs(e.z) < 0.9 ? 1 : 0).cross(e).normalize(), m = e.clone().cross(n), out = [a];
      for (let k = 0; k <= 128; k++) {
        const at = length * (0.1 + 0.8 * k / 128), angle = 16 * Math.PI * k / 128;
        out.push([0, 1, 2].map((i) => a[i] + at * e.getComponent(i) + size * (Math.cos(angle) * n.getComponent(i) + Math.sin(angle) * m.getComponent(i))));
      }
      out.push(b);
      return out;
    }
  }

  rod(a, b, radius, material) {
    const from = new THREE.Vector3(...a), along = new THREE.Vector3(...b).sub(from), length = along.length();
    const rod = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, length, 32), material);
    rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
    rod.position.copy(from).addScaledVector(along, length / 2);
    return rod;
  }

  arrow(node, a, b, brush, pen) {
    const from = new THREE.Vector3(...a), along = new THREE.Vector3(...b).sub(from), length = along.length();
    if (!(length > 0)) return;
    along.normalize();
    const head = 0.25 * length, cone = new THREE.Mesh(new THREE.ConeGeometry(0.3 * head, head, 16), brush);
    cone.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along);
    cone.position.copy(from).addScaledVector(along, length - head / 2);
    node.add(cone, this.lines([a, b], pen, false));
  }

  label(text, at, ink) {
    const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
    canvas.width = 512;
    canvas.height = 64;
    pen.font = "40px system-ui, sans-serif";
    pen.fillStyle = ink;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(text, 256, 32);
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false, transparent: true }));
    sprite.position.set(...at);
    const size = 0.05 * this.list[0].drawing.size;
    sprite.scale.set(8 * size, size, 1);
    return sprite;
  }

  // ---- contacts: balls, arrows and cones, each kind drawn in one go

  // Room for so many contacts; they are seen through bodies.
  contactLayer(part, count) {
    if (part.layer && part.layer.room >= count) return part.layer;
    if (part.layer) part.layer.kinds.forEach((mesh) => { part.root.remove(mesh); mesh.dispose(); mesh.geometry.dispose(); mesh.material.dispose(); });
    const room = Math.max(16, 2 * count), seen = { depthTest: false, transparent: true };
    const make = (surface, material, order) => {
      const mesh = new THREE.InstancedMesh(surface, new THREE.MeshBasicMaterial(material), room);
      mesh.frustumCulled = false;
      mesh.renderOrder = order;
      mesh.raycast = () => {};
      part.root.add(mesh);
      return mesh;
    };
    const few = room < 200; // many of them are small
    const ball = make(new THREE.SphereGeometry(1, few ? 10 : 6, few ? 6 : 4), seen, 1), shaft = make(new THREE.CylinderGeometry(1, 1, 1, few ? 6 : 3), seen, 1);
    const head = make(new THREE.ConeGeometry(1, 1, few ? 12 : 6), seen, 1), cone = make(new THREE.ConeGeometry(1, 1, 24, 1, true), { transparent: true, opacity: 0.25, side: THREE.DoubleSide, depthWrite: false, depthTest: false }, 1);
    part.layer = { room, ball, shaft, head, cone, kinds: [ball, shaft, head, cone] };
    return part.layer;
  }

  drawContacts(part) {
    const list = this.tools.on("contacts") ? [...part.r.drawing.sites, ...part.r.touching().slice(0, 500)] : [], layer = this.contactLayer(part, list.length);
    layer.kinds.forEach((mesh) => { mesh.count = 0; });
    for (const s of list) this.drawContact(part.r, s, layer);
    layer.kinds.forEach((mesh) => {
      mesh.visible = mesh.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    });
  }

  drawContact(r, s, layer) {
    const tools = this.tools, place = s.place.map((c) => r.value(c)), size = r.drawing.size;
    if (!place.every(isFinite)) return;
    const mode = s.now ? s.now.mode : Math.min(2, Math.max(0, Math.round(r.ofStep(s.mode)) || 0));
    const at = new THREE.Vector3(...place), colour = new THREE.Color(tools.modes[mode]), up = new THREE.Vector3(0, 1, 0);
    const put = (mesh, along, shift, scale) => {
      const turn = new THREE.Quaternion().setFromUnitVectors(up, along), matrix = new THREE.Matrix4();
      mesh.setMatrixAt(mesh.count, matrix.compose(at.clone().addScaledVector(along, shift), turn, new THREE.Vector3(...scale)));
      mesh.setColorAt(mesh.count++, colour);
    };
    const small = Math.max(0.3, r.arrow / 0.2); // where there are many of them
    const flash = tools.flashOf(r, s.index), radius = small * size * (mode ? 0.008 : 0.005) * (1 + 3 * flash);
    put(layer.ball, up, 0, [radius, radius, radius]);
    const f = !mode ? [0, 0, 0] : s.now ? s.now.force : r.forceOf(s), force = Math.hypot(...f);
    if (force > 0 && isFinite(force)) {
      const length = r.arrow * size * tools.forceLength(force / r.force), along = new THREE.Vector3(...f).multiplyScalar(1 / force);
      put(layer.shaft, along, 0.4 * length, [0.003 * small * size, 0.8 * length, 0.003 * small * size]);
      put(layer.head, along, 0.9 * length, [0.01 * small * size, 0.2 * length, 0.01 * small * size]);
    }
    if (!tools.on("cones") || !mode || !(s.mu > 0) || !s.normal) return;
    const n = new THREE.Vector3(...s.normal.map((c) => r.value(c))).negate(), h = 0.12 * size;
    put(layer.cone, n, -h / 2, [h * s.mu, h, h * s.mu]);
  }

  // ---- camera

  fit() {
    if (!this.renderer) return;
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const r of this.list) {
      const stride = Math.max(1, Math.floor(r.t.length / 80));
      for (let k = 0; k < r.t.length; k += stride) {
        r.seek(r.t[k]);
        for (const s of r.drawing.shapes) {
          if (s.frame === 0 && s.points.every((p) => p.every((c) => typeof c === "number"))) continue;
          for (const p of s.points.slice(0, 64)) r.point(s.frame, p).forEach((x, i) => { if (isFinite(x)) { low[i] = Math.min(low[i], x); high[i] = Math.max(high[i], x); } });
        }
      }
      r.seek(this.tools.state.t);
    }
    const fine = low[0] <= high[0];
    this.target = new THREE.Vector3(...(fine ? low.map((x, i) => (x + high[i]) / 2) : [0, 0, 0]));
    const size = fine ? Math.hypot(...high.map((x, i) => x - low[i])) || 1 : 1;
    this.followed = null;
    const wide = (this.canvas.clientWidth || 1) / (this.canvas.clientHeight || 1);
    this.away = 1.4 * size / Math.min(1, wide);
    this.turn = -1.0;
    this.tilt = 0.45;
    this.camera.near = size / 500;
    this.camera.far = size * 100;
    this.size = size;
    this.grid && this.scene.remove(this.grid);
    this.grid = null;
  }

  listen() {
    const c = this.canvas, pointers = new Map();
    let moved = 0, gap = 0;
    c.addEventListener("pointerdown", (e) => { c.setPointerCapture(e.pointerId); pointers.set(e.pointerId, [e.clientX, e.clientY]); moved = pointers.size > 1 ? 100 : 0; gap = this.tools.spread(pointers); if (this.tools.grab && pointers.size === 1 && e.button === 0) this.startGrab(e); else this.endGrab(); });
    c.addEventListener("pointermove", (e) => {
      if (!pointers.has(e.pointerId)) return;
      const [x, y] = pointers.get(e.pointerId), dx = e.clientX - x, dy = e.clientY - y;
      pointers.set(e.pointerId, [e.clientX, e.clientY]);
      moved += Math.hypot(dx, dy);
      if (this.grabbed) { this.grabbed.at = [e.clientX, e.clientY]; this.tools.changed(); return; }
      if (pointers.size > 1) {
        const d = this.tools.spread(pointers);
        if (gap > 0 && d > 0) this.away *= gap / d;
        gap = d;
      } else if (e.shiftKey || e.buttons === 2) this.pan(dx, dy);
      else { this.turn -= dx * 0.008; this.tilt = Math.min(1.55, Math.max(-1.55, this.tilt + dy * 0.008)); }
      this.tools.changed();
    });
    c.addEventListener("pointerup", (e) => { if (pointers.size === 1 && moved <= 4) this.tools.pick(this.hit(e)); pointers.delete(e.pointerId); gap = this.tools.spread(pointers); this.endGrab(); });
    c.addEventListener("pointercancel", (e) => { pointers.delete(e.pointerId); gap = this.tools.spread(pointers); this.endGrab(); });
    c.addEventListener("contextmenu", (e) => e.preventDefault());
    c.addEventListener("wheel", (e) => { e.preventDefault(); this.away *= Math.exp(e.deltaY * 0.0012); this.tools.changed(); }, { passive: false });
    c.addEventListener("dblclick", () => { this.fit(); this.tools.changed(); });
  }

  pan(dx, dy) {
    const scale = this.away / (this.canvas.clientHeight || 400), right = new THREE.Vector3(), up = new THREE.Vector3();
    this.camera.matrix.extractBasis(right, up, new THREE.Vector3());
    this.target.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
  }

  rayAt(x, y) {
    const b = this.canvas.getBoundingClientRect(), ray = new THREE.Raycaster();
    ray.params.Line.threshold = 0.01 * this.size;
    ray.setFromCamera(new THREE.Vector2(2 * (x - b.left) / b.width - 1, 1 - 2 * (y - b.top) / b.height), this.camera);
    return ray;
  }

  // The object at a place of the screen, and the point on it.
  touched(e) {
    const ray = this.rayAt(e.clientX, e.clientY);
    this.parts[0].crowds.forEach((crowd) => { crowd.mesh.boundingSphere = crowd.mesh.boundingBox = null; }); // they moved
    for (const found of ray.intersectObject(this.parts[0].root, true)) {
      if (found.instanceId !== undefined && found.object.userData.names) return { name: found.object.userData.names[found.instanceId] || null, point: found.point };
      for (let o = found.object; o; o = o.parent) if (o.userData.name) return { name: o.userData.name, point: found.point };
    }
    return { name: null, point: null };
  }
  hit(e) { return this.touched(e).name; }

  // ---- pulling an object (picus live), in the plane of the screen through the point that was touched

  startGrab(e) {
    const { name, point } = this.touched(e);
    if (name === null || !this.tools.grab.start(this, name, point.toArray())) return;
    this.grabbed = { at: [e.clientX, e.clientY], point, normal: this.camera.position.clone().sub(this.target).normalize() };
  }
  endGrab() { if (this.grabbed) { this.grabbed = null; this.tools.grab.end(); } }
  pointerPlace() {
    const { at, point, normal } = this.grabbed, { origin, direction } = this.rayAt(at[0], at[1]).ray;
    const slope = direction.dot(normal), far = point.clone().sub(origin).dot(normal);
    if (!(Math.abs(slope) > 1e-6)) return point.toArray();
    return origin.clone().addScaledVector(direction, far / slope).toArray();
  }
  drawPull(from, to) {
    this.pull = this.lines([from, to], new THREE.LineBasicMaterial({ color: this.tools.theme().accent, depthTest: false, transparent: true }), false);
    this.pull.renderOrder = 2;
    this.scene.add(this.pull);
  }
  forgetPull() { if (this.pull) { this.scene.remove(this.pull); this.pull.geometry.dispose(); this.pull.material.dispose(); this.pull = null; } }

  retheme() { if (this.renderer) { this.stale = true; this.grid && this.scene.remove(this.grid); this.grid = null; } }

  drawTrails() {
    this.trails.forEach((o) => { this.scene.remove(o); o.geometry.dispose(); o.material.dispose(); });
    this.trails = [];
    if (!this.tools.on("trails")) return;
    for (const { r } of this.parts) {
      const names = this.tools.state.picked !== null ? [this.tools.state.picked] : r.objects;
      names.slice(0, 20).forEach((name, k) => {
        const points = this.tools.trailOf(r, name);
        if (points.length < 2) return;
        const trail = this.lines(points, new THREE.LineBasicMaterial({ color: this.tools.curves[k % this.tools.curves.length] }), false);
        this.scene.add(trail);
        this.trails.push(trail);
      });
    }
  }

  // The mean of the places of all moving frames.
  movingCentre(r) {
    const sum = [0, 0, 0];
    let count = 0;
    r.drawing.frames.forEach((f, k) => {
      const pose = r.pose(k);
      if (!pose || !pose.every(isFinite)) return;
      sum.forEach((x, i) => { sum[i] = x + (r.drawing.planar && i === 2 ? 0 : pose[i]); });
      count++;
    });
    if (count > 0) return sum.map((x) => x / count);
    const places = r.objects.map((name) => this.tools.centreOf(r, name)).filter((c) => c && c.every(isFinite));
    return places.length ? [0, 1, 2].map((i) => places.reduce((total, c) => total + (c[i] || 0), 0) / places.length) : null;
  }

  // As in the plane: once in the middle, then by as much as it moved.
  follow() {
    const { state, on, centreOf } = this.tools, r = this.list[0];
    const c = !on("follow") ? null : state.picked !== null ? centreOf(r, state.picked) : this.movingCentre(r);
    if (!c || !c.every(isFinite)) { this.followed = null; return; }
    const at = new THREE.Vector3(c[0], c[1], c[2] || 0);
    if (this.followed && this.followed.name === state.picked) this.target.add(at).sub(this.followed.at);
    else this.target.copy(at);
    this.followed = { name: state.picked, at };
  }

  // Waits for the picture, to measure its cost.
  finish() { if (this.renderer) this.renderer.getContext().readPixels(0, 0, 1, 1, 6408, 5121, new Uint8Array(4)); }

  draw() {
    if (!this.renderer) return;
    const tools = this.tools, theme = tools.theme(), ratio = window.devicePixelRatio || 1, w = this.canvas.clientWidth || 1, h = this.canvas.clientHeight || 1;
    if (this.canvas.width !== Math.round(w * ratio) || this.canvas.height !== Math.round(h * ratio)) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(w, h, false);
    }
    this.renderer.setClearColor(theme.bg, 1);
    if (!this.grid && tools.on("grid")) {
      const cell = Math.pow(10, Math.floor(Math.log10(this.size / 3)));
      this.grid = new THREE.GridHelper(40 * cell, 40, theme.axis, theme.axis);
      this.grid.rotation.x = Math.PI / 2;
      this.grid.position.set(Math.round(this.target.x / cell) * cell, Math.round(this.target.y / cell) * cell, 0);
      this.grid.material.transparent = true;
      this.grid.material.opacity = 0.5;
      this.scene.add(this.grid);
    }
    if (this.grid) this.grid.visible = tools.on("grid");
    const rebuild = this.stale || this.shownPick !== tools.state.picked;
    this.stale = false;
    this.shownPick = tools.state.picked;
    for (const part of this.parts) {
      part.r.seek(tools.state.t);
      part.groups.forEach((g, k) => {
        const pose = part.r.pose(k);
        if (!pose) return;
        g.visible = pose.every(isFinite);
        if (!g.visible) return;
        if (part.r.drawing.planar) { g.position.set(pose[0], pose[1], 0); g.rotation.z = pose[2]; }
        else { g.position.set(pose[0], pose[1], pose[2]); g.quaternion.set(pose[4], pose[5], pose[6], pose[3]); }
      });
      for (const item of part.items) if (rebuild || item.moves) this.fill(item);
      for (const crowd of part.crowds) {
        if (rebuild) this.paintCrowd(crowd);
        this.moveCrowd(part, crowd);
      }
      this.drawContacts(part);
    }
    this.drawTrails();
    this.forgetPull();
    if (tools.grab && tools.grab.line) { const line = tools.grab.line(); if (line) this.drawPull(line[0], line[1]); }
    this.follow();
    this.camera.aspect = w / h;
    this.camera.position.set(Math.cos(this.turn) * Math.cos(this.tilt), Math.sin(this.turn) * Math.cos(this.tilt), Math.sin(this.tilt)).multiplyScalar(this.away).add(this.target);
    this.camera.lookAt(this.target);
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
  }
};
