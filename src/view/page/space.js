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
      this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, preserveDrawingBuffer: true });
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

  dispose() { if (this.renderer) this.renderer.dispose(); }

  // ---- shapes

  build(r, index) {
    const root = new THREE.Group();
    this.scene.add(root);
    const groups = r.drawing.frames.map(() => { const g = new THREE.Group(); root.add(g); return g; });
    const items = r.drawing.shapes.map((s) => {
      const item = { s, r, node: new THREE.Group(), moves: s.points.some((p) => p.some((c) => typeof c !== "number")) || Array.isArray(s.radius), alpha: index > 0 ? 0.35 : 1 };
      item.node.userData.name = s.name;
      groups[s.frame].add(item.node);
      return item;
    });
    const sites = r.drawing.sites.map((s) => this.buildSite(s));
    sites.forEach((x) => root.add(x.node));
    return { r, root, groups, items, sites };
  }

  // Coordinates of a shape in its frame.
  local(item) { return item.s.points.map((p) => p.map((c) => item.r.value(c))); }

  lines(points, material, closed) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points.flat()), 3));
    return closed ? new THREE.LineLoop(geometry, material) : new THREE.Line(geometry, material);
  }

  surface(points, faces, material) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points.flat()), 3));
    geometry.setIndex(faces);
    geometry.computeVertexNormals();
    return new THREE.Mesh(geometry, material);
  }

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

  // ---- contacts

  buildSite(s) {
    const node = new THREE.Group(), material = new THREE.MeshBasicMaterial({ color: 0x888888, depthTest: false, transparent: true }); // seen through bodies
    const ball = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 10), material);
    const shaft = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 12), material), head = new THREE.Mesh(new THREE.ConeGeometry(1, 1, 16), material);
    const cone = new THREE.Mesh(new THREE.ConeGeometry(1, 1, 32, 1, true), new THREE.MeshBasicMaterial({ color: 0x888888, transparent: true, opacity: 0.2, side: THREE.DoubleSide, depthWrite: false }));
    for (const o of [ball, shaft, head]) o.renderOrder = 1;
    node.add(ball, shaft, head, cone);
    return { s, node, ball, shaft, head, cone, material };
  }

  drawSite(r, x) {
    const { s } = x, tools = this.tools, place = s.place.map((c) => r.value(c)), size = r.drawing.size;
    x.node.visible = tools.on("contacts") && place.every(isFinite);
    if (!x.node.visible) return;
    const mode = s.now ? s.now.mode : Math.min(2, Math.max(0, Math.round(r.ofStep(s.mode)) || 0));
    x.node.position.set(...place);
    x.material.color.set(tools.modes[mode]);
    const flash = tools.flashOf(r, s.index), radius = size * (mode ? 0.008 : 0.005) * (1 + 3 * flash);
    x.ball.scale.setScalar(radius);
    const f = !mode ? [0, 0, 0] : s.now ? s.now.force : r.forceOf(s), force = Math.hypot(...f), show = force > 0 && isFinite(force);
    x.shaft.visible = x.head.visible = show;
    const up = new THREE.Vector3(0, 1, 0);
    if (show) {
      const length = 0.2 * size * tools.forceLength(force / r.force), along = new THREE.Vector3(...f).multiplyScalar(1 / force);
      for (const o of [x.shaft, x.head]) o.quaternion.setFromUnitVectors(up, along);
      x.shaft.scale.set(0.003 * size, 0.8 * length, 0.003 * size);
      x.shaft.position.copy(along).multiplyScalar(0.4 * length);
      x.head.scale.set(0.01 * size, 0.2 * length, 0.01 * size);
      x.head.position.copy(along).multiplyScalar(0.9 * length);
    }
    x.cone.visible = tools.on("cones") && mode > 0 && s.mu > 0 && Boolean(s.normal);
    if (x.cone.visible) {
      const n = new THREE.Vector3(...s.normal.map((c) => r.value(c))), h = 0.12 * size;
      x.cone.material.color.set(tools.modes[mode]);
      x.cone.scale.set(h * s.mu, h, h * s.mu);
      x.cone.quaternion.setFromUnitVectors(up, n.clone().negate());
      x.cone.position.copy(n).multiplyScalar(h / 2);
    }
  }

  // Contacts that come and go: as many bodies of arrows as the fullest row shown so far.
  drawTouching(part) {
    const list = part.r.touching().slice(0, 500), pool = part.pool || (part.pool = []);
    while (pool.length < list.length) {
      const x = this.buildSite(null);
      part.root.add(x.node);
      pool.push(x);
    }
    pool.forEach((x, k) => {
      x.s = list[k];
      if (x.s) this.drawSite(part.r, x); else x.node.visible = false;
    });
  }

  // ---- camera

  fit() {
    if (!this.renderer) return;
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const r of this.list) {
      const stride = Math.max(1, Math.floor(r.t.length / 80));
      for (let k = 0; k < r.t.length; k += stride) {
        r.i = r.j = k;
        r.w = 0;
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
    this.away = 1.5 * size;
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
    c.addEventListener("pointerdown", (e) => { c.setPointerCapture(e.pointerId); pointers.set(e.pointerId, [e.clientX, e.clientY]); moved = 0; });
    c.addEventListener("pointermove", (e) => {
      if (!pointers.has(e.pointerId)) return;
      const [x, y] = pointers.get(e.pointerId), dx = e.clientX - x, dy = e.clientY - y;
      pointers.set(e.pointerId, [e.clientX, e.clientY]);
      moved += Math.hypot(dx, dy);
      if (pointers.size > 1) {
        const [a, b] = [...pointers.values()], d = Math.hypot(a[0] - b[0], a[1] - b[1]);
        if (gap > 0) this.away *= gap / d;
        gap = d;
      } else if (e.shiftKey || e.buttons === 2) this.pan(dx, dy);
      else { this.turn -= dx * 0.008; this.tilt = Math.min(1.55, Math.max(-1.55, this.tilt + dy * 0.008)); }
      this.tools.changed();
    });
    c.addEventListener("pointerup", (e) => { if (pointers.size === 1 && moved <= 4) this.tools.pick(this.hit(e)); pointers.delete(e.pointerId); gap = 0; });
    c.addEventListener("pointercancel", (e) => { pointers.delete(e.pointerId); gap = 0; });
    c.addEventListener("contextmenu", (e) => e.preventDefault());
    c.addEventListener("wheel", (e) => { e.preventDefault(); this.away *= Math.exp(e.deltaY * 0.0012); this.tools.changed(); }, { passive: false });
    c.addEventListener("dblclick", () => { this.fit(); this.tools.changed(); });
  }

  pan(dx, dy) {
    const scale = this.away / (this.canvas.clientHeight || 400), right = new THREE.Vector3(), up = new THREE.Vector3();
    this.camera.matrix.extractBasis(right, up, new THREE.Vector3());
    this.target.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
  }

  hit(e) {
    const b = this.canvas.getBoundingClientRect(), ray = new THREE.Raycaster();
    ray.params.Line.threshold = 0.01 * this.size;
    ray.setFromCamera(new THREE.Vector2(2 * (e.clientX - b.left) / b.width - 1, 1 - 2 * (e.clientY - b.top) / b.height), this.camera);
    for (const found of ray.intersectObject(this.parts[0].root, true))
      for (let o = found.object; o; o = o.parent) if (o.userData.name) return o.userData.name;
    return null;
  }

  retheme() { if (this.renderer) { this.stale = true; this.grid && this.scene.remove(this.grid); this.grid = null; } }

  drawTrails() {
    this.trails.forEach((o) => { this.scene.remove(o); o.geometry.dispose(); o.material.dispose(); });
    this.trails = [];
    if (!this.tools.on("trails")) return;
    for (const { r } of this.parts) {
      const { i, j, w } = r, names = this.tools.state.picked ? [this.tools.state.picked] : r.objects;
      names.slice(0, 20).forEach((name, k) => {
        const points = [], stride = Math.max(1, Math.floor(i / 600));
        for (let row = 0; row <= i; row += stride) { r.i = r.j = row; r.w = 0; const c = this.tools.centreOf(r, name); if (c && c.every(isFinite)) points.push(c); }
        if (points.length < 2) return;
        const trail = this.lines(points, new THREE.LineBasicMaterial({ color: this.tools.curves[k % this.tools.curves.length] }), false);
        this.scene.add(trail);
        this.trails.push(trail);
      });
      Object.assign(r, { i, j, w });
    }
  }

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
      for (const site of part.sites) this.drawSite(part.r, site);
      this.drawTouching(part);
    }
    this.drawTrails();
    if (tools.on("follow") && tools.state.picked) {
      const c = tools.centreOf(this.list[0], tools.state.picked);
      if (c && c.every(isFinite)) this.target.set(...c);
    }
    this.camera.aspect = w / h;
    this.camera.position.set(Math.cos(this.turn) * Math.cos(this.tilt), Math.sin(this.turn) * Math.cos(this.tilt), Math.sin(this.tilt)).multiplyScalar(this.away).add(this.target);
    this.camera.lookAt(this.target);
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
  }
};
