"use strict";
// The planar view: window.PicusPlaneView.
(() => {
  const { modeOf, niceStep, tick, listenHover, bodySize, arrowLength, fitCanvas, outline, spread, isMoving, metres, inside, distance, coil } = window.PicusDraw;

  window.PicusPlaneView = class {
    constructor(list, box, tools) {
      this.tools = tools;
      this.list = list; // results; the first is drawn last
      this.box = box;
      this.canvas = document.createElement("canvas");
      this.canvas.tabIndex = 0;
      this.canvas.setAttribute("role", "img");
      this.canvas.setAttribute("aria-label", "mechanism");
      box.appendChild(this.canvas);
      this.pen = this.canvas.getContext("2d");
      this.trails = new Map();
      this.listen();
      listenHover(this.canvas, box, (e) => { const b = this.canvas.getBoundingClientRect(); return this.hit([e.clientX - b.left, e.clientY - b.top]); });
      this.fit();
    }

    get theme() { return this.tools.theme(); }

    bounds() {
      const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
      const take = (p, r) => { for (let i = 0; i < 2; i++) if (isFinite(p[i])) { low[i] = Math.min(low[i], p[i] - r); high[i] = Math.max(high[i], p[i] + r); } };
      const still = [];
      for (const r of this.list) {
        const count = r.t.length, stride = Math.max(1, Math.floor(count / 150));
        for (let k = 0; k < count; k += stride) {
          r.seek(r.t[k]);
          for (const s of r.drawing.shapes) {
            if (!isMoving(r, s)) { if (k === 0) still.push([r, s]); continue; }
            const radius = s.kind === "circle" || s.kind === "sphere" ? Math.abs(r.value(s.radius)) || 0 : 0;
            for (const p of s.points) take(r.point(s.frame, p), radius);
          }
        }
      }
      const size = low[0] <= high[0] ? Math.max(high[0] - low[0], high[1] - low[1]) : 0;
      const a = [low[0] - 0.6 * size, low[1] - 0.6 * size], b = [high[0] + 0.6 * size, high[1] + 0.6 * size];
      for (const [r, s] of still)
        for (const p of s.points) {
          const q = r.point(s.frame, p), radius = s.kind === "circle" ? Math.abs(r.value(s.radius)) || 0 : 0;
          if (!(size > 0)) take(q, radius);
          else if (q[0] >= a[0] && q[0] <= b[0] && q[1] >= a[1] && q[1] <= b[1]) take(q, radius);
          else take([Math.min(b[0], Math.max(a[0], q[0])), Math.min(b[1], Math.max(a[1], q[1]))].map((x, i) => Math.min(high[i] + 0.15 * size, Math.max(low[i] - 0.15 * size, x))), 0);
        }
      for (const r of this.list) if (r.reach) for (const end of r.reach) take(end, 0); // picus live: what it has reached
      if (!(low[0] <= high[0])) return [[-1, -1], [1, 1]];
      return [low, high];
    }

    fit() {
      fitCanvas(this.canvas);
      const [low, high] = this.bounds();
      const w = this.canvas.clientWidth || 600, h = this.canvas.clientHeight || 400;
      const wide = Math.max(high[0] - low[0], 1e-12), tall = Math.max(high[1] - low[1], 1e-12);
      this.scale = Math.min((w - 70) / wide, (h - 60) / tall);
      if (!isFinite(this.scale) || this.scale <= 0) this.scale = 1;
      this.centre = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
      for (const r of this.list) r.seek(this.tools.state.t);
      this.unit = bodySize(this.list[0]);
      this.followed = null;
      this.moved = false; // by the mouse
      if (this.tools.on("follow") && this.tools.state.picked === null) this.fitMoving(w, h);
    }

    // Far smaller than its path: the mechanism fills half of the view, which follows it.
    isSmall() {
      const [low, high] = this.bounds(), r = this.list[0];
      r.seek(this.tools.state.t);
      const box = this.movingBox(r), size = (a, b) => Math.max(b[0] - a[0], b[1] - a[1]);
      return box !== null && size(box[0], box[1]) > 0 && size(low, high) > 3.5 * size(box[0], box[1]) && this.list[0].drawing.shapes.filter((s) => isMoving(r, s)).length > 3;
    }
    fitMoving(w, h) {
      const box = this.movingBox(this.list[0]);
      if (box) this.scale = Math.min(w / (2 * (box[1][0] - box[0][0]) || 1), h / (1.8 * (box[1][1] - box[0][1]) || 1));
    }

    toScreen(p) { return [this.w / 2 + (p[0] - this.centre[0]) * this.scale, this.h / 2 - (p[1] - this.centre[1]) * this.scale]; }
    toWorld(p) { return [this.centre[0] + (p[0] - this.w / 2) / this.scale, this.centre[1] - (p[1] - this.h / 2) / this.scale]; }

    listen() {
      const c = this.canvas, pointers = new Map();
      let moved = 0, gap = 0;
      const place = (e) => { const b = c.getBoundingClientRect(); return [e.clientX - b.left, e.clientY - b.top]; };
      c.addEventListener("pointerdown", (e) => {
        c.setPointerCapture(e.pointerId);
        pointers.set(e.pointerId, place(e));
        moved = pointers.size > 1 ? 100 : 0;
        gap = spread(pointers);
        if (this.tools.grab && pointers.size === 1) this.startGrab(place(e)); else this.endGrab();
      });
      c.addEventListener("pointermove", (e) => {
        if (!pointers.has(e.pointerId)) return;
        const before = pointers.get(e.pointerId), now = place(e);
        pointers.set(e.pointerId, now);
        if (this.grabbed) { moved += Math.hypot(now[0] - before[0], now[1] - before[1]); this.grabbed = now; this.tools.changed(); return; }
        if (pointers.size === 1) {
          moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
          if (moved > 4) { this.moved = true; this.centre[0] -= (now[0] - before[0]) / this.scale; this.centre[1] += (now[1] - before[1]) / this.scale; this.tools.changed(); }
        } else {
          const [a, b] = [...pointers.values()], distance = spread(pointers);
          if (gap > 0) this.zoom(distance / gap, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
          gap = distance;
        }
      });
      const up = (e) => {
        if (pointers.has(e.pointerId) && pointers.size === 1 && moved <= 4) this.tools.pick(this.hit(place(e)));
        pointers.delete(e.pointerId);
        gap = spread(pointers);
        this.endGrab();
      };
      c.addEventListener("pointerup", up);
      c.addEventListener("pointercancel", (e) => { pointers.delete(e.pointerId); gap = spread(pointers); this.endGrab(); });
      c.addEventListener("wheel", (e) => { e.preventDefault(); this.zoom(Math.exp(-e.deltaY * 0.0015), place(e)); }, { passive: false });
      c.addEventListener("dblclick", () => { this.fit(); this.tools.changed(); });
    }

    // Pulling an object (picus live): what is at the place of the screen, if it can be pulled.
    startGrab(at) {
      const name = this.hit(at);
      this.grabbed = name !== null && this.tools.grab.start(this, name, [...this.toWorld(at), 0]) ? at : null;
    }
    endGrab() { if (this.grabbed) { this.grabbed = null; this.tools.grab.end(); } }
    pointerPlace() { return [...this.toWorld(this.grabbed), 0]; }
    drawPull(from, to) {
      const pen = this.pen, a = this.toScreen(from), b = this.toScreen(to);
      pen.strokeStyle = pen.fillStyle = this.theme.accent;
      pen.lineWidth = 2;
      pen.setLineDash([6, 4]);
      this.path([a, b], false);
      pen.stroke();
      pen.setLineDash([]);
      for (const [p, r] of [[a, 4], [b, 6]]) { pen.beginPath(); pen.arc(p[0], p[1], r, 0, 2 * Math.PI); pen.fill(); }
    }

    zoom(factor, at) {
      const before = this.toWorld(at);
      this.moved = true;
      this.scale = Math.min(1e12, Math.max(1e-12, this.scale * factor));
      const after = this.toWorld(at);
      this.centre[0] += before[0] - after[0];
      this.centre[1] += before[1] - after[1];
      this.tools.changed();
    }

    // The object at a place of the screen: the shape drawn last.
    hit(at) {
      const r = this.list[0];
      let best = null, near = 12;
      for (const s of r.drawing.shapes) {
        if (!s.name) continue;
        const points = s.points.map((p) => this.toScreen(r.point(s.frame, p)));
        let d = Infinity;
        if (s.kind === "circle" || s.kind === "sphere") d = Math.max(0, Math.hypot(at[0] - points[0][0], at[1] - points[0][1]) - Math.abs(r.value(s.radius)) * this.scale);
        else if (s.kind === "polygon" && inside(at, points)) d = 0;
        else for (let k = 0; k + 1 < points.length; k++) d = Math.min(d, distance(at, points[k], points[k + 1]));
        if (d <= near) { best = s.name; near = d; }
      }
      return best;
    }

    draw() {
      if (fitCanvas(this.canvas) && !this.moved) this.fit();
      const ratio = window.devicePixelRatio || 1, pen = this.pen;
      this.w = this.canvas.width / ratio;
      this.h = this.canvas.height / ratio;
      if (this.tools.on("follow")) this.follow(); else this.followed = null;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.fillStyle = this.theme.bg;
      pen.fillRect(0, 0, this.w, this.h);
      if (this.tools.on("grid")) this.drawGrid();
      for (let k = this.list.length - 1; k >= 0; k--) {
        const r = this.list[k];
        r.seek(this.tools.state.t);
        pen.globalAlpha = k > 0 ? 0.35 : 1;
        if (this.tools.on("trails")) this.drawTrails(r);
        for (const s of r.drawing.shapes) this.drawShape(r, s);
        // marks of contacts are smaller than bodies
        this.dot = Math.min(4.5, Math.max(1.3, 0.13 * this.unit * this.scale));
        this.usual = this.tools.arrowScale() * this.scale * arrowLength(this.unit, Math.min(r.drawing.size, Math.min(this.w, this.h) / this.scale)) * Math.min(1, r.arrow / 0.2 + 0.35);
        if (this.tools.on("contacts")) for (const s of [...r.drawing.sites, ...r.touching()]) this.drawSite(r, s);
        pen.globalAlpha = 1;
      }
      if (this.tools.grab) { const line = this.tools.grab.line(); if (line) this.drawPull(line[0], line[1]); }
      this.drawScale();
    }

    // The middle of all moving points now, and their size.
    movingBox(r) {
      const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
      for (const s of r.drawing.shapes) {
        if (!isMoving(r, s)) continue;
        const radius = s.kind === "circle" ? Math.abs(r.value(s.radius)) || 0 : 0;
        for (const p of s.points) r.point(s.frame, p).forEach((x, i) => { if (isFinite(x)) { low[i] = Math.min(low[i], x - radius); high[i] = Math.max(high[i], x + radius); } });
      }
      return low[0] <= high[0] ? [low, high] : null;
    }
    boxNow() { return this.movingBox(this.list[0]); }
    movingCentre(r) { const box = this.movingBox(r); return box ? [(box[0][0] + box[1][0]) / 2, (box[0][1] + box[1][1]) / 2] : null; }

    follow() {
      const r = this.list[0];
      r.seek(this.tools.state.t);
      const c = this.tools.state.picked !== null ? this.tools.centreOf(r, this.tools.state.picked) : this.movingCentre(r);
      if (!c || !isFinite(c[0]) || !isFinite(c[1])) return;
      // once in the middle; then by as much as it moved, so that the view can be dragged and zoomed on the way
      const last = this.followed && this.followed.name === this.tools.state.picked ? this.followed.at : null;
      this.centre = last ? [this.centre[0] + (c[0] - last[0]), this.centre[1] + (c[1] - last[1])] : [c[0], c[1]];
      this.followed = { name: this.tools.state.picked, at: c };
    }

    drawGrid() {
      const pen = this.pen, step = niceStep(90 / this.scale, 1), a = this.toWorld([0, this.h]), b = this.toWorld([this.w, 0]);
      pen.lineWidth = 1;
      pen.font = "11px system-ui, sans-serif";
      pen.fillStyle = this.theme.dim;
      for (let axis = 0; axis < 2; axis++)
        for (let k = Math.ceil(a[axis] / step); k * step <= b[axis] && k < Math.ceil(a[axis] / step) + 200; k++) {
          const p = this.toScreen(axis === 0 ? [k * step, 0] : [0, k * step]);
          pen.strokeStyle = k === 0 ? this.theme.axis : this.theme.grid;
          pen.beginPath();
          if (axis === 0) { pen.moveTo(p[0], 0); pen.lineTo(p[0], this.h); pen.fillText(tick(step, k * step), p[0] + 3, this.h - 5); }
          else { pen.moveTo(0, p[1]); pen.lineTo(this.w, p[1]); if (p[1] > 36) pen.fillText(tick(step, k * step), 3, p[1] - 3); }
          pen.stroke();
        }
    }

    drawScale() {
      const pen = this.pen, length = niceStep(110 / this.scale, 1), w = length * this.scale, x = this.w - w - 16, y = this.h - 22;
      pen.strokeStyle = pen.fillStyle = this.theme.ink;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(x, y - 4); pen.lineTo(x, y); pen.lineTo(x + w, y); pen.lineTo(x + w, y - 4);
      pen.stroke();
      pen.font = "12px system-ui, sans-serif";
      pen.textAlign = "center";
      pen.save(); // readable on any shape
      pen.strokeStyle = this.theme.bg;
      pen.lineWidth = 4;
      pen.lineJoin = "round";
      pen.strokeText(metres(length), x + w / 2, y - 6);
      pen.restore();
      pen.fillText(metres(length), x + w / 2, y - 6);
      pen.textAlign = "left";
    }

    path(points, closed) {
      const pen = this.pen;
      pen.beginPath();
      points.forEach((p, k) => (k ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1])));
      if (closed) pen.closePath();
    }

    drawShape(r, s) {
      const pen = this.pen, points = s.points.map((p) => this.toScreen(r.point(s.frame, p)));
      if (points.some((p) => !isFinite(p[0]) || !isFinite(p[1]))) return;
      const picked = this.tools.state.picked !== null && s.name === this.tools.state.picked;
      const line = this.tools.colour(s.line, this.theme.ink), fill = this.tools.colour(s.fill, null);
      pen.lineWidth = outline(s, points, Math.abs(r.value(s.radius)) * this.scale) + (picked ? 2 : 0);
      pen.strokeStyle = picked ? this.theme.accent : line || "transparent";
      pen.fillStyle = fill || "transparent";
      pen.lineJoin = pen.lineCap = "round";
      const finish = () => { if (fill) pen.fill(); if (line || picked) pen.stroke(); };
      const radius = Math.abs(r.value(s.radius)) * this.scale;
      switch (s.kind) {
        case "circle": case "sphere":
          if (!isFinite(radius)) return;
          pen.beginPath();
          pen.arc(points[0][0], points[0][1], radius, 0, 2 * Math.PI);
          finish();
          break;
        case "polygon": this.path(points, true); finish(); break;
        case "box": this.path([points[0], [points[1][0], points[0][1]], points[1], [points[0][0], points[1][1]]], true); finish(); break;
        case "mesh":
          for (let k = 0; k + 2 < s.faces.length; k += 3) { this.path([points[s.faces[k]], points[s.faces[k + 1]], points[s.faces[k + 2]]], true); finish(); }
          break;
        case "spring": this.path(coil(points[0], points[1], radius || 5), false); pen.stroke(); break;
        case "arrow": this.arrow(points[0], points[1], line || this.theme.ink, pen.lineWidth); break;
        case "text":
          pen.fillStyle = line || this.theme.ink;
          pen.font = "14px system-ui, sans-serif";
          pen.textAlign = "center";
          pen.textBaseline = "middle";
          pen.fillText(s.text, points[0][0], points[0][1]);
          pen.textAlign = "left";
          pen.textBaseline = "alphabetic";
          break;
        case "ground": this.hatch(points, line || this.theme.ink); break;
        default: this.path(points, false); pen.stroke();
      }
    }

    hatch(points, ink) {
      const pen = this.pen;
      this.path(points, false);
      pen.stroke();
      pen.save();
      pen.strokeStyle = ink;
      pen.globalAlpha *= 0.6;
      pen.lineWidth = 1;
      pen.beginPath();
      for (let k = 0; k + 1 < points.length; k++) {
        const [a, b] = [points[k], points[k + 1]], length = Math.hypot(b[0] - a[0], b[1] - a[1]);
        if (!(length > 0) || length > 1e5) continue;
        const u = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], n = [-u[1], u[0]]; // right side: y points down here
        const count = Math.max(1, Math.round(length / 9));
        for (let i = 0; i < count; i++) {
          const at = (i + 0.5) * length / count, x = a[0] + at * u[0], y = a[1] + at * u[1];
          if (x < -20 || y < -20 || x > this.w + 20 || y > this.h + 20) continue;
          pen.moveTo(x, y);
          pen.lineTo(x + 8 * n[0] - 6 * u[0], y + 8 * n[1] - 6 * u[1]);
        }
      }
      pen.stroke();
      pen.restore();
    }

    arrow(a, b, ink, width) {
      const pen = this.pen, length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      if (!(length > 0.5)) return;
      const u = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], head = Math.min(6 + 1.6 * width, 0.6 * length);
      pen.strokeStyle = pen.fillStyle = ink;
      pen.lineWidth = width;
      this.path([a, [b[0] - 0.8 * head * u[0], b[1] - 0.8 * head * u[1]]], false);
      pen.stroke();
      this.path([b, [b[0] - head * u[0] - 0.45 * head * u[1], b[1] - head * u[1] + 0.45 * head * u[0]], [b[0] - head * u[0] + 0.45 * head * u[1], b[1] - head * u[1] - 0.45 * head * u[0]]], true);
      pen.fill();
    }

    drawSite(r, s) {
      const pen = this.pen, p = this.toScreen(s.place.map((c) => r.value(c)));
      if (!isFinite(p[0]) || !isFinite(p[1])) return;
      const mode = s.now ? s.now.mode : modeOf(r.ofStep(s.mode)), ink = this.tools.modes[mode];
      const normal = s.normal ? s.normal.map((c) => r.value(c)) : null;
      if (this.tools.on("cones") && normal && s.mu > 0 && mode > 0) {
        const angle = Math.atan(s.mu), base = Math.atan2(-normal[1], normal[0]), length = Math.min(60, Math.max(6, 1.2 * this.unit * this.scale));
        pen.save();
        pen.fillStyle = ink;
        pen.globalAlpha *= 0.22;
        this.path([p, [p[0] + length * Math.cos(base - angle), p[1] + length * Math.sin(base - angle)], [p[0] + length * Math.cos(base + angle), p[1] + length * Math.sin(base + angle)]], true);
        pen.fill();
        pen.restore();
      }
      if (mode > 0) {
        const f = s.now ? s.now.force : r.forceOf(s), size = Math.hypot(f[0], f[1]);
        if (size > 0 && isFinite(size)) {
          const length = this.tools.forceLength(size / r.force) * this.usual;
          this.arrow(p, [p[0] + length * f[0] / size, p[1] - length * f[1] / size], ink, Math.min(2.5, Math.max(1, 0.04 * this.usual)));
        }
      }
      pen.beginPath();
      pen.arc(p[0], p[1], (mode > 0 ? 1 : 0.66) * this.dot, 0, 2 * Math.PI);
      pen.lineWidth = Math.min(1.5, this.dot / 2);
      pen.strokeStyle = pen.fillStyle = ink;
      if (mode > 0) pen.fill(); else pen.stroke();
      const flash = this.tools.flashOf(r, s.index);
      if (flash > 0) {
        pen.save();
        pen.globalAlpha *= flash;
        pen.strokeStyle = this.tools.modes[2];
        pen.lineWidth = 3;
        pen.beginPath();
        pen.arc(p[0], p[1], 8 + 22 * (1 - flash), 0, 2 * Math.PI);
        pen.stroke();
        pen.restore();
      }
    }

    // The paths of the centres of all moving objects, or of the selected one.
    drawTrails(r) {
      const pen = this.pen, names = this.tools.state.picked !== null ? [this.tools.state.picked] : r.objects;
      names.slice(0, 40).forEach((name, k) => {
        pen.strokeStyle = this.tools.curves[k % this.tools.curves.length];
        pen.lineWidth = 1;
        this.path(this.tools.trailOf(r, name).map((c) => this.toScreen(c)), false);
        pen.stroke();
      });
    }
  };
})();
