"use strict";
// The viewer. Texts of results reach the page through textContent and canvas only, never as markup.
(() => {
  const byId = (id) => document.getElementById(id), PERCUSSION = 5, MODE = 6; // kinds of columns
  const data = JSON.parse(byId("picus-data").textContent);
  const { themes, modes, modeOf, curves, colourIn, readable, fitCanvas, spread, metres, coil, centreOf, forceLength } = window.PicusDraw;

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
      const isJoint = (c) => this.column.has(c.name.replace(/mode$/, "P")); // of bilateral laws
      this.lawModes = this.columns.filter((c) => c.kind === MODE && !isJoint(c)).map((c) => ({ name: c.name.slice(0, c.name.lastIndexOf(".")), values: c.list }));
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
      this.touchModes = touch.modes.map(decode);
      touch.fields = touch.counts = null;
    }
    // Their row for the step that ends at the time or later.
    touchRow() {
      const wanted = this.w === 0 ? this.i : this.j;
      let row = 0, high = this.touchRows.length - 1;
      while (row < high) { const middle = (row + high) >> 1; if (this.touchRows[middle] < wanted) row = middle + 1; else high = middle; }
      return row;
    }
    // How many are open, stick and slip; touching() has those that the page shows, in the form of sites.
    touchingCounts() { return this.touch && this.touchRows.length ? this.touchModes.map((list) => list[this.touchRow()]) : [0, 0, 0]; }
    touching() {
      const list = [];
      if (!this.touch || !this.touchRows.length) return list;
      const row = this.touchRow(), v = this.touch;
      for (let k = this.touchFirst[row]; k < this.touchFirst[row + 1]; k++) {
        const three = (at) => [v[at][k], v[at + 1][k], v[at + 2][k]];
        list.push({ place: three(0), normal: three(3), mu: v[9][k], index: -1, now: { force: three(6), mode: modeOf(v[10][k]) } });
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

    isFixed(frame) { return frame === 0 || this.drawing.frames[frame].fixed; }

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
  let theme = themes.light;
  const colour = (name, other) => colourIn(theme)(name, other);

  // ---- shared by the views

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

  // The columns of a plot in all results; percussions of contacts as forces and, at impacts, as impulses.
  function seriesOf(x, names) {
    const list = [];
    results.forEach((r, result) => names.forEach((name, k) => {
      const a = r.column.get(x), c = r.column.get(name);
      if (!a || !c) return;
      const s = { n: c.list.length, from: 0, x: (i) => a.list[i], y: (i) => c.list[i], ink: curves[k % curves.length], dashed: result > 0, label: c.label, unit: c.unit, result, r, lists: [a.list, c.list] };
      const law = c.kind === PERCUSSION && x === "t" && r.rowTimes ? r.laws.indexOf(name.slice(0, name.lastIndexOf("."))) : -1;
      if (law < 0) list.push(s);
      else list.push(...window.PicusImpacts(s, (i) => r.rowTimes[i], r.events.filter((e) => e[1] === law && e[4]).map((e) => e[0])));
    }));
    return list;
  }
  function plotSource(x, names, box) {
    const list = seriesOf(x, names), column = results.map((r) => r.column.get(x)).find((c) => c), marks = results[0].events.map((e) => [e[0], e[4]]);
    return {
      overTime: x === "t", differs: results.length > 1 && x === "t", series: () => list, range: () => null, marks: () => marks, version: () => "", theme: () => theme, changed, seek: goTo, time: () => state.t,
      label: () => (column ? column.label + (column.unit ? ", " + column.unit : "") : ""), name: () => (results[0].model || "plot") + " " + names.join(" "),
      now: (s) => (s.apart ? null : s.lists.map((l) => s.r.mix(l))),
      remove: (plot) => { box.remove(); plots.splice(plots.indexOf(plot), 1); changed(); }
    };
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
    byId("picked-name").textContent = state.picked === null ? "Click on an object to see its state" : state.picked;
    const table = byId("picked");
    table.textContent = "";
    state.cells = [];
    byId("picked-name").hidden = state.picked === null && !results[0].drawing;
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
    showModes(r);
    showEvents(r);
  }

  // Modes of all contacts at this row, and the largest force.
  function showModes(r) {
    const drawn = r.drawing ? r.touching() : [], named = r.lawModes.map(({ name, values }) => [name, modeOf(r.ofStep(values))]);
    byId("contacts-title").hidden = named.length === 0 && !r.touch;
    window.PicusPanel.contacts(byId("modes"), byId("counts"), named, r.touchingCounts(), drawn.length, [...(r.drawing ? r.drawing.sites.map((s) => r.forceOf(s)) : []), ...drawn.map((s) => s.now.force)]);
  }
  // The last events and the next ones; a click goes there.
  function showEvents(r) {
    const next = lowerBound(r.events, state.t + 1e-12 * span), first = Math.max(0, next - 4), list = r.events.slice(first, next + 3), box = byId("events");
    byId("events-title").hidden = r.events.length === 0;
    const key = first + ":" + next;
    if (box.dataset.shown === key) return;
    box.dataset.shown = key;
    box.textContent = "";
    list.forEach((e, k) => {
      const button = document.createElement("button");
      button.textContent = window.PicusPanel.event(e, r.laws[e[1]]);
      button.className = first + k < next ? (first + k === next - 1 ? "last" : "gone") : "";
      button.addEventListener("click", () => { setPlaying(false); goTo(e[0]); });
      box.append(button);
    });
  }

  function drawEnergy() {
    const r = results[0], kin = r.column.get("E.kin"), pot = r.column.get("E.pot");
    byId("energy").hidden = byId("energy-title").hidden = !kin || !pot;
    if (!kin || !pot) return;
    if (!r.energy) {
      let low = Infinity, high = -Infinity;
      for (let k = 0; k < kin.list.length; k++) {
        if (!isFinite(kin.list[k]) || !isFinite(pot.list[k])) continue;
        low = Math.min(low, pot.list[k]);
        high = Math.max(high, pot.list[k] + kin.list[k]);
      }
      r.energy = { low: isFinite(low) ? low : 0, high: isFinite(high) ? high : 1 };
    }
    const k = r.mix(kin.list), p = r.mix(pot.list);
    window.PicusPanel.energy(byId("energy"), theme, { ...r.energy, parts: [[r.energy.low, p, theme.blue], [p, p + k, theme.orange]], values: [["potential", p, theme.blue], ["kinetic", k, theme.orange], ["sum", p + k, theme.dim]] });
  }

  function drawTicks() {
    const canvas = byId("ticks");
    if (!fitCanvas(canvas) && state.ticks === theme) return;
    state.ticks = theme;
    // how many events, and how many impacts among them, in each column of pixels: bars grow with the logarithm
    const pen = canvas.getContext("2d"), w = canvas.width, h = canvas.height, ratio = window.devicePixelRatio || 1, pad = 8 * ratio, bars = new Map();
    pen.clearRect(0, 0, w, h);
    for (const e of results[0].events) {
      const x = Math.round((pad + (e[0] - start) / span * (w - 2 * pad)) / ratio), bar = bars.get(x) || [0, 0];
      bar[0]++;
      if (e[4]) bar[1]++;
      bars.set(x, bar);
    }
    const most = Math.max(1, ...[...bars.values()].map((bar) => bar[0])), tall = 0.42 * h, height = (n) => (n === 0 ? 0 : tall * (0.35 + 0.65 * Math.log(n) / Math.log(Math.max(2, most))));
    for (const [x, [all, impacts]] of bars) {
      pen.fillStyle = theme.grey;
      pen.fillRect(x * ratio, h - height(all), ratio, height(all));
      pen.fillStyle = theme.red;
      pen.fillRect(x * ratio, h - height(impacts), ratio, height(impacts));
    }
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
      views.push(list.every((r) => r.drawing.planar) ? new window.PicusPlaneView(list, box, tools) : new window.PicusSpaceView(list, box, tools));
      box.appendChild(tag);
    }
    stage.hidden = byId("switches").hidden = drawn.length === 0;
    document.body.classList.toggle("undrawn", drawn.length === 0);
    changed();
  }

  function addPlot(x, y) {
    const box = document.createElement("div");
    byId("plots").appendChild(box);
    plots.push(new window.PicusPlot(box, plotSource(x, y, box)));
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

  const arrowScale = () => Math.pow(10, Number(byId("arrows").value));
  const tools = { state, on, colour, arrowScale, forceLength, flashOf, centreOf, spread, trailOf, coil, metres, modes, curves, changed, pick, theme: () => theme, dark: () => dark };

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
    if (first.drawing && !first.drawing.planar) byId("space-help").hidden = false;
    if (views.length > 0 && views[0].isSmall && views[0].isSmall()) { byId("follow").checked = true; views.forEach((v) => v.fit()); }
    first.plots.slice(0, 4).forEach((p) => addPlot(p.x, p.y));
    if (first.plots.length === 0 && first.columns.length > 1) addPlot("t", [first.columns[1].name]);
    const phase = first.plots.length < 4 ? window.PicusPhase(first.columns, first.plots) : null;
    if (phase) addPlot(phase.x, phase.y);
    showPicked();
    const asked = /^#t=([-+.0-9eE]+)$/.exec(location.hash); // an address can name a time
    goTo(asked ? Number(asked[1]) : start);
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
  byId("arrows").addEventListener("input", changed);
  window.addEventListener("resize", changed);
  const toggle = (id) => { const box = byId(id); box.checked = !box.checked; box.dispatchEvent(new Event("change")); };
  const help = () => { if (byId("help").open) byId("help").close(); else byId("help").showModal(); };
  byId("help-button").addEventListener("click", help);
  byId("help-close").addEventListener("click", help);
  const keys = {
    "?": help, " ": () => setPlaying(!state.playing), n: () => nextEvent(1), p: () => nextEvent(-1), "+": () => changeSpeed(1), "=": () => changeSpeed(1), "-": () => changeSpeed(-1),
    s: () => toggle("slow"), l: () => toggle("loop"), c: () => toggle("contacts"), k: () => toggle("cones"), t: () => toggle("trails"), g: () => toggle("grid"), f: () => toggle("follow"),
    o: () => { if (results.length > 1) toggle("ghost"); }, d: () => byId("theme").click(), 0: () => byId("fit").click(), Home: () => goTo(start), End: () => goTo(end)
  };
  window.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === "SELECT" || (byId("help").open && e.key !== "?")) return;
    if (e.key === "ArrowLeft" || e.key === "ArrowRight") { e.preventDefault(); nextRow(e.key === "ArrowRight" ? 1 : -1, e.shiftKey); return; }
    const action = keys[e.key] || keys[e.key.toLowerCase()] || (views[0] && views[0].keys && views[0].keys[e.key.toLowerCase()]);
    if (!action || (e.key === " " && e.target.tagName === "BUTTON")) return;
    e.preventDefault();
    action();
  });

  // For tests: the same functions that the controls call, and the points that are drawn.
  window.picus = {
    results: () => results.length, result: (k) => results[k], goTo, time: () => state.t, frames: () => frames, playing: () => state.playing,
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
