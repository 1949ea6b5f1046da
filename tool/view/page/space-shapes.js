"use strict";
// The shapes of one result in space as meshes of three.js: each by itself, or many of a kind in one go. The global is
// window.PicusShapes.
window.PicusShapes = class {
  // alpha: 1, less for ghosts
  constructor(r, scene, tools, alpha, ground) {
    Object.assign(this, { r, tools, alpha, ground });
    this.root = new THREE.Group();
    scene.add(this.root);
    this.groups = r.drawing.frames.map(() => { const g = new THREE.Group(); this.root.add(g); return g; });
    const all = r.drawing.shapes.map((s) => ({ s, moves: s.points.some((p) => p.some((c) => typeof c !== "number")) || Array.isArray(s.radius) }));
    this.crowds = this.makeCrowds(all);
    this.items = all.filter((item) => !item.crowd);
    for (const item of this.items) {
      item.node = new THREE.Group();
      item.node.userData.name = item.s.name;
      this.groups[item.s.frame].add(item.node);
    }
  }

  // How it is drawn now: materials and lines of a shape.
  style(s) {
    const tools = this.tools, theme = tools.theme(), picked = tools.state.picked !== null && s.name === tools.state.picked;
    const ink = picked ? theme.accent : tools.colour(s.line, theme.ink), paint = tools.colour(s.fill, null), see = tools.look.glass && s.kind !== "ground" ? 0.35 : 1;
    return { picked, ink, paint, body: picked ? theme.accent : paint || (s.line && s.line !== "ink" && ink) || theme.grey, opacity: this.alpha * see, wire: tools.look.wire };
  }
  brush(s, style, more) {
    const clear = style.opacity < 1;
    return new THREE.MeshPhongMaterial({ color: style.body, specular: 0x2a2a2a, shininess: 38, side: THREE.DoubleSide, flatShading: s.kind === "mesh" || s.kind === "polygon", transparent: clear, depthWrite: !clear, opacity: style.opacity, wireframe: style.wire, ...more });
  }
  pen(style, width, more) {
    return new THREE.LineMaterial({ color: style.ink || this.tools.theme().ink, linewidth: style.picked ? width + 1.5 : width, transparent: true, opacity: style.opacity, ...more });
  }

  // ---- surfaces and lines

  static surfaceOf(points, faces) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points.flat()), 3));
    geometry.setIndex(faces);
    geometry.computeVertexNormals();
    return geometry;
  }
  // Lines of any width: points one after the other.
  static lines(points, material, closed) {
    const flat = [], list = closed ? [...points, points[0]] : points;
    for (let k = 0; k + 1 < list.length; k++) flat.push(...list[k], ...list[k + 1]);
    return new THREE.LineSegments2(new THREE.LineSegmentsGeometry().setPositions(flat), material);
  }
  static edges(surface, angle, material) {
    return new THREE.LineSegments2(new THREE.LineSegmentsGeometry().setPositions(new THREE.EdgesGeometry(surface, angle).getAttribute("position").array), material);
  }
  // A ball of 80 triangles: an icosahedron with its edges cut in halves. Rounder than a grid of as many by circles of latitude.
  static roundBall() {
    const golden = (1 + Math.sqrt(5)) / 2, points = [], faces = [], middles = new Map();
    const add = (p) => { const length = Math.hypot(...p); return points.push(p.map((x) => x / length)) - 1; };
    for (let k = 0; k < 12; k++) { const p = [0, k & 1 ? 1 : -1, k & 2 ? golden : -golden], turn = k >> 2; add([0, 1, 2].map((i) => p[(i + turn) % 3])); }
    const middle = (a, b) => {
      const key = Math.min(a, b) * 12 + Math.max(a, b);
      if (!middles.has(key)) middles.set(key, add(points[a].map((x, i) => x + points[b][i])));
      return middles.get(key);
    };
    const near = (a, b) => points[a].reduce((sum, x, i) => sum + x * points[b][i], 0) > 0.4; // corners of one edge
    for (let a = 0; a < 12; a++)
      for (let b = a + 1; b < 12; b++)
        for (let c = b + 1; c < 12; c++) {
          if (!near(a, b) || !near(b, c) || !near(a, c)) continue;
          const [p, q, r] = [a, b, c].map((k) => points[k]), volume = p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0]);
          const [i, j] = volume > 0 ? [b, c] : [c, b], u = middle(a, i), v = middle(i, j), w = middle(j, a); // seen from outside
          faces.push(a, u, w, i, v, u, j, w, v, u, v, w);
        }
    return window.PicusShapes.surfaceOf(points, faces);
  }
  // A ball whose eighths are lighter and darker in turn, so that it is seen to roll.
  static ball(sides) {
    const surface = new THREE.SphereGeometry(1, sides, Math.round(sides / 2)).toNonIndexed(), at = surface.getAttribute("position"), shades = new Float32Array(3 * at.count);
    for (let k = 0; k + 2 < at.count; k += 3) {
      const middle = [0, 1, 2].map((i) => at.array[3 * k + i] + at.array[3 * k + 3 + i] + at.array[3 * k + 6 + i]);
      shades.fill(middle[0] * middle[1] * middle[2] > 0 ? 1 : 0.78, 3 * k, 3 * k + 9);
    }
    surface.setAttribute("color", new THREE.BufferAttribute(shades, 3));
    return surface;
  }
  static rod(a, b, radius, material) {
    const from = new THREE.Vector3(...a), along = new THREE.Vector3(...b).sub(from), length = along.length();
    const rod = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, length, 40), material);
    rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
    rod.position.copy(from).addScaledVector(along, length / 2);
    return rod;
  }
  static helix(a, b, size) {
    const u = new THREE.Vector3(b[0] - a[0], b[1] - a[1], b[2] - a[2]), length = u.length() || 1, e = u.clone().normalize();
    const n = new THREE.Vector3(Math.abs(e.z) < 0.9 ? 0 : 1, 0, Math.abs(e.z) < 0.9 ? 1 : 0).cross(e).normalize(), m = e.clone().cross(n), out = [a];
    for (let k = 0; k <= 128; k++) {
      const at = length * (0.1 + 0.8 * k / 128), angle = 16 * Math.PI * k / 128;
      out.push([0, 1, 2].map((i) => a[i] + at * e.getComponent(i) + size * (Math.cos(angle) * n.getComponent(i) + Math.sin(angle) * m.getComponent(i))));
    }
    out.push(b);
    return out;
  }

  // ---- many bodies: the same surface drawn many times in one go

  // Shapes that do not change in their frame and differ by a scale only.
  makeCrowds(items) {
    const found = new Map(), kinds = ["sphere", "box", "cylinder", "mesh"];
    for (const item of items) {
      const { s } = item;
      if (item.moves || this.r.isFixed(s.frame) || this.r.drawing.planar || !kinds.includes(s.kind) || !s.points.every((p) => p.every(isFinite))) continue;
      const key = s.kind + (s.kind === "mesh" ? JSON.stringify([s.points, s.faces]) : "");
      if (!found.has(key)) found.set(key, []);
      found.get(key).push(item);
    }
    return [...found.values()].filter((list) => list.length >= 40).map((list) => this.makeCrowd(list));
  }

  makeCrowd(list) {
    const { s } = list[0], sides = list.length > 200 ? 16 : 28;
    let surface;
    if (s.kind === "sphere") surface = list.length > 500 ? window.PicusShapes.roundBall() : list.length > 200 ? new THREE.SphereGeometry(1, sides, Math.ceil(0.65 * sides)) : window.PicusShapes.ball(sides);
    else if (s.kind === "box") surface = new THREE.BoxGeometry(1, 1, 1);
    else if (s.kind === "cylinder") surface = new THREE.CylinderGeometry(1, 1, 1, sides);
    else surface = window.PicusShapes.surfaceOf(s.points, s.faces);
    const mesh = new THREE.InstancedMesh(surface, new THREE.MeshLambertMaterial({ side: s.kind === "mesh" ? THREE.DoubleSide : 0, flatShading: s.kind === "mesh", vertexColors: Boolean(surface.getAttribute("color")) }), list.length);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData.names = list.map((item) => item.s.name);
    this.root.add(mesh);
    const crowd = { list, mesh, local: list.map((item) => this.placeInFrame(item.s)), edges: null };
    const edge = s.kind === "box" || s.kind === "mesh" ? new THREE.EdgesGeometry(surface, 20).getAttribute("position").array : [];
    if (edge.length > 0 && edge.length * list.length < 4e5) {
      const lines = new THREE.BufferGeometry();
      crowd.edge = edge;
      lines.setAttribute("position", new THREE.BufferAttribute(new Float32Array(list.length * edge.length), 3));
      crowd.edges = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ transparent: true }));
      crowd.edges.frustumCulled = false;
      crowd.edges.raycast = () => {};
      this.root.add(crowd.edges);
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
    const colour = new THREE.Color(), style = this.style(crowd.list[0].s), clear = style.opacity < 1;
    crowd.list.forEach(({ s }, k) => crowd.mesh.setColorAt(k, colour.set(this.style(s).body)));
    crowd.mesh.instanceColor.needsUpdate = true;
    Object.assign(crowd.mesh.material, { opacity: style.opacity, transparent: clear, depthWrite: !clear, wireframe: style.wire, needsUpdate: true });
    if (crowd.edges) { crowd.edges.material.color.set(style.ink || this.tools.theme().ink); crowd.edges.material.opacity = 0.75 * style.opacity; }
  }

  moveCrowd(crowd) {
    const matrix = new THREE.Matrix4(), place = new THREE.Vector3(), turn = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1), none = new THREE.Matrix4().makeScale(0, 0, 0);
    const lines = crowd.edges ? crowd.edges.geometry.getAttribute("position") : null, corner = new THREE.Vector3();
    crowd.list.forEach(({ s }, k) => {
      const pose = this.r.pose(s.frame), fine = pose.every(isFinite);
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

  clear(node) {
    node.traverse((o) => { if (o.geometry) o.geometry.dispose(); if (o.material) { if (o.material.map) o.material.map.dispose(); o.material.dispose(); } });
    node.clear();
  }

  fill(item) {
    const { s, node } = item, { lines, edges, rod, helix } = window.PicusShapes, style = this.style(s);
    this.clear(node);
    if (this.ground && s === this.ground.shape) return; // the floor of the stage
    const points = s.points.map((p) => p.map((c) => this.r.value(c))), radius = Math.abs(this.r.value(s.radius)) || 0, width = Math.max(0.5, s.width || 1.4);
    if (points.some((p) => p.some((x) => !isFinite(x)))) return;
    const solid = (mesh, at) => { if (at) mesh.position.set(...at); mesh.castShadow = mesh.receiveShadow = true; node.add(mesh); return mesh; };
    const outline = (surface, angle) => edges(surface, angle, this.pen(style, Math.min(width, 1.2), { opacity: 0.75 * style.opacity }));
    const area = (material) => { const faces = []; for (let k = 1; k + 1 < points.length; k++) faces.push(0, k, k + 1); return solid(new THREE.Mesh(window.PicusShapes.surfaceOf(points, faces), material)); };
    switch (s.kind) {
      case "polygon":
        if (style.paint) area(this.brush(s, style));
        if (style.ink) node.add(lines(points, this.pen(style, width), true));
        break;
      case "ground": // an area that is seen from one side
        if (style.paint && points.length > 2) area(this.brush(s, style, { side: 0, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 })).castShadow = false;
        if (style.ink) node.add(lines(points, this.pen(style, Math.min(width, 1), { opacity: 0.5 }), Boolean(style.paint && points.length > 2)));
        break;
      case "mesh": {
        const body = solid(new THREE.Mesh(window.PicusShapes.surfaceOf(points, s.faces), this.brush(s, style)));
        if (style.ink && s.faces.length < 60000 && !item.moves) node.add(outline(body.geometry, 25));
        break;
      }
      case "circle": {
        const ring = [];
        for (let k = 0; k < 64; k++) ring.push([points[0][0] + radius * Math.cos(k * Math.PI / 32), points[0][1] + radius * Math.sin(k * Math.PI / 32), points[0][2]]);
        if (style.paint) solid(new THREE.Mesh(new THREE.CircleGeometry(radius, 48), this.brush(s, style)), points[0]);
        if (style.ink) node.add(lines(ring, this.pen(style, width), true));
        break;
      }
      case "sphere": solid(new THREE.Mesh(window.PicusShapes.ball(36), this.brush(s, style, { vertexColors: true })), points[0]).scale.setScalar(radius || 1e-30); break;
      case "box": {
        const body = solid(new THREE.Mesh(new THREE.BoxGeometry(...[0, 1, 2].map((i) => Math.abs(points[1][i] - points[0][i]))), this.brush(s, style)), [0, 1, 2].map((i) => (points[0][i] + points[1][i]) / 2));
        if (!style.ink) break;
        const rim = outline(body.geometry, 20);
        rim.position.copy(body.position);
        node.add(rim);
        break;
      }
      case "cylinder": {
        const body = solid(rod(points[0], points[1], radius, this.brush(s, style)));
        if (!style.ink) break;
        const rim = outline(body.geometry, 40);
        rim.position.copy(body.position);
        rim.quaternion.copy(body.quaternion);
        node.add(rim);
        break;
      }
      case "spring": node.add(lines(helix(points[0], points[1], radius || 0.1 * Math.hypot(...points[1].map((x, i) => x - points[0][i]))), this.pen(style, Math.max(1.6, width)), false)); break;
      case "arrow": this.arrow(node, points[0], points[1], style, width); break;
      case "text": {
        const label = window.PicusStage.label(s.text, style.ink || this.tools.theme().ink, 512), size = 0.05 * this.r.drawing.size;
        label.position.set(...points[0]);
        label.scale.set(8 * size, size, 1);
        node.add(label);
        break;
      }
      default: node.add(lines(points, this.pen(style, width), false));
    }
  }

  arrow(node, a, b, style, width) {
    const from = new THREE.Vector3(...a), along = new THREE.Vector3(...b).sub(from), length = along.length();
    if (!(length > 0)) return;
    along.normalize();
    const head = 0.25 * length, ink = style.ink || this.tools.theme().ink, cone = new THREE.Mesh(new THREE.ConeGeometry(0.3 * head, head, 16), this.brush({ kind: "arrow" }, { ...style, body: ink }));
    cone.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along);
    cone.position.copy(from).addScaledVector(along, length - head / 2);
    node.add(cone, window.PicusShapes.lines([a, b], this.pen(style, Math.max(2, width)), false));
  }

  // ---- motion

  // Moves everything to the state of the result; rebuild: also what only depends on colours.
  move(rebuild) {
    this.groups.forEach((g, k) => {
      const pose = this.r.pose(k);
      if (!pose) return;
      g.visible = pose.every(isFinite);
      if (!g.visible) return;
      if (this.r.drawing.planar) { g.position.set(pose[0], pose[1], 0); g.rotation.z = pose[2]; }
      else { g.position.set(pose[0], pose[1], pose[2]); g.quaternion.set(pose[4], pose[5], pose[6], pose[3]); }
    });
    for (const item of this.items) if (rebuild || item.moves) this.fill(item);
    for (const crowd of this.crowds) {
      if (rebuild) this.paintCrowd(crowd);
      this.moveCrowd(crowd);
    }
  }
};
