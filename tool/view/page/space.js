"use strict";
// The spatial view: z points up. Its parts are PicusStage (light, floor, axes), PicusShapes (bodies) and PicusContacts. Uses the
// global THREE (three.js); the global is window.PicusSpaceView.
window.PicusSpaceView = class {
  constructor(list, box, tools) {
    this.list = list;
    this.look = { wire: false, glass: false, shadows: true, parallel: false, orbit: false };
    this.tools = Object.assign(Object.create(tools), { look: this.look });
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.className = "sky";
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "mechanism");
    box.appendChild(this.canvas);
    const count = Math.max(...list.map((r) => r.drawing.shapes.length)), software = this.isSoftware();
    this.look.shadows = !(software && count > 120);
    try {
      this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: !(count > 300 && software), preserveDrawingBuffer: true, alpha: true });
      this.renderer.setClearAlpha(0); // the page draws the sky
    } catch (error) {
      const note = document.createElement("p");
      note.textContent = "This browser cannot draw in 3-D (WebGL): " + error.message;
      this.canvas.replaceWith(note);
      return;
    }
    this.scene = new THREE.Scene();
    this.perspective = new THREE.PerspectiveCamera(2 * this.halfAngle * 180 / Math.PI, 1, 1e-3, 1e3);
    this.orthographic = new THREE.OrthographicCamera(-1, 1, 1, -1, 1e-3, 1e3);
    for (const camera of [this.perspective, this.orthographic]) camera.up.set(0, 0, 1);
    this.camera = this.perspective;
    this.stage = new window.PicusStage(this.scene, this.renderer, this.tools, software);
    this.ground = window.PicusStage.floorOf(list[0]);
    this.parts = list.map((r, k) => new window.PicusShapes(r, this.scene, this.tools, k > 0 ? 0.35 : 1, k === 0 ? this.ground : window.PicusStage.floorOf(r)));
    this.contacts = this.parts.map((part) => new window.PicusContacts(part, this.tools));
    this.trails = [];
    this.addButtons(box);
    this.listen();
    window.PicusDraw.listenHover(this.canvas, box, (e) => this.hit(e));
    this.turn = -1.0;
    this.tilt = 0.45;
    this.fit();
    this.retheme();
  }

  get halfAngle() { return 0.35; }

  // Without a graphics card: shadows and smooth edges of many bodies would cost most of the frame rate.
  isSoftware() {
    const gl = document.createElement("canvas").getContext("webgl2"), info = gl && gl.getExtension("WEBGL_debug_renderer_info");
    const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "", lose = gl && gl.getExtension("WEBGL_lose_context");
    if (lose) lose.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
  }

  dispose() { if (this.renderer) this.renderer.dispose(); }

  // ---- how it looks

  // Directions of the camera, and what can be switched; keys of the page that the page itself does not use.
  get presets() { return { i: ["corner", "from a corner (I)", -1.0, 0.45], x: ["x", "along x (X)", 0, 0], y: ["y", "along y (Y)", -Math.PI / 2, 0], z: ["z", "from above (Z)", -Math.PI / 2, Math.PI / 2] }; }
  get switches() { return { v: ["parallel", "parallel projection (V)"], u: ["orbit", "turn around (U)"], w: ["wire", "wireframe (W)"], b: ["glass", "see through bodies (B)"], h: ["shadows", "shadows (H)"] }; }
  addButtons(box) {
    const bar = document.createElement("div");
    bar.className = "look";
    this.keys = {};
    this.buttons = {};
    const add = (key, text, title, action) => {
      const button = document.createElement("button");
      button.textContent = text;
      button.title = title;
      button.addEventListener("click", action);
      this.keys[key] = action;
      bar.append(button);
      return button;
    };
    for (const [key, [text, title, turn, tilt]] of Object.entries(this.presets)) add(key, text, title, () => { this.turn = turn; this.tilt = tilt; this.fit(); this.tools.changed(); });
    for (const [key, [name, title]] of Object.entries(this.switches)) this.buttons[name] = add(key, name, title, () => this.change(name));
    box.append(bar);
    this.showButtons();
  }
  showButtons() { for (const [name, button] of Object.entries(this.buttons)) button.setAttribute("aria-pressed", String(this.look[name])); }
  change(name) {
    this.look[name] = !this.look[name];
    this.showButtons();
    this.retheme();
    this.tools.changed();
  }
  retheme() { this.stale = true; }

  // ---- camera

  // The box of what moves, at up to so many times (1: now), with what is near it; of grounds only what is below it.
  movingBox(times) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity], still = [];
    const take = (p, radius) => p.forEach((x, i) => { if (isFinite(x)) { low[i] = Math.min(low[i], x - radius); high[i] = Math.max(high[i], x + radius); } });
    for (const r of this.list) {
      const stride = Math.max(1, Math.floor(r.t.length / times)), moving = r.drawing.shapes.filter((s) => window.PicusDraw.isMoving(r, s)), moves = new Set(moving);
      for (let k = 0; k < (times === 1 ? 1 : r.t.length); k += stride) {
        r.seek(times === 1 ? this.tools.state.t : r.t[k]);
        for (const s of moving) for (const p of s.points.slice(0, 64)) take(r.point(s.frame, p), ["sphere", "circle", "cylinder"].includes(s.kind) ? Math.abs(r.value(s.radius)) || 0 : 0);
      }
      r.seek(this.tools.state.t);
      for (const s of r.drawing.shapes) if (!moves.has(s) && s.kind !== "ground") still.push(...s.points.slice(0, 64).map((p) => r.point(s.frame, p)));
    }
    for (const r of this.list) if (times > 1 && r.reach) for (const end of r.reach) take(end, 0); // picus live: what it has reached
    const any = low[0] <= high[0], near = 0.5 * Math.max(...high.map((x, i) => x - low[i])), least = low.map((x) => x - near), most = high.map((x) => x + near);
    for (const p of still) take(any ? p.map((x, i) => Math.min(most[i], Math.max(least[i], x))) : p, 0);
    return low[0] <= high[0] ? [low, high.map((x, i) => Math.max(x, low[i]))] : null;
  }

  boxNow() { return this.renderer ? this.movingBox(1) : null; }

  // Far smaller than its path: the view follows it.
  isSmall() {
    const all = this.movingBox(80), now = this.movingBox(1), size = (box) => Math.hypot(...box[1].map((x, i) => x - box[0][i]));
    return all !== null && now !== null && size(now) > 0 && size(all) > 4 * size(now);
  }

  // Shows all that moves, from the present direction.
  fit() {
    if (!this.renderer) return;
    const follows = this.tools.on("follow") && this.tools.state.picked === null, [low, high] = this.movingBox(follows ? 1 : 80) || [[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]];
    this.target = new THREE.Vector3(...low.map((x, i) => (x + high[i]) / 2));
    this.size = Math.hypot(...high.map((x, i) => x - low[i])) || 1;
    this.unit = window.PicusDraw.bodySize(this.list[0]);
    this.followed = null;
    this.moved = false; // by the mouse, but for a turn
    const half = high.map((x, i) => (x - low[i]) / 2), slope = Math.tan(this.halfAngle), wide = (this.canvas.clientWidth || 1) / (this.canvas.clientHeight || 1);
    const [right, up, back] = this.directions();
    this.away = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new THREE.Vector3(...half.map((h, i) => (k >> i & 1 ? h : -h)));
      this.away = Math.max(this.away, corner.dot(back) + Math.max(Math.abs(corner.dot(up)), Math.abs(corner.dot(right)) / wide) / slope);
    }
    this.away = Math.max((this.list[0].t.length > 1 ? 1.2 : 1.45) * this.away, 1e-9); // a motion that is not known yet needs room
    this.stage.fit(this.target.toArray(), this.size / 2, low, this.ground);
    this.stale = true;
  }

  // Unit vectors of the picture: right, up, and towards the viewer.
  directions() {
    const ct = Math.cos(this.turn), st = Math.sin(this.turn), ci = Math.cos(this.tilt), si = Math.sin(this.tilt);
    return [new THREE.Vector3(-st, ct, 0), new THREE.Vector3(-ct * si, -st * si, ci), new THREE.Vector3(ct * ci, st * ci, si)];
  }

  placeCamera(w, h) {
    const camera = this.camera = this.look.parallel ? this.orthographic : this.perspective, [right, up, back] = this.directions(), far = this.away + 12 * this.size;
    if (camera === this.orthographic) {
      const tall = this.away * Math.tan(this.halfAngle);
      Object.assign(camera, { left: -tall * w / h, right: tall * w / h, top: tall, bottom: -tall, near: this.away - far, far });
    } else Object.assign(camera, { aspect: w / h, near: Math.max(this.away / 2000, this.away - 12 * this.size), far });
    camera.position.copy(this.target).addScaledVector(back, this.away);
    camera.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(right, up, back));
    camera.updateMatrixWorld();
    camera.updateProjectionMatrix();
  }

  listen() {
    const c = this.canvas, pointers = new Map();
    let moved = 0, gap = 0;
    c.addEventListener("pointerdown", (e) => {
      c.setPointerCapture(e.pointerId);
      pointers.set(e.pointerId, [e.clientX, e.clientY]);
      moved = pointers.size > 1 ? 100 : 0;
      gap = this.tools.spread(pointers);
      if (this.tools.grab && pointers.size === 1 && e.button === 0) this.startGrab(e); else this.endGrab();
    });
    c.addEventListener("pointermove", (e) => {
      if (!pointers.has(e.pointerId)) return;
      const [x, y] = pointers.get(e.pointerId), dx = e.clientX - x, dy = e.clientY - y;
      pointers.set(e.pointerId, [e.clientX, e.clientY]);
      moved += Math.hypot(dx, dy);
      if (this.grabbed) { this.grabbed.at = [e.clientX, e.clientY]; this.tools.changed(); return; }
      if (pointers.size > 1) {
        const d = this.tools.spread(pointers);
        this.moved = true;
        if (gap > 0 && d > 0) this.away *= gap / d;
        gap = d;
      } else if (e.shiftKey || e.buttons === 2) this.pan(dx, dy);
      else { this.turn -= dx * 0.008; this.tilt = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.tilt + dy * 0.008)); }
      this.tools.changed();
    });
    c.addEventListener("pointerup", (e) => { if (pointers.size === 1 && moved <= 4) this.tools.pick(this.hit(e)); pointers.delete(e.pointerId); gap = this.tools.spread(pointers); this.endGrab(); });
    c.addEventListener("pointercancel", (e) => { pointers.delete(e.pointerId); gap = this.tools.spread(pointers); this.endGrab(); });
    c.addEventListener("contextmenu", (e) => e.preventDefault());
    c.addEventListener("wheel", (e) => { e.preventDefault(); this.moved = true; this.away *= Math.exp(e.deltaY * 0.0012); this.tools.changed(); }, { passive: false });
    c.addEventListener("dblclick", () => { this.fit(); this.tools.changed(); });
  }

  pan(dx, dy) {
    this.moved = true;
    const scale = 2 * Math.tan(this.halfAngle) * this.away / (this.canvas.clientHeight || 400), [right, up] = this.directions();
    this.target.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
  }

  rayAt(x, y) {
    const b = this.canvas.getBoundingClientRect(), ray = new THREE.Raycaster();
    ray.params.Line2 = { threshold: 8 };
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
    this.grabbed = { at: [e.clientX, e.clientY], point, normal: this.directions()[2] };
  }
  endGrab() { if (this.grabbed) { this.grabbed = null; this.tools.grab.end(); } }
  pointerPlace() {
    const { at, point, normal } = this.grabbed, { origin, direction } = this.rayAt(at[0], at[1]).ray;
    const slope = direction.dot(normal), far = point.clone().sub(origin).dot(normal);
    if (!(Math.abs(slope) > 1e-6)) return point.toArray();
    return origin.clone().addScaledVector(direction, far / slope).toArray();
  }
  drawPull(from, to) {
    this.pull = window.PicusShapes.lines([from, to], new THREE.LineMaterial({ color: this.tools.theme().accent, linewidth: 3, depthTest: false, transparent: true }), false);
    this.pull.renderOrder = 2;
    this.scene.add(this.pull);
  }
  forgetPull() { if (this.pull) { this.scene.remove(this.pull); this.pull.geometry.dispose(); this.pull.material.dispose(); this.pull = null; } }

  // ---- what is shown

  drawTrails() {
    this.trails.forEach((o) => { this.scene.remove(o); o.geometry.dispose(); o.material.dispose(); });
    this.trails = [];
    if (!this.tools.on("trails")) return;
    for (const { r } of this.parts) {
      const names = this.tools.state.picked !== null ? [this.tools.state.picked] : r.objects;
      names.slice(0, 20).forEach((name, k) => {
        const points = this.tools.trailOf(r, name);
        if (points.length < 2) return;
        const trail = window.PicusShapes.lines(points, new THREE.LineMaterial({ color: this.tools.curves[k % this.tools.curves.length], linewidth: 2 }), false);
        trail.raycast = () => {};
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
    this.stage.follow(this.target);
  }

  // A turn in twenty seconds, as long as it is switched on.
  goAround() {
    const now = performance.now();
    if (this.look.orbit) { this.turn += Math.min(0.1, (now - (this.turned || now)) / 1000) * 2 * Math.PI / 20; requestAnimationFrame(() => this.tools.changed()); }
    this.turned = this.look.orbit ? now : 0;
  }

  // Waits for the picture, to measure its cost.
  finish() { if (this.renderer) this.renderer.getContext().readPixels(0, 0, 1, 1, 6408, 5121, new Uint8Array(4)); }

  draw() {
    if (!this.renderer) return;
    const tools = this.tools, ratio = window.devicePixelRatio || 1, w = this.canvas.clientWidth || 1, h = this.canvas.clientHeight || 1;
    if (this.canvas.width !== Math.round(w * ratio) || this.canvas.height !== Math.round(h * ratio)) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(w, h, false);
      if (!this.moved) this.fit();
    }
    const rebuild = this.stale || this.shownPick !== tools.state.picked;
    this.stale = false;
    this.shownPick = tools.state.picked;
    this.stage.retheme(this.look.shadows);
    this.parts.forEach((part, k) => {
      part.r.seek(tools.state.t);
      part.move(rebuild);
      this.contacts[k].draw(this.unit, this.size);
    });
    this.drawTrails();
    this.forgetPull();
    if (tools.grab && tools.grab.line) { const line = tools.grab.line(); if (line) this.drawPull(line[0], line[1]); }
    this.follow();
    this.goAround();
    this.placeCamera(w, h);
    this.renderer.setViewport(0, 0, w, h);
    this.renderer.render(this.scene, this.camera);
    this.stage.drawAxes(this.turn, this.tilt, h);
  }
};
