"use strict";
// The page of `picus live`: a simulation by the library itself (picus.js, web/live.c), drawn while it runs. Texts of models
// reach the page through textContent, values of inputs and canvas only.
(() => {
  const byId = (id) => document.getElementById(id);
  const PERCUSSION = 5; // a kind of columns
  const { themes, modes, modeOf, curves, colourIn, readable, fitCanvas, spread, isMoving, metres, coil, centreOf, forceLength } = window.PicusDraw;
  const data = JSON.parse(byId("picus-data").textContent);
  const make = (tag, text, name) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (name) e.className = name; return e; };
  const on = (id) => byId(id).checked;
  const state = { t: 0, picked: null, running: true, speed: 1 };
  let dark = matchMedia("(prefers-color-scheme: dark)").matches, theme = themes.light, dirty = true;
  const changed = () => { dirty = true; };
  const colour = (name, other) => colourIn(theme)(name, other);

  // ---- the library

  // One simulation in the memory of the module. Calls that fail leave their sentence in `error`, its line in `line`.
  class Engine {
    constructor(module) { this.m = module; this.self = module._live_create(); this.error = ""; this.line = 0; }
    text(s) {
      const n = this.m.lengthBytesUTF8(s) + 1, at = this.m._malloc(n);
      this.m.stringToUTF8(s, at, n);
      return at;
    }
    check(failed) {
      this.error = failed ? this.m.UTF8ToString(this.m._live_error(this.self)) || "the simulation failed" : "";
      this.line = failed ? this.m._live_error_line(this.self) : 0;
      return !failed;
    }
    load(model, settings, keeps) {
      const a = this.text(model), b = this.text(settings);
      const fine = this.check(this.m._live_load(this.self, a, b, keeps ? 1 : 0));
      this.m._free(a);
      this.m._free(b);
      return fine;
    }
    describe() { return JSON.parse(this.m.UTF8ToString(this.m._live_describe(this.self))); }
    run(t, steps) { return this.check(this.m._live_run(this.self, t, steps)); }
    time() { return this.m._live_time(this.self); }
    doubles(at, count) { return new Float64Array(this.m.HEAPF64.buffer, at, count); }
    // Rows and events since the last call; lists of numbers that must be used at once.
    take() {
      const columns = this.m._live_column_count(this.self), rows = this.m._live_row_count(this.self), events = this.m._live_event_count(this.self);
      return { columns, count: rows, rows: this.doubles(this.m._live_rows(this.self), rows * columns), events: this.doubles(this.m._live_events(this.self), 7 * events) };
    }
    taken() { return this.check(this.m._live_taken(this.self)); }
    lawName(law) { return this.m.UTF8ToString(this.m._live_law_name(this.self, law)); }
    drawing() { const at = this.m._live_drawing(this.self); return at ? Float64Array.from(this.doubles(at, this.m._live_step_count(this.self))) : null; }
    contacts() { return Float64Array.from(this.doubles(this.m._live_contacts(this.self), 11 * this.m._live_contact_count(this.self))); }
    balance(which) { return this.m._live_balance(this.self, which); }
    input(index, value) { return this.check(this.m._live_set_input(this.self, index, value)); }
    push(handle, numbers, stiffness, time) {
      const at = this.m._malloc(48);
      this.doubles(at, 6).set(numbers);
      this.check(this.m._live_push(this.self, handle, at, stiffness, time));
      this.m._free(at);
    }
    save() {
      const size = this.m._live_save(this.self, 0, 0), at = size > 0 ? this.m._malloc(size) : 0;
      if (!at) return null;
      const done = this.m._live_save(this.self, at, size), bytes = done === size ? this.m.HEAPU8.slice(at, at + size) : null;
      this.m._free(at);
      return bytes;
    }
    back(bytes) {
      const at = this.m._malloc(bytes.length);
      this.m.HEAPU8.set(bytes, at);
      const fine = this.check(this.m._live_back(this.self, at, bytes.length));
      this.m._free(at);
      return fine;
    }
  }

  // ---- the drawing at the present state, in the form that the views expect of a result

  class LiveScene {
    constructor(about) {
      this.about = about;
      this.drawing = about.drawing;
      this.t = [0];
      this.events = [];
      this.steps = null;
      this.force = 1;
      this.arrow = 0.2;
      this.contacts = [];
      if (!this.drawing) return;
      const d = this.drawing, laws = new Map(about.laws.map((l, k) => [l.name, k]));
      this.column = new Map(about.columns.map((c, k) => [c.name, k]));
      for (const s of d.sites) {
        const find = (end) => { const k = this.column.get(s.law + "." + end); return k === undefined ? -1 : k; };
        s.index = laws.has(s.law) ? laws.get(s.law) : -1;
        s.mu = s.index >= 0 ? about.laws[s.index].mu : 0;
        s.columns = [find("PN"), find("PF") >= 0 ? find("PF") : find("PF1"), find("PF2"), find("mode")];
        if (!s.tangent1 && s.normal && d.planar) s.tangent1 = [s.normal[1], { minus: s.normal[0] }];
        s.now = { mode: 0, force: [0, 0, 0] };
      }
      this.shapesOf = new Map();
      d.shapes.forEach((s, k) => { if (!s.name) s.name = d.frames[s.frame].name || ""; if (s.name) this.shapesOf.set(s.name, [...(this.shapesOf.get(s.name) || []), s]); s.number = k; });
      this.objects = [...this.shapesOf.keys()];
      this.points = [];
      for (const s of d.shapes) s.points.forEach((p, k) => { this.points[s.first + k] = [s.frame, p]; });
    }
    seek() {}
    get at() { return 0; }
    ofStep() { return 0; }
    touching() { return this.contacts; }
    value(c) {
      if (typeof c === "number") return c;
      if (c === null || c === undefined) return NaN;
      return Array.isArray(c) ? this.steps[c[0]] : -this.value(c.minus);
    }
    // x, y, angle; in space x, y, z and a quaternion
    pose(k) {
      if (k === 0) return null;
      const f = this.drawing.frames[k], at = f.position.map((c) => (c === null ? 0 : this.value(c))), R = f.rotation.map((c) => this.value(c));
      if (this.drawing.planar) return [at[0], at[1], Math.atan2(R[3], R[0])];
      const trace = R[0] + R[4] + R[8];
      let w, x, y, z;
      if (trace > 0) { const s = 2 * Math.sqrt(1 + trace); w = s / 4; x = (R[7] - R[5]) / s; y = (R[2] - R[6]) / s; z = (R[3] - R[1]) / s; }
      else if (R[0] > R[4] && R[0] > R[8]) { const s = 2 * Math.sqrt(1 + R[0] - R[4] - R[8]); w = (R[7] - R[5]) / s; x = s / 4; y = (R[1] + R[3]) / s; z = (R[2] + R[6]) / s; }
      else if (R[4] > R[8]) { const s = 2 * Math.sqrt(1 + R[4] - R[0] - R[8]); w = (R[2] - R[6]) / s; x = (R[1] + R[3]) / s; y = s / 4; z = (R[5] + R[7]) / s; }
      else { const s = 2 * Math.sqrt(1 + R[8] - R[0] - R[4]); w = (R[3] - R[1]) / s; x = (R[2] + R[6]) / s; y = (R[5] + R[7]) / s; z = s / 4; }
      return [...at, w, x, y, z];
    }
    isFixed(frame) { const f = this.drawing.frames[frame]; return frame === 0 || [...f.position, ...f.rotation].every((c) => c === null || typeof c === "number"); }
    // A point of a shape in the inertial frame.
    point(frame, p) {
      const v = p.map((c) => this.value(c));
      if (frame === 0) return v;
      const f = this.drawing.frames[frame], at = f.position.map((c) => (c === null ? 0 : this.value(c))), R = f.rotation.map((c) => this.value(c));
      if (this.drawing.planar) return [at[0] + R[0] * v[0] + R[1] * v[1], at[1] + R[3] * v[0] + R[4] * v[1]];
      return [0, 1, 2].map((i) => at[i] + R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2]);
    }
    forceOf(s) { return s.now.force; }
    // Values of the drawing and forces of contacts after a row; dt: since the row before.
    take(steps, row, contacts, dt) {
      this.steps = steps;
      const sizes = [];
      for (const s of this.drawing.sites) {
        const [n, f, g, m] = s.columns, force = [0, 0, 0];
        const add = (k, direction) => { if (k >= 0 && direction) direction.forEach((c, i) => { force[i] += row[k] / dt * this.value(c); }); };
        if (dt > 0) { add(n, s.normal); add(f, s.tangent1); add(g, s.tangent2); s.now.force = force; }
        s.now.mode = m >= 0 ? modeOf(row[m]) : 0;
        sizes.push(Math.hypot(...force));
      }
      if (dt > 0 || contacts.length === 0) {
        this.contacts = [];
        for (let k = 0; k + 11 <= contacts.length; k += 11) {
          const force = [6, 7, 8].map((i) => contacts[k + i] / dt);
          this.contacts.push({ place: Array.from(contacts.subarray(k, k + 3)), normal: Array.from(contacts.subarray(k + 3, k + 6)), mu: contacts[k + 9], index: -1, now: { force, mode: modeOf(contacts[k + 10]) } });
          sizes.push(Math.hypot(...force));
        }
      }
      const some = sizes.filter((x) => x > 0 && isFinite(x)).sort((a, b) => a - b), middle = some[some.length >> 1];
      if (middle) this.force = this.seenForce ? this.force * Math.pow(middle / this.force, 0.02) : middle;
      this.seenForce = this.seenForce || Boolean(middle);
      this.arrow = 0.2 * Math.min(1, Math.sqrt(12 / Math.max(12, sizes.length)));
    }
    // The size of what is drawn and moves, for the view in space.
    measure() {
      const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
      for (const s of this.drawing.shapes) {
        if (!isMoving(this, s)) continue;
        const r = Math.abs(this.value(s.radius)) || 0;
        for (const p of s.points) this.point(s.frame, p).forEach((x, i) => { if (isFinite(x)) { low[i] = Math.min(low[i], x - r); high[i] = Math.max(high[i], x + r); } });
      }
      this.drawing.size = Math.hypot(...high.map((x, i) => (x > low[i] ? x - low[i] : 0))) || 1;
    }
  }

  // ---- history: rows of the last while, for plots and CSV

  class History {
    constructor(columns) { this.columns = columns; this.most = Math.max(200, Math.min(20000, Math.floor(4e6 / columns))); this.clear(); }
    clear() { this.rows = []; this.events = []; }
    // name(law): that of the law of an event; the events have it in place 7
    add(rows, count, events, name) {
      for (let k = 0; k < count; k++) this.rows.push(rows.slice(k * this.columns, (k + 1) * this.columns));
      if (this.rows.length > 1.2 * this.most) this.rows.splice(0, this.rows.length - this.most);
      for (let k = 0; k + 7 <= events.length; k += 7) this.events.push([...events.subarray(k, k + 7), name(events[k + 1])]);
      if (this.events.length > 6000) this.events.splice(0, this.events.length - 5000);
    }
    cut(t) {
      while (this.rows.length && this.rows[this.rows.length - 1][0] > t) this.rows.pop();
      while (this.events.length && this.events[this.events.length - 1][0] > t) this.events.pop();
    }
  }

  class LivePlot {
    // section: null, or when there is a point: { impacts: law }, { rises: column } or { every: seconds }
    constructor(x, y, box, section) {
      Object.assign(this, { x, y, section: section || null, points: [] });
      this.picture = new window.PicusPlot(box, this);
    }
    // The points of a section [t, x, y] in new rows, the first of which follows the row `before`. An impact gives the state after it.
    collect(before, got) {
      const c = app.scene.column, x = c.get(this.x), y = c.get(this.y[0]), s = this.section, rows = [];
      if (x === undefined || y === undefined) return;
      for (let k = 0; k < got.count; k++) rows.push(got.rows.subarray(k * got.columns, (k + 1) * got.columns));
      const add = (a, b, part) => this.points.push([a[0] + part * (b[0] - a[0]), a[x] + part * (b[x] - a[x]), a[y] + part * (b[y] - a[y])]);
      for (let k = 0, a = before; k < rows.length; a = rows[k], k++) {
        const b = rows[k];
        if (!a || !(b[0] > a[0])) continue;
        if (s.rises !== undefined && a[s.rises] < 0 && b[s.rises] >= 0) add(a, b, a[s.rises] / (a[s.rises] - b[s.rises]));
        for (let n = Math.floor(a[0] / s.every) + 1; n * s.every <= b[0]; n++) add(a, b, (n * s.every - a[0]) / (b[0] - a[0]));
      }
      for (let k = 0; k + 7 <= got.events.length && s.impacts !== undefined; k += 7) {
        const row = got.events[k + 1] === s.impacts && got.events[k + 4] ? rows.find((r) => r[0] >= got.events[k]) : undefined;
        if (row) add(row, row, 0);
      }
      if (this.points.length > 20000) this.points.splice(0, 4000);
    }
    when() {
      const s = this.section;
      return s.impacts !== undefined ? "at impacts of " + app.about.laws[s.impacts].name : s.rises !== undefined ? "where " + app.about.columns[s.rises].name + " rises through 0" : "every " + readable(s.every, 4) + " s";
    }
    // ---- what PicusPlot asks for (plot.js)

    name() { return app.about.name + " " + this.y.join(" "); }
    get overTime() { return this.x === "t" && !this.section; }
    label() { return (this.x === "t" ? "time, s" : this.titleOf(this.x)) + (this.section ? ", " + this.when() : ""); }
    titleOf(name) { const c = app.about.columns[app.scene.column.get(name)]; return c ? (c.label || name) + (c.unit ? ", " + c.unit : "") : name; }
    series() {
      const at = (name) => app.scene.column.get(name), x = at(this.x), list = [];
      if (x === undefined || this.y.some((name) => at(name) === undefined)) return list;
      if (this.section) { const p = this.points; return [{ n: p.length, from: 0, x: (k) => p[k][1], y: (k) => p[k][2], dots: true, ink: curves[0], label: app.about.columns[at(this.y[0])].label || this.y[0], unit: app.about.columns[at(this.y[0])].unit }]; }
      const rows = app.history.rows, end = rows.length ? rows[rows.length - 1][0] : 0, from = Math.max(0, firstAfter(rows, end - app.window));
      this.y.forEach((name, i) => {
        const k = at(name), c = app.about.columns[k], s = { n: rows.length, from, x: (n) => rows[n][x], y: (n) => rows[n][k], ink: curves[i % curves.length], label: c.label || name, unit: c.unit };
        const law = c.kind === PERCUSSION && this.overTime ? app.about.laws.findIndex((l) => l.name === name.slice(0, name.lastIndexOf("."))) : -1;
        if (law < 0) list.push(s);
        else list.push(...window.PicusImpacts(s, (n) => (n > 0 ? rows[n][0] - rows[n - 1][0] : 0), app.history.events.filter((e) => e[1] === law && e[4] && e[0] >= end - app.window).map((e) => e[0])));
      });
      return list;
    }
    range() {
      const rows = app.history.rows;
      if (!this.overTime || !rows.length) return null;
      const low = Math.max(rows[rows.length - 1][0] - app.window, rows[0][0]);
      return [low, low + app.window];
    }
    now(s) { return s.n > s.from && !s.apart ? [s.x(s.n - 1), s.y(s.n - 1)] : null; }
    time() { return null; }
    marks() { return app.history.events.slice(-2000).map((e) => [e[0], Boolean(e[4])]); }
    version() { return state.t + " " + (this.section ? this.points.length : app.history.rows.length); }
    theme() { return theme; }
    changed() { changed(); }
    remove() { app.plots.splice(app.plots.indexOf(this), 1); }
    draw() { this.picture.draw(); }
  }
  // The first row at a time or later.
  function firstAfter(rows, t) {
    let low = 0, high = rows.length;
    while (low < high) { const middle = (low + high) >> 1; if (rows[middle][0] < t) low = middle + 1; else high = middle; }
    return low;
  }

  // ---- the page

  const app = {
    engine: null, checker: null, about: null, scene: null, history: null, view: null, plots: [], snapshots: [], original: "", text: "", values: {}, options: {}, inputs: {},
    window: 2, pull: null, base: { dissipated: 0, work: 0 }, fault: "", slow: 1, chunk: 1 /* steps of one call of the library */, lastRow: null, frames: 0
  };
  const tools = {
    state, on, colour, arrowScale: () => Math.pow(10, Number(byId("arrows").value)), forceLength, centreOf, spread, coil, metres, modes, curves, changed, pick: (name) => { state.picked = name === state.picked ? null : name; changed(); }, theme: () => theme, dark: () => dark,
    flashOf: (r, law) => {
      const after = 0.35 * Math.max(state.speed, 1e-9), list = app.history.events;
      for (let k = list.length - 1; k >= 0 && list[k][0] > state.t - after; k--) if (list[k][1] === law && list[k][4]) return 1 - (state.t - list[k][0]) / after;
      return 0;
    },
    trailOf: (r, name) => app.trails.get(name) || [],
    grab: {
      start: (view, name, at) => startPull(view, name, at),
      end: () => { app.pull = null; if (app.engine) app.engine.push(0, [0, 0, 0, 0, 0, 0], 0, 0); changed(); },
      line: () => (app.pull ? [pullPlace(), app.pull.target] : null)
    }
  };

  // Numbers that a link or a text may bring are settings of the library, which checks them.
  function settings() {
    const lines = [];
    for (const [name, value] of Object.entries(app.values)) lines.push("p " + name + " " + value);
    for (const [name, value] of Object.entries(app.options)) lines.push((typeof value === "number" ? "o " : "w ") + name + " " + value);
    return lines.filter((l) => !/[\n\r]/.test(l)).join("\n");
  }

  // Loads the present text; keeps: the motion goes on from the present state.
  function load(keeps) {
    const before = app.about ? { dissipated: balance(0), work: balance(1) } : null;
    if (!app.engine.load(app.text, settings(), keeps)) { fault(app.engine.error); return false; }
    fault("");
    app.about = app.engine.describe();
    app.snapshots = [];
    app.chunk = 1;
    app.pull = null;
    app.base = keeps && before ? { dissipated: before.dissipated, work: before.work } : { dissipated: 0, work: 0 };
    for (const input of app.about.inputs) if (keeps && input.name in app.inputs) app.engine.input(input.index, app.inputs[input.name]);
    const columns = app.about.columns.length, fresh = !keeps || !app.history || app.history.columns !== columns;
    if (fresh) { app.history = new History(columns); app.trails = new Map(); }
    makeScene(fresh);
    takeRows();
    makeControls();
    changed();
    return true;
  }

  function balance(which) { return (which === 0 ? app.base.dissipated : app.base.work) + (which === 0 ? app.engine.balance(0) : app.engine.balance(1) + app.engine.balance(2)); }

  function makeScene(fresh) {
    const scene = new LiveScene(app.about), stage = byId("stage");
    scene.column = new Map(app.about.columns.map((c, k) => [c.name, k]));
    // modes of joints are no modes of contacts
    app.contactLaws = app.about.laws.map((l) => ({ name: l.name, column: scene.column.get(l.name + ".mode") })).filter((l) => l.column !== undefined && !scene.column.has(l.name + ".P"));
    if (!fresh && app.scene) scene.reach = app.scene.reach;
    const kept = app.view && !fresh && app.scene && app.scene.drawing && scene.drawing ? { moved: app.view.moved, centre: app.view.centre, scale: app.view.scale, target: app.view.target, away: app.view.away, turn: app.view.turn, tilt: app.view.tilt, look: app.view.look } : null;
    app.scene = scene;
    app.lastRow = null;
    if (scene.drawing) takeRows();
    stage.textContent = "";
    if (app.view && app.view.dispose) app.view.dispose();
    app.view = null;
    if (!scene.drawing) {
      stage.append(make("p", "This model draws nothing. Its plots are below; draw in the text adds a picture.", "nothing"));
    } else {
      const box = make("div", undefined, "view");
      stage.append(box);
      scene.measure();
      if (fresh) byId("grid").checked = !scene.drawing.planar;
      app.view = scene.drawing.planar ? new window.PicusPlaneView([scene], box, tools) : new window.PicusSpaceView([scene], box, tools);
      if (scene.drawing.handles.length && !app.hasPulled) box.append(make("div", "drag a body to pull it, the background to move the view", "tag"));
      if (kept && kept.look) { Object.assign(app.view.look, kept.look); app.view.showButtons(); delete kept.look; }
      if (kept) Object.assign(app.view, Object.fromEntries(Object.entries(kept).filter(([, v]) => v !== undefined)));
      else if (app.view.canvas && app.about.t_end) frameView();
    }
    if (!fresh) return;
    app.plots = [];
    byId("plots").textContent = "";
    app.window = Math.min(10, Math.max(1e-3, app.about.t_end || 2));
    const wanted = app.about.plots.filter((p) => scene.column.has(p.x) && p.y.every((y) => scene.column.has(y))).slice(0, 3);
    for (const p of wanted) addPlot(p.x, p.y);
    const q = app.about.columns.find((c) => c.kind === 1), phase = window.PicusPhase(app.about.columns, wanted);
    if (wanted.length === 0 && q) addPlot("t", [q.name]);
    if (phase) addPlot(phase.x, phase.y);
  }

  // What falls or drives away is followed.
  function frameView() {
    byId("follow").checked = true;
    app.view.fit();
    if (!app.scene.drawing.planar) byId("follow").checked = false;
    const box = app.scene.drawing.planar ? app.view.boxNow() : null;
    app.scene.reach = null;
    if (!box) return;
    // what moves along a far larger thing at rest, or beside none, leaves the picture otherwise
    const shapes = app.scene.drawing.shapes, still = shapes.filter((s) => !isMoving(app.scene, s) && s.kind !== "ground"), extent = (points) => Math.max(...[0, 1].map((i) => Math.max(...points.map((p) => p[i])) - Math.min(...points.map((p) => p[i]))));
    byId("follow").checked = shapes.length - still.length > 3 && still.length > 0 && extent(still.flatMap((s) => s.points.map((p) => app.scene.point(s.frame, p)))) > 3 * extent(box);
    app.view.fit();
  }

  // The picture grows with what the motion has reached, unless somebody has moved the view. It follows what flies far away.
  function growView() {
    const view = app.view, scene = app.scene;
    if (!view || view.moved || on("follow") || app.frames % 6 !== 0 || !view.boxNow) return;
    const now = view.boxNow(), seen = scene.reach, size = (b) => Math.max(...b[1].map((x, i) => x - b[0][i]));
    if (!now) return;
    if (!seen) { scene.reach = now; return; }
    const room = 0.03 * size(seen), leaves = now.some((end, k) => end.some((x, i) => (k ? x - seen[1][i] : seen[0][i] - x) > room));
    if (!leaves) return;
    const more = 0.25 * Math.max(size(seen), size(now));
    scene.reach = [now[0].map((x, i) => (x < seen[0][i] - room ? x - more : Math.min(x, seen[0][i]))), now[1].map((x, i) => (x > seen[1][i] + room ? x + more : Math.max(x, seen[1][i])))];
    if (size(scene.reach) > 15 * size(now)) byId("follow").checked = true;
    view.fit();
  }

  function addPlot(x, y, section) {
    const box = make("div");
    byId("plots").append(box);
    app.plots.push(new LivePlot(x, y, box, section));
  }
  // When the plot that is added has points; null: all the time. False: the period is none.
  function sectionAsked() {
    const [kind, which] = byId("when").value.split(":");
    if (kind === "impacts" || kind === "rises") return { [kind]: Number(which) };
    const every = Number(byId("period").value);
    return kind === "" ? null : every > 0 && isFinite(every) ? { every } : false;
  }
  function addAsked(column) {
    const section = sectionAsked();
    if (section === false) { fault("the period of a section is a positive number of seconds"); return; }
    addPlot(byId("over").value || "t", [column], section);
    changed();
  }

  function takeRows() {
    const got = app.engine.take(), time = app.lastRow ? app.lastRow[0] : NaN;
    if (got.count === 0) return;
    const row = got.rows.slice((got.count - 1) * got.columns), steps = app.scene.drawing ? app.engine.drawing() : null;
    const before = got.count > 1 ? got.rows[(got.count - 2) * got.columns] : time;
    app.history.add(got.rows, got.count, got.events, (law) => app.engine.lawName(law));
    for (const p of app.plots) if (p.section) p.collect(app.lastRow, got);
    if (steps) app.scene.take(steps, row, app.engine.contacts(), row[0] > before ? row[0] - before : 0);
    app.lastRow = row;
    state.t = row[0];
    if (!app.engine.taken()) fault(app.engine.error);
    if (steps && on("trails")) leaveTrails();
  }
  function leaveTrails() {
    for (const name of app.scene.objects.slice(0, 40)) {
      const c = centreOf(app.scene, name);
      if (!c || !c.every(isFinite)) continue;
      if (!app.trails.has(name)) app.trails.set(name, []);
      const list = app.trails.get(name);
      list.push(c);
      if (list.length > 1500) list.splice(0, 300);
    }
  }

  // ---- pulling

  // The handle of an object: that of its moving frame, or its points.
  function handleOf(name) {
    const shapes = app.scene.shapesOf.get(name) || [], frames = new Set(shapes.map((s) => s.frame).filter((k) => k > 0));
    const mine = (n) => shapes.some((s) => s.frame === 0 && n >= s.first && n < s.first + s.points.length);
    return app.scene.drawing.handles.findIndex((h) => (h.frame > 0 ? frames.has(h.frame) : h.points.some(mine)));
  }
  // Its origin and vectors now.
  function baseOf(handle) {
    const h = app.scene.drawing.handles[handle], scene = app.scene, full = (p) => [p[0], p[1], p[2] || 0];
    if (h.frame > 0) {
      const n = scene.drawing.planar ? 2 : 3, zero = Array(n).fill(0), origin = full(scene.point(h.frame, zero));
      return { origin, axes: [...Array(n).keys()].map((k) => full(scene.point(h.frame, zero.map((z, i) => (i === k ? 1 : 0)))).map((x, i) => x - origin[i])) };
    }
    const places = h.points.map((n) => full(scene.point(...scene.points[n])));
    return { origin: places[0], axes: places.slice(1).map((p) => p.map((x, i) => x - places[0][i])) };
  }
  // Least squares: origin + sum of numbers times axes is nearest to the place.
  function coordinatesOf({ origin, axes }, at) {
    const n = axes.length, dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2], d = at.map((x, i) => x - origin[i]);
    const A = axes.map((a) => [...axes.map((b) => dot(a, b)), dot(a, d)]);
    for (let k = 0; k < n; k++) {
      if (!(Math.abs(A[k][k]) > 1e-14 * dot(d, d))) return [0, 0, 0];
      for (let i = 0; i < n; i++) if (i !== k) { const f = A[i][k] / A[k][k]; for (let j = k; j <= n; j++) A[i][j] -= f * A[k][j]; }
    }
    return [0, 1, 2].map((k) => (k < n ? A[k][n] / A[k][k] : 0));
  }
  function startPull(view, name, at) {
    const handle = handleOf(name);
    if (handle < 0 || !app.scene.steps) return false;
    app.hasPulled = true;
    for (const hint of document.querySelectorAll("#stage .tag")) hint.remove();
    app.pull = { view, handle, place: coordinatesOf(baseOf(handle), [at[0], at[1], at[2] || 0]), target: at, stiffness: pullStiffness() };
    changed();
    return true;
  }
  function pullPlace() {
    const { origin, axes } = baseOf(app.pull.handle);
    return origin.map((x, i) => x + axes.reduce((sum, a, k) => sum + app.pull.place[k] * a[i], 0));
  }
  // A spring that moves what it pulls within some frames: its force at a tenth of the picture is of the size of the forces
  // in the model, found from its energies.
  function pullStiffness() {
    const size = app.scene.drawing.size, energy = ["E.kin", "E.pot"].map((n) => app.scene.column.get(n)), rows = app.history.rows;
    let low = [Infinity, Infinity], high = [-Infinity, -Infinity];
    for (const r of rows.slice(-2000)) energy.forEach((k, i) => { if (k !== undefined && isFinite(r[k])) { low[i] = Math.min(low[i], r[k]); high[i] = Math.max(high[i], r[k]); } });
    const range = Math.max(high[0], high[1] - low[1], 0), weight = Math.pow(10, Number(byId("strength").value));
    return weight * (isFinite(range) && range > 0 ? 4 * range : 1) / (size * size);
  }
  function applyPull() {
    const p = app.pull;
    if (!p) return;
    p.target = p.view.pointerPlace();
    app.engine.push(p.handle, [...p.place, ...p.target], p.stiffness, 0.05 * Math.min(1, state.speed));
  }

  // ---- time

  let lastFrame = 0, lastSnapshot = 0, wanted = 0, done = 0, due = 0;
  // Advances by so many seconds of simulated time, at most for `budget` ms; returns the time gone by.
  function advance(seconds, budget = 11) {
    const from = app.engine.time(), to = from + seconds, begin = performance.now(), pieces = 6;
    const most = app.plots.some((p) => p.section) ? 1 : 4096; // a row after each step for the points of sections
    let fine = true;
    for (let k = 1; fine && k <= pieces; k++) {
      const goal = from + seconds * k / pieces;
      while (fine) {
        const t = app.engine.time(), started = performance.now();
        if (t >= goal - 1e-9 * seconds) break;
        fine = app.engine.run(goal, Math.min(app.chunk, most));
        if (app.engine.time() <= t) break;
        const now = performance.now(), cost = now - started; // a call takes a sixteenth to a quarter of the budget
        if (cost < budget / 16) app.chunk = Math.min(4096, 2 * app.chunk);
        else if (cost > budget / 4) app.chunk = Math.max(1, app.chunk >> 1);
        if (now - begin > budget) { k = pieces; break; }
      }
    }
    if (!fine) { fault(app.engine.error); setRunning(false); }
    takeRows();
    return Math.min(app.engine.time(), to) - from;
  }
  function snapshot(now) {
    if (now - lastSnapshot < 250) return;
    lastSnapshot = now;
    const bytes = app.engine.save();
    if (!bytes) return;
    app.snapshots.push({ t: app.engine.time(), bytes });
    const room = Math.max(8, Math.floor(2e7 / bytes.length));
    while (app.snapshots.length > Math.min(240, room)) app.snapshots.shift();
  }
  function back() {
    setRunning(false);
    while (app.snapshots.length && app.snapshots[app.snapshots.length - 1].t >= state.t) app.snapshots.pop();
    const last = app.snapshots.pop();
    if (!last) return;
    if (!app.engine.back(last.bytes)) { fault(app.engine.error); return; }
    app.history.cut(last.t);
    for (const p of app.plots) p.points = p.points.filter((point) => point[0] <= last.t);
    app.history.rows.pop(); // its row comes again
    app.lastRow = null;
    takeRows();
    changed();
  }
  function step() {
    setRunning(false);
    if (!app.engine.run(Infinity, 1)) fault(app.engine.error);
    takeRows();
    changed();
  }
  function setRunning(is) {
    state.running = is;
    byId("run").textContent = is ? "❚❚" : "▶";
    byId("run").setAttribute("aria-label", is ? "pause" : "run");
  }
  function frame(now) {
    if (state.running && app.about && lastFrame) {
      const seconds = Math.min(0.05, (now - lastFrame) / 1000) * state.speed;
      if (seconds > 0) {
        applyPull();
        snapshot(now);
        due = Math.min(due, Math.max(app.about.dt, 0.05 * state.speed)) + seconds; // a step may be longer than a frame
        const gone = advance(due);
        due -= gone;
        wanted = 0.95 * wanted + seconds;
        done = 0.95 * done + gone;
        app.slow = wanted > 0 ? done / wanted : 1;
        dirty = true;
      }
    }
    lastFrame = now;
    if (dirty && app.about) { dirty = false; drawAll(); app.frames++; }
    requestAnimationFrame(frame);
  }

  // ---- what is shown

  function drawAll() {
    growView();
    if (app.view) app.view.draw();
    for (const p of app.plots) p.draw();
    drawEnergy();
    byId("clock").textContent = "t = " + (state.t < 1e-3 && state.t > 0 ? state.t.toExponential(3) : state.t.toFixed(4)) + " s";
    byId("pace").textContent = state.running && app.slow < 0.9 ? readable(1 / Math.max(app.slow, 1e-9), 2) + " × slower than asked" : "";
    showModes();
    showEvents();
  }

  function drawEnergy() {
    const kin = app.scene.column.get("E.kin"), pot = app.scene.column.get("E.pot"), row = app.lastRow;
    if (!row || kin === undefined || pot === undefined) return;
    const T = row[kin], V = row[pot], D = balance(0), W = balance(1), lost = Math.max(0, D);
    if (!app.energy || app.energy.of !== app.history) app.energy = { of: app.history, low: V, high: V + T };
    const e = app.energy;
    e.low = Math.min(e.low, V);
    e.high = Math.max(e.high, V + T + lost);
    const parts = [[e.low, V, theme.blue], [V, V + T, theme.orange], [V + T, V + T + lost, theme.grey]];
    window.PicusPanel.energy(byId("energy"), theme, { low: e.low, high: e.high, parts, values: [["potential", V, theme.blue], ["kinetic", T, theme.orange], ["dissipated", D, theme.dim], ["work", W, theme.accent]] });
  }

  function showModes() {
    const named = app.contactLaws.map(({ name, column }) => [name, app.lastRow ? modeOf(app.lastRow[column]) : 0]), detected = app.scene.contacts, counts = [0, 0, 0];
    for (const c of detected) counts[c.now.mode]++;
    byId("contacts-title").hidden = named.length + detected.length === 0;
    window.PicusPanel.contacts(byId("modes"), byId("counts"), named, counts, detected.length, [...(app.scene.drawing ? app.scene.drawing.sites : []), ...detected].map((s) => s.now.force));
  }
  function showEvents() {
    const all = app.history.events, list = all.slice(-8).reverse(), box = byId("events"), key = all.length ? all.length + " " + list[0].join() : "";
    byId("events-title").hidden = all.length === 0;
    if (box.dataset.shown === key) return;
    box.dataset.shown = key;
    box.textContent = "";
    for (const e of list) box.append(make("li", window.PicusPanel.event(e, e[7])));
  }
  function fault(text) { app.fault = text; byId("fault").textContent = text; byId("fault").hidden = !text; }

  // ---- controls

  // The range of the model, or a guess: a coefficient, as of friction or restitution, a quantity with a sign, which is compared
  // with others of its unit, a mass, which is not zero, any other. What is a whole number above 1 without a unit counts things.
  function rangeOf(p, all) {
    if (p.low !== null && p.high !== null) return [p.low, p.high];
    const v = p.usual, like = Math.max(0, ...all.filter((other) => other.unit === p.unit).map((other) => Math.abs(other.usual)));
    if (p.unit === "" && v >= 0 && v <= 1) return [0, 1];
    if (v === 0) return like > 0 ? [-like, like] : [-1, 1];
    if (/^kg/.test(p.unit) && v > 0) return [v / 10, 2 * v];
    return v > 0 ? [0, 2 * v] : [2 * v, 0];
  }
  function slider(p, range, begin, apply) {
    const row = make("label", undefined, "slider"), name = make("span", p.name), value = make("input"), bar = make("input");
    if (p.unit) name.append(make("span", p.unit, "unit"));
    row.title = p.name + (p.unit ? ", " + p.unit : "") + (p.description ? ": " + p.description : "");
    bar.type = "range";
    [bar.min, bar.max] = range.map(String);
    bar.step = p.whole ? "1" : "any";
    value.type = "text";
    value.inputMode = "decimal";
    bar.value = String(begin);
    value.value = readable(begin, 4);
    bar.setAttribute("aria-label", p.description || p.name);
    value.setAttribute("aria-label", p.name + ", value");
    const set = (x) => { if (apply(x) === false) value.classList.add("wrong"); else value.classList.remove("wrong"); };
    bar.addEventListener("input", () => { const x = Number(Number(bar.value).toPrecision(4)); value.value = readable(x, 4); set(x); });
    value.addEventListener("change", () => { const x = Number(value.value); if (value.value.trim() === "" || !isFinite(x)) { value.classList.add("wrong"); return; } bar.value = String(x); set(x); });
    row.append(name, bar, value);
    row.nudge = (part) => { bar.value = String(Number(bar.value) + part * (range[1] - range[0])); bar.dispatchEvent(new Event("input")); };
    return row;
  }
  // The input that the keys up and down change.
  function chooseInput(k) {
    const rows = [...byId("inputs").children];
    if (k >= rows.length) return;
    app.chosen = k;
    rows.forEach((row, i) => row.classList.toggle("chosen", i === k));
  }
  function nudgeInput(part) {
    const row = byId("inputs").children[app.chosen];
    if (row) row.nudge(part);
  }
  function makeControls() {
    const key = JSON.stringify([app.about.parameters.map((p) => [p.name, p.usual, p.low, p.high]), app.about.inputs]);
    byId("title").textContent = app.about.name;
    byId("space-help").hidden = !app.scene.drawing || app.scene.drawing.planar;
    document.title = app.about.name + " – Picus live";
    byId("description").textContent = app.about.description;
    if (app.controls === key) return;
    app.controls = key;
    const box = byId("parameters"), inputs = byId("inputs");
    box.textContent = inputs.textContent = "";
    for (const p of app.about.parameters) {
      box.append(slider({ ...p, whole: p.unit === "" && Number.isInteger(p.usual) && p.usual > 1 }, rangeOf(p, app.about.parameters), p.value, (x) => {
        const old = app.values[p.name];
        app.values[p.name] = x;
        if (load(true)) return true;
        if (old === undefined) delete app.values[p.name]; else app.values[p.name] = old;
        return false;
      }));
    }
    if (!app.about.parameters.length) box.append(make("p", "This model has no parameters.", "dim"));
    for (const p of app.about.inputs) inputs.append(slider(p, p.value === 0 ? [-1, 1] : rangeOf({ ...p, usual: p.value, low: null, high: null }, []), p.value, (x) => { app.inputs[p.name] = x; return app.engine.input(p.index, x); }));
    chooseInput(0);
    byId("inputs-title").hidden = !app.about.inputs.length;
    fill("scheme", app.about.schemes.map((s) => [s, s]));
    byId("scheme").value = app.about.scheme;
    byId("adaptive").checked = Boolean(app.about.adaptive);
    byId("dt").value = String(app.about.dt);
    const columns = app.about.columns.map((c, k) => ({ ...c, k })).filter((c) => !/^push(_|\d)/.test(c.name)), named = columns.filter((c) => c.name !== "t").map((c) => [c.name, c.name]);
    fill("add", [["of column", ""], ...named]);
    fill("over", [["time", "t"], ...named]);
    fill("when", [["all the time", ""], ...app.about.laws.map((l, k) => ["at impacts of " + l.name, "impacts:" + k]), ...columns.filter((c) => c.kind === 1 || c.kind === 2).map((c) => ["where " + c.name + " rises through 0", "rises:" + c.k]), ["once in a period", "every"]]);
    showPeriod();
  }
  function fill(id, options) {
    byId(id).textContent = "";
    for (const [text, value] of options) { const o = make("option", text); o.value = value; byId(id).append(o); }
  }
  function showPeriod() { byId("period-label").hidden = byId("when").value !== "every"; }
  function setOption(name, value) {
    const old = { ...app.options };
    if (value === null) delete app.options[name]; else app.options[name] = value;
    if (load(true)) return;
    const said = app.fault;
    app.options = old;
    app.controls = null;
    load(true);
    fault(said);
  }
  function reset() { for (const p of app.plots) p.points = []; app.inputs = {}; app.controls = null; load(false); app.energy = null; if (app.view) frameView(); wanted = done = due = 0; }

  // ---- the text of the model

  const editor = byId("text");
  function showMistake(sentence, line) {
    const box = byId("mistake"), lines = editor.value.split("\n").length, at = Math.min(Math.max(line, 0), lines);
    box.hidden = !sentence;
    box.textContent = sentence;
    app.mistake = sentence ? at : 0;
    placeMistake();
  }
  const LINE = 18; // pixels, as in live.css
  function placeMistake() {
    const gutter = byId("gutter"), lines = editor.value.split("\n").length;
    if (gutter.dataset.lines !== lines + ":" + app.mistake) {
      gutter.dataset.lines = lines + ":" + app.mistake;
      gutter.textContent = "";
      const text = make("pre");
      for (let k = 1; k <= lines; k++) { const one = make("span", String(k) + "\n", k === app.mistake ? "wrong" : ""); text.append(one); }
      gutter.append(text);
    }
    if (gutter.firstChild) gutter.firstChild.style.transform = "translateY(" + -editor.scrollTop + "px)";
    byId("mistake").style.top = app.mistake * LINE + 6 - editor.scrollTop + "px";
  }
  let checking = 0;
  // The sentence of the library; the page shows its line.
  const withoutPlace = (sentence) => sentence.replace(/^model\.lua:\d+: /, "");
  function check() {
    if (!app.checker) app.checker = new Engine(app.engine.m);
    const fine = app.checker.load(editor.value, settings(), false);
    showMistake(fine ? "" : withoutPlace(app.checker.error), fine ? 0 : app.checker.line);
    byId("use").disabled = !fine || editor.value === app.text;
  }
  function useText() {
    const old = app.text;
    app.text = editor.value;
    app.controls = null;
    if (load(false)) { showMistake("", 0); app.energy = null; byId("use").disabled = true; return; }
    app.text = old;
    showMistake(withoutPlace(app.engine.error), app.engine.line);
    fault("");
  }

  // ---- links and files

  function link() {
    const about = { m: app.model, p: app.values, o: app.options };
    if (app.text !== app.original) about.t = app.text;
    const bytes = new TextEncoder().encode(JSON.stringify(about));
    let letters = "";
    for (const b of bytes) letters += String.fromCharCode(b);
    return location.href.replace(/#.*$/s, "") + "#" + btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }
  // What a link asks for, or null; everything in it is checked before it is used.
  function readLink(hash) {
    if (hash.length < 2) return null;
    if (hash.length > 400000) throw new Error("the link is too long");
    let about;
    try {
      const letters = atob(hash.slice(1).replace(/-/g, "+").replace(/_/g, "/"));
      about = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(letters, (c) => c.charCodeAt(0))));
    } catch (error) { throw new Error("the link is damaged"); }
    if (about === null || typeof about !== "object" || Array.isArray(about)) throw new Error("the link is damaged");
    const name = /^[A-Za-z][A-Za-z0-9_-]{0,60}$/, take = (list, good) => {
      const out = {};
      if (list === undefined) return out;
      if (list === null || typeof list !== "object") throw new Error("the link is damaged");
      for (const [k, v] of Object.entries(list)) { if (!name.test(k) || !good(v)) throw new Error("the link has the value '" + String(k).slice(0, 40) + "', which is none of a model"); out[k] = v; }
      return out;
    };
    const number = (v) => typeof v === "number" && isFinite(v);
    if (about.t !== undefined && typeof about.t !== "string") throw new Error("the link is damaged");
    return { model: typeof about.m === "string" ? about.m : "", values: take(about.p, number), options: take(about.o, (v) => number(v) || (typeof v === "string" && name.test(v))), text: about.t };
  }
  function open(index, wish) {
    const model = data.models[index];
    app.model = model.name;
    app.original = model.text;
    app.text = wish && wish.text !== undefined ? wish.text : model.text;
    app.values = wish ? wish.values : { ...model.values };
    app.options = wish ? wish.options : {};
    app.inputs = {};
    app.controls = null;
    app.energy = null;
    app.history = null;
    byId("gallery").value = String(index);
    editor.value = app.text;
    showMistake("", 0);
    state.picked = null;
    wanted = done = due = 0;
    let fine = load(false);
    if (!fine && wish) {
      const said = "What the link asks for does not work: " + app.fault;
      if (wish.text !== undefined) { showMistake(withoutPlace(app.engine.error), app.engine.line); }
      app.text = model.text;
      app.values = {};
      app.options = {};
      fine = load(false);
      fault(said);
    }
    if (!fine) return;
    const speeds = [...byId("speed").options].map((o) => Number(o.value)), time = (app.about.t_end || 1) / 8;
    state.speed = time < 0.4 ? speeds.reduce((a, b) => (Math.abs(Math.log(b / time)) < Math.abs(Math.log(a / time)) ? b : a)) : 1;
    byId("speed").value = String(state.speed);
  }
  function csv() {
    const quote = (s) => (/[",\n]/.test(s) ? '"' + s.replace(/"/g, '""') + '"' : s), lines = [app.about.columns.map((c) => quote(c.name)).join(",")];
    for (const r of app.history.rows) lines.push(Array.from(r, (x) => (isFinite(x) ? String(x) : "nan")).join(","));
    return lines.join("\n") + "\n";
  }
  function saveCsv() {
    const a = make("a");
    a.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
    a.download = app.about.name.replace(/[^A-Za-z0-9_-]+/g, "-") + ".csv";
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  }

  // ---- set-up

  function setTheme() {
    theme = dark ? themes.dark : themes.light;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    if (app.view && app.view.retheme) app.view.retheme();
    changed();
  }
  const listen = (id, type, action) => byId(id).addEventListener(type, action);
  function listenAll() {
    listen("run", "click", () => setRunning(!state.running));
    listen("step", "click", step);
    listen("back", "click", back);
    listen("reset", "click", reset);
    listen("fit", "click", () => { if (app.view) { frameView(); changed(); } });
    listen("theme", "click", () => { dark = !dark; setTheme(); });
    listen("speed", "change", (e) => { state.speed = Number(e.target.value); wanted = done = due = 0; });
    listen("gallery", "change", (e) => { history.replaceState(null, "", location.href.replace(/#.*$/s, "")); open(Number(e.target.value), null); });
    listen("scheme", "change", (e) => setOption("scheme", e.target.value));
    listen("adaptive", "change", (e) => setOption("adaptive", e.target.checked ? 1 : 0));
    listen("dt", "change", (e) => { const x = Number(e.target.value); if (x > 0 && isFinite(x)) setOption("dt", x); else fault("the step size is a positive number of seconds"); });
    listen("add", "change", (e) => { if (e.target.value) addAsked(e.target.value); e.target.value = ""; });
    listen("when", "change", showPeriod);
    listen("csv", "click", saveCsv);
    listen("link", "click", async () => {
      const text = link();
      try { history.replaceState(null, "", text); } catch (error) { /* a page in a frame */ }
      try { await navigator.clipboard.writeText(text); byId("link").textContent = "copied"; } catch (error) { byId("link").textContent = "in the address bar"; }
      setTimeout(() => { byId("link").textContent = "copy link"; }, 1500);
    });
    listen("about", "click", () => byId("licences").showModal());
    listen("close", "click", () => byId("licences").close());
    const help = () => { if (byId("help").open) byId("help").close(); else byId("help").showModal(); };
    for (const id of ["help-button", "help-close"]) listen(id, "click", help);
    listen("use", "click", useText);
    editor.addEventListener("input", () => { placeMistake(); clearTimeout(checking); checking = setTimeout(check, 300); });
    editor.addEventListener("scroll", placeMistake);
    editor.addEventListener("keydown", (e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); useText(); } });
    listen("arrows", "input", changed);
    for (const id of ["contacts", "cones", "trails", "grid", "follow"]) listen(id, "change", changed);
    for (const b of document.querySelectorAll("[data-tab]")) b.addEventListener("click", () => showTab(b.dataset.tab));
    window.addEventListener("resize", changed);
    const toggle = (id) => { byId(id).checked = !byId(id).checked; changed(); };
    const keys = { "?": help, " ": () => setRunning(!state.running), ArrowRight: step, ArrowLeft: back, r: reset, c: () => toggle("contacts"), k: () => toggle("cones"), t: () => toggle("trails"), g: () => toggle("grid"), f: () => toggle("follow"), d: () => byId("theme").click(), 0: () => byId("fit").click(), ArrowUp: () => nudgeInput(0.05), ArrowDown: () => nudgeInput(-0.05) };
    for (let k = 1; k < 10; k++) keys[k] = () => chooseInput(k - 1);
    window.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || (byId("help").open && e.key !== "?") || /^(SELECT|TEXTAREA|INPUT|BUTTON)$/.test(e.target.tagName || "")) return;
      const action = keys[e.key] || keys[e.key.toLowerCase()] || (app.view && app.view.keys && app.view.keys[e.key.toLowerCase()]);
      if (action) { e.preventDefault(); action(); }
    });
  }
  function showTab(name) {
    for (const b of document.querySelectorAll("[data-tab]")) b.setAttribute("aria-selected", String(b.dataset.tab === name));
    for (const p of document.querySelectorAll("[data-panel]")) p.hidden = p.dataset.panel !== name;
    if (name === "text") placeMistake();
  }

  function bytesOf(id) {
    const letters = atob(byId(id).textContent.trim()), bytes = new Uint8Array(letters.length);
    for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
    return bytes;
  }
  async function begin() {
    setTheme();
    byId("licence-text").textContent = data.licences;
    data.models.forEach((m, k) => { const o = make("option", m.name); o.value = String(k); byId("gallery").append(o); });
    byId("gallery-label").hidden = data.models.length < 2;
    const wasm = window.PicusInflate(bytesOf("picus-wasm"), Number(byId("picus-wasm").dataset.size)), quiet = { print: () => {}, printErr: () => {} };
    let code = null;
    try { code = new WebAssembly.Module(wasm); } catch (error) { /* a browser that compiles later only */ }
    const module = await window.PicusModule(code ? { ...quiet, instantiateWasm: (imports, take) => { const one = new WebAssembly.Instance(code, imports); take(one, code); return one.exports; } } : { ...quiet, wasmBinary: wasm });
    app.engine = new Engine(module);
    listenAll();
    setRunning(true);
    let wish = null, said = "";
    try { wish = readLink(location.hash); } catch (error) { said = error.message; }
    const index = wish ? Math.max(0, data.models.findIndex((m) => m.name === wish.model)) : 0;
    open(index, wish);
    if (said) fault(said);
    showTab("parameters");
    window.picus.ready = true;
    requestAnimationFrame(frame);
  }

  // For tests: the same functions that the controls call.
  window.picus = {
    ready: false, app, state, snapshot, step, back, reset, advance, draw: drawAll, setRunning, link, readLink, csv, open, useText, check, startPull, applyPull, pullPlace, takeRows,
    steps: (n) => { const fine = app.engine.run(Infinity, n); takeRows(); return fine; },
    value: (name) => app.lastRow[app.scene.column.get(name)]
  };
  begin().catch((error) => fault("This browser cannot run the simulation: " + error.message));
})();
