"use strict";
// Colours, numbers and measures of shapes that the pages and their views share: window.PicusDraw.
(() => {
  // ---- colours and numbers

  const themes = {
    light: { bg: "#ffffff", ink: "#1b1f24", grey: "#8b949e", light: "#dfe5ec", blue: "#5b9be0", red: "#d1495b", green: "#4ba678", orange: "#e59a3c", purple: "#8f6bd0", brown: "#b08157", white: "#ffffff", grid: "#e9edf1", axis: "#c3ccd5", dim: "#667080", accent: "#2f6fb7" },
    dark: { bg: "#12161b", ink: "#e6edf3", grey: "#7d8894", light: "#2b333d", blue: "#4d8fd6", red: "#d8596a", green: "#459c70", orange: "#d98f35", purple: "#9a79da", brown: "#8f6743", white: "#12161b", grid: "#1f262e", axis: "#37424e", dim: "#93a0ad", accent: "#6cabf0" }
  };
  // Colours after Okabe and Ito (2008): people with every kind of colour vision can tell them apart.
  const modes = ["#8b949e", "#009e73", "#d55e00"];
  // 0: open, 1: stick, 2: slip; other values, as of a column without numbers, are open.
  const modeOf = (value) => Math.min(2, Math.max(0, Math.round(value) || 0));
  const curves = ["#2f86cf", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#b58900"];
  const colourIn = (theme) => (name, other) => {
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
  // Where the numbers of an axis with this step count from: numbers far larger than the step would all look the same.
  function baseOf(low, high, step) {
    if (!(step < 2e-5 * Math.max(Math.abs(low), Math.abs(high)))) return 0;
    const unit = Math.pow(10, Math.ceil(Math.log10(high - low)));
    return Number((Math.round((low + high) / 2 / unit) * unit).toPrecision(15));
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

  // The name of the object under the mouse, next to it.
  function listenHover(canvas, box, hit) {
    const label = document.createElement("div");
    let waiting = false;
    label.className = "hover";
    label.hidden = true;
    box.append(label);
    canvas.addEventListener("pointerleave", () => { label.hidden = true; });
    canvas.addEventListener("pointermove", (e) => {
      if (e.buttons || e.pointerType === "touch") { label.hidden = true; return; }
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        const name = hit(e), b = box.getBoundingClientRect();
        label.hidden = !name;
        label.textContent = name || "";
        label.style.left = e.clientX - b.left + 14 + "px";
        label.style.top = e.clientY - b.top + 14 + "px";
      });
    });
  }

  // ---- shapes

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
  function isMoving(r, s) { return (s.frame > 0 && !r.isFixed(s.frame)) || s.points.some((p) => p.some((c) => typeof c !== "number")) || Array.isArray(s.radius); }

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
  // The usual size of a moving object, m: the median of their diagonals now. Marks of contacts and arrows have it as a unit.
  function bodySize(r) {
    const sizes = [];
    for (const name of r.objects.slice(0, 300)) {
      const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
      for (const s of r.shapesOf.get(name)) {
        if (!isMoving(r, s) || s.kind === "text" || s.kind === "ground") continue;
        const radius = s.kind === "circle" || s.kind === "sphere" ? Math.abs(r.value(s.radius)) || 0 : 0;
        for (const p of s.points) r.point(s.frame, p).forEach((x, i) => { if (isFinite(x)) { low[i] = Math.min(low[i], x - radius); high[i] = Math.max(high[i], x + radius); } });
      }
      const size = Math.hypot(...high.map((x, i) => Math.max(0, x - low[i])));
      if (size > 0 && isFinite(size)) sizes.push(size);
    }
    sizes.sort((a, b) => a - b);
    return sizes.length ? sizes[sizes.length >> 1] : r.drawing.size;
  }
  // The length of the usual force, m: of the size of a body, and neither lost in the scene nor larger than it.
  const arrowLength = (unit, size) => Math.min(0.2 * size, Math.max(0.018 * size, 0.9 * unit));
  // Forces far above the usual one, of impacts, grow with their logarithm.
  const forceLength = (f) => (f <= 1 ? f : 1 + 0.35 * Math.log(f));
  window.PicusDraw = { themes, modes, modeOf, curves, colourIn, readable, baseOf, tick, niceStep, fitCanvas, listenHover, outline, spread, isMoving, metres, inside, distance, coil, centreOf, bodySize, arrowLength, forceLength };
})();
