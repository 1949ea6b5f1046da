"use strict";
// The viewer. Texts of results reach the page through textContent and canvas only, never as markup.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("picus-data").textContent);

  // ---- values of results

  function decode(list) {
    const text = atob(list.b), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    if (list.e === "f64") return new Float64Array(bytes.buffer);
    if (list.e === "f32") return new Float32Array(bytes.buffer);
    if (list.e === "i32") return new Uint32Array(bytes.buffer);
    const whole = new Uint16Array(bytes.buffer);
    if (list.e === "i16") return whole;
    const values = new Float32Array(whole.length), of = list.e === "f16" ? (n) => list.s * half(n) : (n) => (n === 65535 ? NaN : list.a + list.s * n);
    for (let i = 0; i < whole.length; i++) values[i] = of(whole[i]);
    return values;
  }
  // IEEE 754 binary16.
  function half(bits) {
    const exponent = bits >> 10 & 31, fraction = bits & 1023, sign = bits & 32768 ? -1 : 1;
    if (exponent === 31) return NaN;
    return sign * (exponent ? Math.pow(2, exponent - 15) * (1 + fraction / 1024) : Math.pow(2, -24) * fraction);
  }
  // Sets the row i at or before t, the next one j, and its weight w. Times mostly go on a little.
  function seekRows(rows, t) {
    const list = rows.t, last = list.length - 1;
    let low = 0, high = last;
    for (let k = rows.i || 0, tries = 0; tries < 3 && k < last; k++, tries++) if (list[k] <= t && t < list[k + 1]) { low = k; high = k + 1; }
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (list[middle] <= t) low = middle; else high = middle;
    }
    rows.i = low;
    rows.j = Math.min(low + 1, last);
    const step = list[rows.j] - list[low];
    rows.w = step > 0 ? Math.min(1, Math.max(0, (t - list[low]) / step)) : 0;
    if (rows.w === 1) { rows.i = rows.j; rows.w = 0; }
    rows.at = t;
  }

  class Result {
    constructor(raw) {
      Object.assign(this, raw);
      this.columns.forEach((c) => { c.list = decode(c.values); c.values = null; });
      this.column = new Map(this.columns.map((c) => [c.name, c]));
      this.t = this.column.get("t") ? this.column.get("t").list : this.columns[0].list;
      this.first = this.t[0];
      this.last = this.t[this.t.length - 1];
      this.impacts = this.events.filter((e) => e[4]).map((e) => e[0]);
      this.times = [...new Set(this.events.map((e) => e[0]))].sort((a, b) => a - b);
      if (this.drawing) {
        this.prepareTracks(this.drawing);
        this.drawing.sites.forEach((s) => this.prepareSite(s));
        if (this.drawing.touch) this.prepareTouching(this.drawing.touch);
        this.shapesOf = new Map();
        for (const s of this.drawing.shapes) if (s.name) this.shapesOf.set(s.name, [...(this.shapesOf.get(s.name) || []), s]);
        this.objects = [...this.shapesOf.keys()];
        this.force = this.typicalForce();
      }
      this.seek(this.first);
    }

    // Tracks, and for each of them what has its rows: this result, or a group of tracks.
    prepareTracks(drawing) {
      const times = drawing.times ? decode(drawing.times) : null;
      this.tracks = [];
      this.rowsOf = [];
      this.knots = 0;
      for (const group of drawing.tracks) {
        const rows = group.rows ? { t: Float64Array.from(decode(group.rows), (k) => times[k]) } : this;
        for (const list of group.values) { this.tracks.push(decode(list)); this.rowsOf.push(rows); }
        this.knots += rows.t.length;
      }
      this.rowTimes = drawing.rowTimes ? decode(drawing.rowTimes) : null;
      drawing.tracks = drawing.times = drawing.rowTimes = null;
    }

    prepareSite(s) {
      const find = (end) => { const c = this.column.get(s.law + "." + end); return c ? c.list : null; };
      s.PN = find("PN");
      s.PF = [find("PF") || find("PF1"), find("PF2")];
      s.mode = find("mode");
      s.index = this.laws.indexOf(s.law);
      if (!s.tangent1 && s.normal && this.drawing.planar) {
        const n = s.normal;
        s.tangent1 = [n[1], { minus: n[0] }];
      }
    }

    // Contacts that come and go: lists of all rows, one after the other.
    prepareTouching(touch) {
      this.touch = touch.fields.map(decode);
      this.touchRows = decode(touch.rows);
      this.touchFirst = [0];
      for (const n of decode(touch.counts)) this.touchFirst.push(this.touchFirst[this.touchFirst.length - 1] + n);
      this.touchAll = touch.all;
      touch.fields = touch.counts = null;
    }
    // Those of the step that ends at the time or later, in the form of sites.
    touching() {
      const list = [];
      if (!this.touch) return list;
      const wanted = this.w === 0 ? this.i : this.j, v = this.touch;
      let row = 0, high = this.touchRows.length - 1;
      while (row < high) { const middle = (row + high) >> 1; if (this.touchRows[middle] < wanted) row = middle + 1; else high = middle; }
      for (let k = this.touchFirst[row]; k < this.touchFirst[row + 1]; k++) {
        const three = (at) => [v[at][k], v[at + 1][k], v[at + 2][k]];
        list.push({ place: three(0), normal: three(3), mu: v[9][k], index: -1, now: { force: three(6), mode: Math.min(2, Math.max(0, Math.round(v[10][k]) || 0)) } });
      }
      return list;
    }

    seek(t) { seekRows(this, t); }

    mix(list) {
      const a = list[this.i];
      return this.w === 0 ? a : a + this.w * (list[this.j] - a);
    }
    // A track, at its own rows.
    track(k) {
      const rows = this.rowsOf[k], list = this.tracks[k];
      if (rows.at !== this.at) seekRows(rows, this.at);
      const a = list[rows.i];
      return rows.w === 0 ? a : a + rows.w * (list[rows.j] - a);
    }
    // Its mean rate between them.
    rate(k) {
      const rows = this.rowsOf[k], list = this.tracks[k];
      if (rows.at !== this.at) seekRows(rows, this.at);
      const i = rows.i === rows.j ? Math.max(0, rows.j - 1) : rows.i;
      return (list[rows.j] - list[i]) / (rows.t[rows.j] - rows.t[i]);
    }
    // Of the step that ends at the time or later.
    ofStep(list) { return list ? list[this.w === 0 ? this.i : this.j] : 0; }

    value(c) {
      if (typeof c === "number") return c;
      if (c === null || c === undefined) return NaN;
      if (Array.isArray(c)) return this.track(c[0]);
      return -this.value(c.minus);
    }

    pose(frame) {
      const first = this.drawing.frames[frame].pose;
      if (first < 0) return null;
      const n = this.drawing.planar ? 3 : 7, pose = [];
      for (let k = 0; k < n; k++) pose.push(this.track(first + k));
      if (n === 7) {
        const length = Math.hypot(pose[3], pose[4], pose[5], pose[6]) || 1;
        for (let k = 3; k < 7; k++) pose[k] /= length;
      }
      return pose;
    }

    // A point of a shape in the inertial frame.
    point(frame, p) {
      const v = p.map((c) => this.value(c)), pose = this.pose(frame);
      if (!pose) return v;
      if (this.drawing.planar) {
        const c = Math.cos(pose[2]), s = Math.sin(pose[2]);
        return [pose[0] + c * v[0] - s * v[1], pose[1] + s * v[0] + c * v[1]];
      }
      const [, , , w, x, y, z] = pose, [a, b, d] = v;
      const u = 2 * (y * d - z * b), r = 2 * (z * a - x * d), q = 2 * (x * b - y * a);
      return [pose[0] + a + w * u + y * q - z * r, pose[1] + b + w * r + z * u - x * q, pose[2] + d + w * q + x * r - y * u];
    }

    // The force of a site, N: the percussion of the row over the time in which it acted.
    forceOf(site) {
      const dt = this.ofStep(this.rowTimes) || this.dt || 1, f = [0, 0, 0];
      const add = (list, direction) => {
        if (!list || !direction) return;
        const P = this.ofStep(list) / dt;
        direction.forEach((c, i) => { f[i] += P * this.value(c); });
      };
      add(site.PN, site.normal);
      add(site.PF[0], site.tangent1);
      add(site.PF[1], site.tangent2);
      return f;
    }

    // The median of the forces of closed contacts.
    typicalForce() {
      const sizes = [], count = this.t.length, stride = Math.max(1, Math.floor(count / 400));
      let rows = 0;
      for (let k = 0; k < count; k += stride) {
        this.seek(this.t[k]);
        for (const s of this.drawing.sites.slice(0, 200)) {
          const size = Math.hypot(...this.forceOf(s));
          if (size > 0 && isFinite(size)) sizes.push(size);
        }
        for (const s of this.touching().slice(0, 200)) {
          const size = Math.hypot(...s.now.force);
          if (size > 0 && isFinite(size)) sizes.push(size);
        }
        rows++;
      }
      // where there are many of them, arrows are shorter
      this.arrow = 0.2 * Math.min(1, Math.sqrt(12 / Math.max(12, sizes.length / Math.max(1, rows))));
      sizes.sort((a, b) => a - b);
      return sizes.length ? sizes[sizes.length >> 1] : 1;
    }
  }

  const results = data.results.map((r) => new Result(r));
  const planar = results.every((r) => !r.drawing || r.drawing.planar);
  const start = Math.min(...results.map((r) => r.first)), end = Math.max(...results.map((r) => r.last));
  const span = end > start ? end - start : 1;

  // ---- state and settings

  const state = { t: start, playing: false, speed: 1, picked: null };
  const on = (id) => byId(id).checked;
  const speeds = [1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
  let dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const themes = {
    light: { bg: "#ffffff", ink: "#1b1f24", grey: "#8b949e", light: "#dfe5ec", blue: "#5b9be0", red: "#d1495b", green: "#4ba678", orange: "#e59a3c", purple: "#8f6bd0", brown: "#b08157", white: "#ffffff", grid: "#e9edf1", axis: "#c3ccd5", dim: "#667080", accent: "#2f6fb7" },
    dark: { bg: "#12161b", ink: "#e6edf3", grey: "#7d8894", light: "#2b333d", blue: "#4d8fd6", red: "#d8596a", green: "#459c70", orange: "#d98f35", purple: "#9a79da", brown: "#8f6743", white: "#12161b", grid: "#1f262e", axis: "#37424e", dim: "#93a0ad", accent: "#6cabf0" }
  };
  let theme = themes.light;
  const modes = ["#8b949e", "#2fa36b", "#e5484d"];
  const curves = ["#2f78c4", "#d9822b", "#2fa36b", "#c2467e", "#7b5cc4", "#8a7a3a"];
  const colour = (name, other) => {
    if (!name) return other;
    if (name === "none") return null;
    if (/^#[0-9a-fA-F]{6}$/.test(name)) return name;
    return Object.prototype.hasOwnProperty.call(themes.light, name) ? theme[name] : other;
  };

  function readable(x, digits = 5) {
    if (!Number.isFinite(x)) return "–"; // also null, which a file may have for a number that is none
    if (x === 0) return "0";
    const size = Math.abs(x);
    const short = Number(x.toPrecision(digits));
    return size >= 1e5 || size < 1e-3 ? short.toExponential() : String(short);
  }
  const tick = (step, x) => Number(x.toPrecision(10)) === 0 || Math.abs(x) < 1e-9 * step ? "0" : readable(Number(x.toPrecision(8)), 6);
  function niceStep(range, count) {
    const raw = range / count, power = Math.pow(10, Math.floor(Math.log10(raw)));
    const f = raw / power;
    return (f < 1.5 ? 1 : f < 3.5 ? 2 : f < 7.5 ? 5 : 10) * power;
  }

  // Fits the pixels of a canvas to its size on the screen; true: it changed.
  function fitCanvas(canvas) {
    const ratio = window.devicePixelRatio || 1;
    const w = Math.max(1, Math.round(canvas.clientWidth * ratio)), h = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width === w && canvas.height === h) return false;
    canvas.width = w;
    canvas.height = h;
    return true;
  }

  // ---- the planar view

  class PlaneView {
    constructor(list, box) {
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
      this.fit();
    }

    bounds() {
      const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
      const take = (p, r) => { for (let i = 0; i < 2; i++) if (isFinite(p[i])) { low[i] = Math.min(low[i], p[i] - r); high[i] = Math.max(high[i], p[i] + r); } };
      const still = [];
      for (const r of this.list) {
        const count = r.t.length, stride = Math.max(1, Math.floor(count / 150));
        for (let k = 0; k < count; k += stride) {
          r.seek(r.t[k]);
          for (const s of r.drawing.shapes) {
            if (!isMoving(s)) { if (k === 0) still.push([r, s]); continue; }
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
      for (const r of this.list) r.seek(state.t);
      this.followed = null;
      if (on("follow") && state.picked === null) this.fitMoving(w, h);
    }

    // Far smaller than its path: the mechanism fills half of the view, which follows it.
    isSmall() {
      const [low, high] = this.bounds(), r = this.list[0];
      r.seek(state.t);
      const box = this.movingBox(r), size = (a, b) => Math.max(b[0] - a[0], b[1] - a[1]);
      return box !== null && size(box[0], box[1]) > 0 && size(low, high) > 3.5 * size(box[0], box[1]) && this.list[0].drawing.shapes.filter(isMoving).length > 3;
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
      c.addEventListener("pointerdown", (e) => { c.setPointerCapture(e.pointerId); pointers.set(e.pointerId, place(e)); moved = pointers.size > 1 ? 100 : 0; gap = spread(pointers); });
      c.addEventListener("pointermove", (e) => {
        if (!pointers.has(e.pointerId)) return;
        const before = pointers.get(e.pointerId), now = place(e);
        pointers.set(e.pointerId, now);
        if (pointers.size === 1) {
          moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
          if (moved > 4) { this.centre[0] -= (now[0] - before[0]) / this.scale; this.centre[1] += (now[1] - before[1]) / this.scale; changed(); }
        } else {
          const [a, b] = [...pointers.values()], distance = spread(pointers);
          if (gap > 0) this.zoom(distance / gap, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
          gap = distance;
        }
      });
      const up = (e) => {
        if (pointers.has(e.pointerId) && pointers.size === 1 && moved <= 4) pick(this.hit(place(e)));
        pointers.delete(e.pointerId);
        gap = spread(pointers);
      };
      c.addEventListener("pointerup", up);
      c.addEventListener("pointercancel", (e) => { pointers.delete(e.pointerId); gap = spread(pointers); });
      c.addEventListener("wheel", (e) => { e.preventDefault(); this.zoom(Math.exp(-e.deltaY * 0.0015), place(e)); }, { passive: false });
      c.addEventListener("dblclick", () => { this.fit(); changed(); });
    }

    zoom(factor, at) {
      const before = this.toWorld(at);
      this.scale = Math.min(1e12, Math.max(1e-12, this.scale * factor));
      const after = this.toWorld(at);
      this.centre[0] += before[0] - after[0];
      this.centre[1] += before[1] - after[1];
      changed();
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
      fitCanvas(this.canvas);
      const ratio = window.devicePixelRatio || 1, pen = this.pen;
      this.w = this.canvas.width / ratio;
      this.h = this.canvas.height / ratio;
      if (on("follow")) this.follow(); else this.followed = null;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.fillStyle = theme.bg;
      pen.fillRect(0, 0, this.w, this.h);
      if (on("grid")) this.drawGrid();
      for (let k = this.list.length - 1; k >= 0; k--) {
        const r = this.list[k];
        r.seek(state.t);
        pen.globalAlpha = k > 0 ? 0.35 : 1;
        if (on("trails")) this.drawTrails(r);
        for (const s of r.drawing.shapes) this.drawShape(r, s);
        if (on("contacts")) for (const s of [...r.drawing.sites, ...r.touching()]) this.drawSite(r, s);
        pen.globalAlpha = 1;
      }
      this.drawScale();
    }

    // The middle of all moving points now, and their size.
    movingBox(r) {
      const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
      for (const s of r.drawing.shapes) {
        if (!isMoving(s)) continue;
        const radius = s.kind === "circle" ? Math.abs(r.value(s.radius)) || 0 : 0;
        for (const p of s.points) r.point(s.frame, p).forEach((x, i) => { if (isFinite(x)) { low[i] = Math.min(low[i], x - radius); high[i] = Math.max(high[i], x + radius); } });
      }
      return low[0] <= high[0] ? [low, high] : null;
    }
    movingCentre(r) { const box = this.movingBox(r); return box ? [(box[0][0] + box[1][0]) / 2, (box[0][1] + box[1][1]) / 2] : null; }

    follow() {
      const r = this.list[0];
      r.seek(state.t);
      const c = state.picked !== null ? centreOf(r, state.picked) : this.movingCentre(r);
      if (!c || !isFinite(c[0]) || !isFinite(c[1])) return;
      // once in the middle; then by as much as it moved, so that the view can be dragged and zoomed on the way
      const last = this.followed && this.followed.name === state.picked ? this.followed.at : null;
      this.centre = last ? [this.centre[0] + (c[0] - last[0]), this.centre[1] + (c[1] - last[1])] : [c[0], c[1]];
      this.followed = { name: state.picked, at: c };
    }

    drawGrid() {
      const pen = this.pen, step = niceStep(90 / this.scale, 1), a = this.toWorld([0, this.h]), b = this.toWorld([this.w, 0]);
      pen.lineWidth = 1;
      pen.font = "11px system-ui, sans-serif";
      pen.fillStyle = theme.dim;
      for (let axis = 0; axis < 2; axis++)
        for (let k = Math.ceil(a[axis] / step); k * step <= b[axis] && k < Math.ceil(a[axis] / step) + 200; k++) {
          const p = this.toScreen(axis === 0 ? [k * step, 0] : [0, k * step]);
          pen.strokeStyle = k === 0 ? theme.axis : theme.grid;
          pen.beginPath();
          if (axis === 0) { pen.moveTo(p[0], 0); pen.lineTo(p[0], this.h); pen.fillText(tick(step, k * step), p[0] + 3, this.h - 5); }
          else { pen.moveTo(0, p[1]); pen.lineTo(this.w, p[1]); if (p[1] > 36) pen.fillText(tick(step, k * step), 3, p[1] - 3); }
          pen.stroke();
        }
    }

    drawScale() {
      const pen = this.pen, length = niceStep(110 / this.scale, 1), w = length * this.scale, x = this.w - w - 16, y = this.h - 22;
      pen.strokeStyle = pen.fillStyle = theme.ink;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(x, y - 4); pen.lineTo(x, y); pen.lineTo(x + w, y); pen.lineTo(x + w, y - 4);
      pen.stroke();
      pen.font = "12px system-ui, sans-serif";
      pen.textAlign = "center";
      pen.save(); // readable on any shape
      pen.strokeStyle = theme.bg;
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
      const picked = state.picked !== null && s.name === state.picked;
      const line = colour(s.line, theme.ink), fill = colour(s.fill, null);
      pen.lineWidth = outline(s, points, Math.abs(r.value(s.radius)) * this.scale) + (picked ? 2 : 0);
      pen.strokeStyle = picked ? theme.accent : line || "transparent";
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
        case "arrow": this.arrow(points[0], points[1], line || theme.ink, pen.lineWidth); break;
        case "text":
          pen.fillStyle = line || theme.ink;
          pen.font = "14px system-ui, sans-serif";
          pen.textAlign = "center";
          pen.textBaseline = "middle";
          pen.fillText(s.text, points[0][0], points[0][1]);
          pen.textAlign = "left";
          pen.textBaseline = "alphabetic";
          break;
        case "ground": this.hatch(points, line || theme.ink); break;
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
      const mode = s.now ? s.now.mode : Math.min(2, Math.max(0, Math.round(r.ofStep(s.mode)) || 0)), ink = modes[mode];
      const normal = s.normal ? s.normal.map((c) => r.value(c)) : null;
      if (on("cones") && normal && s.mu > 0 && mode > 0) {
        const angle = Math.atan(s.mu), base = Math.atan2(-normal[1], normal[0]), length = 60;
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
          const length = forceLength(size / r.force) * r.arrow * Math.min(this.w, this.h);
          this.arrow(p, [p[0] + length * f[0] / size, p[1] - length * f[1] / size], ink, r.arrow < 0.1 ? 1.5 : 2.5);
        }
      }
      pen.beginPath();
      pen.arc(p[0], p[1], mode > 0 ? 4.5 : 3, 0, 2 * Math.PI);
      pen.lineWidth = 1.5;
      pen.strokeStyle = pen.fillStyle = ink;
      if (mode > 0) pen.fill(); else pen.stroke();
      const flash = flashOf(r, s.index);
      if (flash > 0) {
        pen.save();
        pen.globalAlpha *= flash;
        pen.strokeStyle = modes[2];
        pen.lineWidth = 3;
        pen.beginPath();
        pen.arc(p[0], p[1], 8 + 22 * (1 - flash), 0, 2 * Math.PI);
        pen.stroke();
        pen.restore();
      }
    }

    // The paths of the centres of all moving objects, or of the selected one.
    drawTrails(r) {
      const pen = this.pen, names = state.picked !== null ? [state.picked] : r.objects;
      names.slice(0, 40).forEach((name, k) => {
        pen.strokeStyle = curves[k % curves.length];
        pen.lineWidth = 1;
        this.path(trailOf(r, name).map((c) => this.toScreen(c)), false);
        pen.stroke();
      });
    }
  }

  // ---- shared by the views

  // The width of its line; small shapes have thin ones, so that their colours are seen, unless it is meant to be wide.
  function outline(s, points, radius) {
    const width = s.width || 1.4, wide = (i) => Math.max(...points.map((p) => p[i])) - Math.min(...points.map((p) => p[i]));
    let size = Infinity;
    if (width > 1.5) return width;
    if (s.kind === "circle" || s.kind === "sphere") size = 2 * radius;
    else if (s.kind === "polygon" && points.length < 20) size = Math.min(wide(0), wide(1));
    else if (s.kind === "line" && s.frame > 0 && points.length === 2) size = Math.hypot(wide(0), wide(1));
    return isFinite(size) ? Math.min(width, Math.max(0.1, 0.12 * size)) : width;
  }
  // The distance of the first two fingers; 0: there are not two.
  function spread(pointers) {
    const [a, b] = [...pointers.values()];
    return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
  }
  function isMoving(s) { return s.frame > 0 || s.points.some((p) => p.some((c) => typeof c !== "number")); }

  function metres(x) {
    const units = [[1, "m"], [1e-2, "cm"], [1e-3, "mm"], [1e-6, "µm"]];
    for (const [size, name] of units) if (x >= size * 0.999) return readable(Number((x / size).toPrecision(3))) + " " + name;
    return readable(x, 3) + " m";
  }
  function inside(at, polygon) {
    let odd = false;
    for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
      const [a, b] = [polygon[i], polygon[j]];
      if ((a[1] > at[1]) !== (b[1] > at[1]) && at[0] < (b[0] - a[0]) * (at[1] - a[1]) / (b[1] - a[1]) + a[0]) odd = !odd;
    }
    return odd;
  }
  function distance(p, a, b) {
    const d = [b[0] - a[0], b[1] - a[1]], square = d[0] * d[0] + d[1] * d[1];
    const f = square > 0 ? Math.min(1, Math.max(0, ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / square)) : 0;
    return Math.hypot(p[0] - a[0] - f * d[0], p[1] - a[1] - f * d[1]);
  }
  // A zigzag between two points.
  function coil(a, b, radius, turns = 8) {
    const d = b.map((x, i) => x - a[i]), length = Math.hypot(...d) || 1;
    const u = d.map((x) => x / length), n = [-u[1], u[0]], points = [a];
    for (let k = 0; k <= 2 * turns; k++) {
      const f = 0.15 + 0.7 * k / (2 * turns), side = k === 0 || k === 2 * turns ? 0 : k % 2 ? 1 : -1;
      points.push(a.map((x, i) => x + f * d[i] + (i < 2 ? side * radius * n[i] : 0)));
    }
    points.push(b);
    return points;
  }
  // The places of an object so far. They are computed once, at the rows of the columns.
  function trailOf(r, name) {
    if (!r.trails) r.trails = new Map();
    if (!r.trails.has(name)) {
      const now = r.at, trail = [], stride = Math.max(1, Math.floor(r.t.length / 3000));
      for (let i = 0; i < r.t.length; i += stride) { r.seek(r.t[i]); const c = centreOf(r, name); if (c && c.every(isFinite)) trail.push([i, c]); }
      r.trails.set(name, trail);
      r.seek(now);
    }
    const so = r.trails.get(name), end = so.findIndex(([i]) => i > r.i), points = (end < 0 ? so : so.slice(0, end)).map(([, c]) => c), c = centreOf(r, name);
    if (c && c.every(isFinite)) points.push(c);
    return points;
  }
  // The mean of the points of an object.
  function centreOf(r, name) {
    let sum = null, count = 0;
    for (const s of r.shapesOf.get(name) || []) {
      if (s.frame > 0) { const pose = r.pose(s.frame); if (pose) return pose.slice(0, r.drawing.planar ? 2 : 3); }
      for (const p of s.points) {
        const q = r.point(s.frame, p);
        sum = sum ? sum.map((x, i) => x + q[i]) : q;
        count++;
      }
    }
    return sum ? sum.map((x) => x / count) : null;
  }
  // Forces far above the usual one, of impacts, grow with their logarithm.
  const forceLength = (f) => (f <= 1 ? f : 1 + 0.35 * Math.log(f));
  // 1 at an impact of the law, 0 a moment later.
  function flashOf(r, law) {
    const after = 0.35 * Math.max(rate(), 1e-9);
    for (let k = lowerBound(r.events, state.t - after); k < r.events.length && r.events[k][0] <= state.t; k++)
      if (r.events[k][1] === law && r.events[k][4]) return 1 - (state.t - r.events[k][0]) / after;
    return 0;
  }
  function lowerBound(events, t, time = (e) => e[0]) {
    let low = 0, high = events.length;
    while (low < high) { const middle = (low + high) >> 1; if (time(events[middle]) < t) low = middle + 1; else high = middle; }
    return low;
  }

  // ---- plots

  class Plot {
    constructor(x, y, box) {
      this.x = x;
      this.y = y;
      this.canvas = document.createElement("canvas");
      this.canvas.setAttribute("role", "img");
      this.canvas.setAttribute("aria-label", "plot of " + y.join(", ") + " over " + x);
      box.className = "plot";
      const close = document.createElement("button");
      close.textContent = "×";
      close.setAttribute("aria-label", "remove the plot");
      close.addEventListener("click", () => { box.remove(); plots.splice(plots.indexOf(this), 1); changed(); });
      box.append(this.canvas, close);
      this.canvas.addEventListener("pointerdown", (e) => { this.canvas.setPointerCapture(e.pointerId); this.seek(e); });
      this.canvas.addEventListener("pointermove", (e) => { if (e.buttons) this.seek(e); });
      this.back = document.createElement("canvas");
    }

    seek(e) {
      if (this.x !== "t" || !this.area) return;
      const b = this.canvas.getBoundingClientRect();
      goTo(this.low[0] + (e.clientX - b.left - this.area[0]) / this.area[2] * (this.high[0] - this.low[0]));
    }

    series() {
      const list = [];
      results.forEach((r, i) => this.y.forEach((name, k) => {
        const x = r.column.get(this.x), y = r.column.get(name);
        if (x && y) list.push({ r, x: x.list, y: y.list, ink: curves[k % curves.length], dashed: i > 0, label: y.label, unit: y.unit });
      }));
      return list;
    }

    range(list) {
      this.low = [Infinity, Infinity];
      this.high = [-Infinity, -Infinity];
      for (const s of list)
        [s.x, s.y].forEach((values, i) => { for (const v of values) if (isFinite(v)) { if (v < this.low[i]) this.low[i] = v; if (v > this.high[i]) this.high[i] = v; } });
      for (let i = 0; i < 2; i++) {
        if (!(this.low[i] <= this.high[i])) { this.low[i] = 0; this.high[i] = 1; }
        if (this.low[i] === this.high[i]) { this.low[i] -= 0.5; this.high[i] += 0.5; }
        const pad = i === 1 || this.x !== "t" ? 0.05 * (this.high[i] - this.low[i]) : 0;
        this.low[i] -= pad; this.high[i] += pad;
      }
    }

    place(x, y) {
      const [left, top, w, h] = this.area;
      return [left + (x - this.low[0]) / (this.high[0] - this.low[0]) * w, top + h - (y - this.low[1]) / (this.high[1] - this.low[1]) * h];
    }

    drawBack(list, w, h, ratio) {
      this.back.width = this.canvas.width;
      this.back.height = this.canvas.height;
      const pen = this.back.getContext("2d");
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, w, h);
      this.range(list);
      this.area = [56, 22, w - 68, h - 54];
      pen.font = "11px system-ui, sans-serif";
      pen.lineWidth = 1;
      for (let axis = 0; axis < 2; axis++) {
        const step = niceStep(this.high[axis] - this.low[axis], axis === 0 ? 5 : 4);
        for (let k = Math.ceil(this.low[axis] / step - 1e-9); k * step <= this.high[axis] + 1e-9 * step; k++) {
          const p = axis === 0 ? this.place(k * step, this.low[1]) : this.place(this.low[0], k * step);
          pen.strokeStyle = theme.grid;
          pen.fillStyle = theme.dim;
          pen.beginPath();
          if (axis === 0) { pen.moveTo(p[0], this.area[1]); pen.lineTo(p[0], p[1]); pen.textAlign = "center"; pen.fillText(tick(step, k * step), p[0], p[1] + 13); }
          else { pen.moveTo(p[0], p[1]); pen.lineTo(this.area[0] + this.area[2], p[1]); pen.textAlign = "right"; pen.fillText(tick(step, k * step), p[0] - 4, p[1] + 4); }
          pen.stroke();
        }
      }
      pen.textAlign = "left";
      let x = this.area[0];
      this.y.forEach((name, k) => {
        const s = list.find((one) => one.label !== undefined && one.r.column.get(name) && one.y === one.r.column.get(name).list);
        if (!s) return;
        const label = s.label + (s.unit ? ", " + s.unit : "");
        pen.fillStyle = curves[k % curves.length];
        pen.fillText(label, x, 14);
        x += pen.measureText(label).width + 14;
      });
      const column = results.map((r) => r.column.get(this.x)).find((c) => c);
      pen.fillStyle = theme.dim;
      pen.textAlign = "right";
      if (column) pen.fillText(column.label + (column.unit ? ", " + column.unit : ""), this.area[0] + this.area[2], h - 4);
      pen.save();
      pen.beginPath();
      pen.rect(...this.area);
      pen.clip();
      for (const s of list) {
        pen.strokeStyle = s.ink;
        pen.lineWidth = 1.3;
        pen.globalAlpha = s.dashed ? 0.6 : 1;
        pen.setLineDash(s.dashed ? [5, 3] : []);
        pen.beginPath();
        let open = false;
        for (let k = 0; k < s.x.length; k++) {
          const p = this.place(s.x[k], s.y[k]);
          if (!isFinite(p[0]) || !isFinite(p[1])) { open = false; continue; }
          if (open) pen.lineTo(p[0], p[1]); else pen.moveTo(p[0], p[1]);
          open = true;
        }
        pen.stroke();
      }
      pen.restore();
    }

    draw() {
      const ratio = window.devicePixelRatio || 1, resized = fitCanvas(this.canvas);
      const w = this.canvas.width / ratio, h = this.canvas.height / ratio, list = this.series();
      if (resized || this.seen !== theme) { this.drawBack(list, w, h, ratio); this.seen = theme; }
      const pen = this.canvas.getContext("2d");
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.fillStyle = theme.bg;
      pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
      pen.drawImage(this.back, 0, 0);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (this.x === "t") {
        const p = this.place(state.t, this.low[1]);
        pen.strokeStyle = theme.accent;
        pen.lineWidth = 1;
        pen.beginPath();
        pen.moveTo(p[0], this.area[1]);
        pen.lineTo(p[0], p[1]);
        pen.stroke();
      }
      for (const s of list) {
        const p = this.place(s.r.mix(s.x), s.r.mix(s.y));
        if (!isFinite(p[0]) || !isFinite(p[1])) continue;
        pen.fillStyle = s.ink;
        pen.beginPath();
        pen.arc(p[0], p[1], 3.5, 0, 2 * Math.PI);
        pen.fill();
      }
    }
  }

  // ---- time

  const plots = [], views = [];
  let dirty = true, lastFrame = 0, frames = 0;
  function changed() { dirty = true; }

  function goTo(t) {
    state.t = Math.min(end, Math.max(start, isFinite(t) ? t : start));
    results.forEach((r) => r.seek(state.t));
    changed();
  }
  function setPlaying(playing) {
    state.playing = playing;
    if (playing && state.t >= end) goTo(start);
    byId("play").textContent = playing ? "❚❚" : "▶";
    lastFrame = 0;
    changed();
  }
  // Seconds of the run per second on the screen.
  function rate() {
    let speed = state.speed;
    if (on("slow")) {
      const window = 0.25 * state.speed, impacts = results[0].impacts, next = lowerBound(impacts, state.t, (t) => t);
      const before = next < impacts.length ? (impacts[next] - state.t) / window : Infinity;
      const after = next > 0 ? (state.t - impacts[next - 1]) / (0.5 * window) : Infinity, near = Math.min(before, after);
      if (near < 1) speed *= 0.12 + 0.88 * near * near;
    }
    return speed;
  }
  function nextEvent(direction) {
    const times = results[0].times, eps = 1e-12 * (Math.abs(state.t) + span);
    let found = null;
    if (direction > 0) found = times.find((t) => t > state.t + eps);
    else for (const t of times) if (t < state.t - eps) found = t;
    if (found !== null && found !== undefined) { setPlaying(false); goTo(found); }
  }
  function nextRow(direction, big) {
    const r = results[0];
    setPlaying(false);
    if (big) return goTo(state.t + direction * span / 20);
    if (direction > 0) return goTo(r.t[Math.min(r.t.length - 1, r.i + 1)]);
    goTo(r.w > 0 ? r.t[r.i] : r.t[Math.max(0, r.i - 1)]);
  }
  function changeSpeed(direction) {
    const at = Math.min(speeds.length - 1, Math.max(0, speeds.indexOf(state.speed) + direction));
    state.speed = speeds[at];
    byId("speed").value = String(state.speed);
  }

  // ---- panels

  function pick(name) { state.picked = name === state.picked ? null : name; showPicked(); changed(); }

  function showPicked() {
    byId("picked-name").textContent = state.picked === null ? "Select an object in the scene" : state.picked;
    const table = byId("picked");
    table.textContent = "";
    state.cells = [];
    if (state.picked === null) return;
    const r = results[0], names = new Set();
    (r.drawing ? r.drawing.shapes : []).forEach((s, k) => { if (s.name === state.picked && r.drawing.uses[k]) r.drawing.uses[k].forEach((n) => names.add(n)); });
    const coordinates = r.columns.filter((c) => c.kind === 1), velocities = r.columns.filter((c) => c.kind === 2);
    const shown = r.columns.filter((c) => names.has(c.name) && c.name !== "t");
    // the velocity of a coordinate has the same place among the velocities, unless kinematics is general
    if (coordinates.length === velocities.length) coordinates.forEach((c, k) => { if (names.has(c.name) && !names.has(velocities[k].name)) shown.push(velocities[k]); });
    else velocities.forEach((c) => { const end = state.picked; if (c.name.endsWith("_" + end)) shown.push(c); });
    const add = (name, label, unit, value) => {
      const row = table.insertRow(), cell = row.insertCell();
      cell.textContent = name;
      cell.title = label;
      state.cells.push([value, row.insertCell()]);
      row.insertCell().textContent = unit;
    };
    for (const c of shown.slice(0, 40)) add(c.name, c.label, c.unit, () => r.mix(c.list));
    const body = (r.shapesOf ? r.shapesOf.get(state.picked) || [] : []).find((s) => s.frame > 0);
    if (shown.length > 0 || !body) return;
    // the columns of the body are left out: its motion between rows of the page
    const first = r.drawing.frames[body.frame].pose, flat = r.drawing.planar;
    ["x", "y", "z"].slice(0, flat ? 2 : 3).forEach((axis, k) => add(axis, "position", "m", () => r.track(first + k)));
    if (flat) add("angle", "angle", "rad", () => r.track(first + 2));
    ["x", "y", "z"].slice(0, flat ? 2 : 3).forEach((axis, k) => add("v" + axis, "mean velocity between rows of the page", "m/s", () => r.rate(first + k)));
    if (flat) add("omega", "mean angular velocity between rows of the page", "rad/s", () => r.rate(first + 2));
  }

  function showState() {
    const r = results[0];
    byId("clock").textContent = "t = " + state.t.toPrecision(6) + " s";
    byId("scrub").value = String((state.t - start) / span);
    for (const [value, cell] of state.cells || []) cell.textContent = readable(value());
    let k = lowerBound(r.events, state.t + 1e-12 * span);
    const text = [];
    if (k > 0) {
      const e = r.events[k - 1], words = ["open", "stick", "slip"];
      text.push("last event: t = " + readable(e[0], 6) + " s, " + (r.laws[e[1]] || "") + ": " + words[e[2]] + " → " + words[e[3]] + (e[4] ? ", impact" : ""));
    }
    byId("event").textContent = text.join("");
  }

  function drawEnergy() {
    const r = results[0], kin = r.column.get("E.kin"), pot = r.column.get("E.pot"), canvas = byId("energy").firstChild;
    if (!kin || !pot) { byId("energy").hidden = true; return; }
    if (!r.energy) {
      let low = Infinity, high = -Infinity, most = 0;
      for (let k = 0; k < kin.list.length; k++) {
        if (!isFinite(kin.list[k]) || !isFinite(pot.list[k])) continue;
        low = Math.min(low, pot.list[k]);
        high = Math.max(high, pot.list[k] + kin.list[k]);
        most = Math.max(most, kin.list[k]);
      }
      r.energy = { low: isFinite(low) ? low : 0, high: isFinite(high) ? high : 1 };
    }
    fitCanvas(canvas);
    const ratio = window.devicePixelRatio || 1, pen = canvas.getContext("2d"), w = canvas.width / ratio;
    const { low, high } = r.energy, range = high - low || 1, x = (e) => Math.max(0, Math.min(1, (e - low) / range)) * w;
    const k = r.mix(kin.list), p = r.mix(pot.list);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, 64);
    pen.fillStyle = theme.light;
    pen.fillRect(0, 20, w, 18);
    if (isFinite(k) && isFinite(p)) {
      pen.fillStyle = theme.blue;
      pen.fillRect(0, 20, x(p), 18);
      pen.fillStyle = theme.orange;
      pen.fillRect(x(p), 20, x(p + k) - x(p), 18);
    }
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = theme.ink;
    pen.fillText("energy " + readable(k + p, 4) + " J", 0, 13);
    pen.fillStyle = theme.blue;
    pen.fillText("potential " + readable(p, 4), 0, 54);
    pen.fillStyle = theme.orange;
    pen.textAlign = "right";
    pen.fillText("kinetic " + readable(k, 4), w, 54);
    pen.textAlign = "left";
  }

  function drawTicks() {
    const canvas = byId("ticks");
    if (!fitCanvas(canvas) && state.ticks === theme) return;
    state.ticks = theme;
    const pen = canvas.getContext("2d"), w = canvas.width, h = canvas.height;
    pen.clearRect(0, 0, w, h);
    const r = results[0], ratio = window.devicePixelRatio || 1, pad = 8 * ratio;
    for (const e of r.events) {
      pen.fillStyle = e[4] ? theme.red : theme.grey;
      pen.globalAlpha = 0.7;
      pen.fillRect(pad + (e[0] - start) / span * (w - 2 * pad), h * 0.68, ratio, h * 0.3);
    }
    pen.globalAlpha = 1;
  }

  function drawAll() {
    views.forEach((v) => v.draw());
    results.forEach((r) => r.seek(state.t));
    plots.forEach((p) => p.draw());
    drawEnergy();
    drawTicks();
    showState();
  }

  // Seconds on the screen go by.
  function advance(seconds) {
    let t = state.t + seconds * rate();
    if (t >= end) { if (on("loop")) t = start; else { t = end; setPlaying(false); } }
    goTo(t);
  }
  function frame(now) {
    if (state.playing) {
      if (lastFrame) advance(Math.min(0.1, (now - lastFrame) / 1000));
      lastFrame = now;
    }
    if (dirty) { dirty = false; drawAll(); frames++; }
    requestAnimationFrame(frame);
  }

  // ---- set-up

  function makeViews() {
    const stage = byId("stage"), drawn = results.filter((r) => r.drawing);
    stage.textContent = "";
    views.forEach((v) => v.dispose && v.dispose());
    views.length = 0;
    const groups = on("ghost") ? [drawn.filter((r) => r.drawing.planar), drawn.filter((r) => !r.drawing.planar)] : drawn.map((r) => [r]);
    for (const list of groups) {
      if (list.length === 0) continue;
      const box = document.createElement("div"), tag = document.createElement("div");
      box.className = "view";
      tag.className = "tag";
      tag.textContent = list.map((r) => r.file).join(" over ");
      stage.appendChild(box);
      views.push(list.every((r) => r.drawing.planar) ? new PlaneView(list, box) : new window.PicusSpaceView(list, box, tools));
      box.appendChild(tag);
    }
    if (drawn.length === 0) {
      const note = document.createElement("p");
      note.textContent = "This result has no drawing. Add shapes to the model with draw, and run it again.";
      stage.style.height = stage.style.minHeight = "auto";
      stage.appendChild(note);
    }
    changed();
  }

  function addPlot(x, y) {
    const box = document.createElement("div");
    byId("plots").appendChild(box);
    plots.push(new Plot(x, y, box));
    changed();
  }

  function setTheme() {
    theme = dark ? themes.dark : themes.light;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    views.forEach((v) => v.retheme && v.retheme());
    changed();
  }

  function notes() {
    return results.map((r) => {
      let text = r.file + ": " + r.kept + " of " + r.rows + " rows";
      if (r.drawing && r.drawing.apart) text += " for plots and contacts; each moving object has its own rows, " + r.knots + " in all";
      if (r.drawing) {
        text += "; between them drawn points are within " + metres(r.drawing.tolerance) + " of the result, plots of " + (r.drawing.apart ? "energies and observed values" : "smooth columns") + " within " + readable(100 * r.drawing.relative, 2) + " % of their range";
        text += r.drawing.eventsKept ? "; objects are exact at all switching points" : "; there are too many switching points for objects to be exact at each";
        if (r.touch) text += "; " + r.touch[0].length + " of " + r.touchAll + " detected contacts are shown" + (r.touchRows.length < r.t.length ? ", at " + r.touchRows.length + " times" : "") + (r.touch[0].length < r.touchAll ? ", those with the largest forces" : "");
        if (r.bits === 16) text += "; values of plots are rounded to 1/65534 of their range";
      }
      text += "; percussions and modes belong to single rows of the result, and are shown at these rows only";
      if (r.columnsLeftOut > 0) text += "; " + r.columnsLeftOut + " columns are left out";
      if (r.status !== "done") text += "; the run is not complete (" + r.status + ")";
      return text + ".";
    }).join(" ");
  }

  const tools = { state, on, colour, forceLength, flashOf, centreOf, spread, trailOf, coil, metres, modes, curves, changed, pick, theme: () => theme, dark: () => dark };

  function begin() {
    const first = results[0];
    document.title = (first.model || first.file) + " – Picus";
    byId("title").textContent = first.model || first.file;
    byId("description").textContent = first.description + (first.scheme ? " · " + first.scheme : "");
    byId("notes").textContent = notes();
    if (results.length > 1) byId("ghost-label").hidden = false;
    const wanted = span / 8;
    state.speed = speeds.reduce((a, b) => (Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a));
    if (span >= 2 && span <= 20) state.speed = 1;
    for (const s of speeds) {
      const option = document.createElement("option");
      option.value = String(s);
      option.textContent = s + " ×";
      byId("speed").appendChild(option);
    }
    byId("speed").value = String(state.speed);
    if (first.drawing && (first.drawing.sites.length || first.touch)) byId("force-scale").textContent = "· usual force " + readable(first.force, 3) + " N";
    for (const c of first.columns) {
      if (c.name === "t") continue;
      const option = document.createElement("option");
      option.value = option.textContent = c.name;
      byId("add").appendChild(option);
    }
    setTheme();
    makeViews();
    if (views.length > 0 && views[0].isSmall && views[0].isSmall()) { byId("follow").checked = true; views.forEach((v) => v.fit()); }
    first.plots.slice(0, 4).forEach((p) => addPlot(p.x, p.y));
    if (first.plots.length === 0 && first.columns.length > 1) addPlot("t", [first.columns[1].name]);
    showPicked();
    goTo(start);
    requestAnimationFrame(frame);
  }

  byId("play").addEventListener("click", () => setPlaying(!state.playing));
  byId("next").addEventListener("click", () => nextEvent(1));
  byId("previous").addEventListener("click", () => nextEvent(-1));
  byId("scrub").addEventListener("input", (e) => { setPlaying(false); goTo(start + Number(e.target.value) * span); });
  byId("speed").addEventListener("change", (e) => { state.speed = Number(e.target.value); });
  byId("theme").addEventListener("click", () => { dark = !dark; setTheme(); });
  byId("fit").addEventListener("click", () => { byId("follow").checked = false; views.forEach((v) => v.fit()); changed(); });
  byId("ghost").addEventListener("change", makeViews);
  byId("add").addEventListener("change", (e) => { if (e.target.value) addPlot("t", [e.target.value]); e.target.value = ""; });
  for (const id of ["contacts", "cones", "trails", "grid", "follow", "slow", "loop"]) byId(id).addEventListener("change", changed);
  window.addEventListener("resize", changed);
  const toggle = (id) => { const box = byId(id); box.checked = !box.checked; box.dispatchEvent(new Event("change")); };
  const keys = {
    " ": () => setPlaying(!state.playing), n: () => nextEvent(1), p: () => nextEvent(-1), "+": () => changeSpeed(1), "=": () => changeSpeed(1), "-": () => changeSpeed(-1),
    s: () => toggle("slow"), l: () => toggle("loop"), c: () => toggle("contacts"), k: () => toggle("cones"), t: () => toggle("trails"), g: () => toggle("grid"), f: () => toggle("follow"),
    o: () => { if (results.length > 1) toggle("ghost"); }, d: () => byId("theme").click(), 0: () => byId("fit").click(), Home: () => goTo(start), End: () => goTo(end)
  };
  window.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === "SELECT") return;
    if (e.key === "ArrowLeft" || e.key === "ArrowRight") { e.preventDefault(); nextRow(e.key === "ArrowRight" ? 1 : -1, e.shiftKey); return; }
    const action = keys[e.key] || keys[e.key.toLowerCase()];
    if (!action || (e.key === " " && e.target.tagName === "BUTTON")) return;
    e.preventDefault();
    action();
  });

  // For tests: the same functions that the controls call, and the points that are drawn.
  window.picus = {
    results: () => results.length, goTo, time: () => state.t, frames: () => frames, playing: () => state.playing,
    rows: (k) => Array.from(results[k].t),
    points: (k) => results[k].drawing.shapes.map((s) => s.points.map((p) => results[k].point(s.frame, p))),
    column: (k, name) => { const r = results[k], c = r.column.get(name); return c ? r.mix(c.list) : null; },
    tolerance: (k) => (results[k].drawing ? results[k].drawing.tolerance : null),
    objects: (k) => results[k].objects || [], pick, picked: () => state.picked, events: (k) => results[k].times,
    touching: (k) => results[k].touching(), view: (k) => views[k], plot: (k) => plots[k], draw: drawAll, rate,
    site: (k, law) => { const r = results[k], s = r.drawing.sites.find((one) => one.law === law); return { place: s.place.map((c) => r.value(c)), mode: r.ofStep(s.mode) }; },
    energies: (k) => results[k].energy, impacts: (k) => results[k].impacts, trail: (k, name) => trailOf(results[k], name), play: setPlaying, advance,
    // Milliseconds of one picture while the run plays, the least of so many: other programs may run meanwhile.
    cost: (count) => {
      const t = state.t;
      let cost = Infinity;
      for (let k = 0; k < count; k++) {
        const begin = performance.now();
        goTo(start + span * (k + 0.5) / count);
        drawAll();
        views.forEach((v) => v.finish && v.finish());
        cost = Math.min(cost, performance.now() - begin);
      }
      goTo(t);
      return cost;
    }
  };
  begin();
})();
