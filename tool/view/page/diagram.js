"use strict";
// The page of a diagram: points of a table, their numbers under the mouse, and the command of the run of a point.
(() => {
  const { readable, niceStep, baseOf, tick, fitCanvas } = window.PicusDraw;
  const data = JSON.parse(document.getElementById("picus-data").textContent);
  const get = (id) => document.getElementById(id);
  const canvas = get("diagram"), context = canvas.getContext("2d");

  // Numbers as the file has them, in base64.
  function numbers(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return new Float64Array(bytes.buffer);
  }
  const columns = data.columns.map((c) => ({ name: c.name, unit: c.unit, word: c.word, values: numbers(c.values) }));
  const rows = columns.length ? columns[0].values.length : 0;
  const state = { x: data.x, y: data.y, colour: -1, view: null, hovered: -1, chosen: -1 };
  const label = (c) => (c.unit ? `${c.name} (${c.unit})` : c.name);

  // ---- the part of the plane that is seen

  function extent(values) {
    let low = Infinity, high = -Infinity;
    for (const v of values) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
    if (!(low <= high)) return [0, 1];
    const room = low === high ? Math.abs(low) * 0.05 || 1 : (high - low) * 0.03;
    return [low - room, high + room];
  }
  const fit = () => { state.view = [...extent(columns[state.x].values), ...extent(columns[state.y].values)]; draw(); };

  const margin = { left: 64, right: 14, top: 12, bottom: 40 };
  function frame() {
    const w = canvas.clientWidth, h = canvas.clientHeight;
    const [x0, x1, y0, y1] = state.view;
    const width = w - margin.left - margin.right, height = h - margin.top - margin.bottom;
    return {
      w, h, width, height,
      px: (x) => margin.left + ((x - x0) / (x1 - x0)) * width,
      py: (y) => margin.top + (1 - (y - y0) / (y1 - y0)) * height,
      x: (px) => x0 + ((px - margin.left) / width) * (x1 - x0),
      y: (py) => y0 + (1 - (py - margin.top) / height) * (y1 - y0)
    };
  }

  // ---- drawing

  const stops = [[41, 23, 92], [51, 74, 140], [33, 120, 143], [41, 161, 128], [133, 199, 77], [245, 230, 64]];
  function ramp(part) {
    const place = Math.min(0.9999, Math.max(0, part)) * (stops.length - 1), k = Math.floor(place);
    const mix = stops[k].map((c, i) => Math.round(c + (place - k) * (stops[k + 1][i] - c)));
    return `rgb(${mix[0]},${mix[1]},${mix[2]})`;
  }
  function axes(f, style) {
    const [x0, x1, y0, y1] = state.view;
    context.font = "12px system-ui, sans-serif";
    context.strokeStyle = style.getPropertyValue("--edge");
    context.fillStyle = style.getPropertyValue("--dim");
    context.lineWidth = 1;
    for (const along of [0, 1]) {
      const low = along ? y0 : x0, high = along ? y1 : x1, step = niceStep(high - low, along ? 6 : 8);
      const base = baseOf(low, high, step);
      for (let k = Math.ceil((low - base) / step); base + k * step <= high; k++) {
        const at = along ? f.py(base + k * step) : f.px(base + k * step);
        context.beginPath();
        if (along) { context.moveTo(margin.left, at); context.lineTo(f.w - margin.right, at); }
        else { context.moveTo(at, margin.top); context.lineTo(at, f.h - margin.bottom); }
        context.stroke();
        const text = tick(step, base ? k * step : base + k * step);
        context.textAlign = along ? "right" : "center";
        if (along) context.fillText(text, margin.left - 6, at + 4); else context.fillText(text, at, f.h - margin.bottom + 16);
      }
    }
    context.textAlign = "center";
    context.fillText(label(columns[state.x]), margin.left + f.width / 2, f.h - 8);
    context.save();
    context.translate(14, margin.top + f.height / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(label(columns[state.y]), 0, 0);
    context.restore();
  }
  function points(f, style) {
    const x = columns[state.x].values, y = columns[state.y].values;
    const colour = state.colour >= 0 ? columns[state.colour].values : null, range = colour ? extent(colour) : [0, 1];
    const size = rows > 20000 ? 1 : rows > 2000 ? 1.6 : 3;
    context.save();
    context.beginPath();
    context.rect(margin.left, margin.top, f.width, f.height);
    context.clip();
    context.globalAlpha = rows > 20000 ? 0.5 : 0.85;
    context.fillStyle = style.getPropertyValue("--accent");
    for (let k = 0; k < rows; k++) {
      if (!Number.isFinite(x[k]) || !Number.isFinite(y[k])) continue;
      if (colour) context.fillStyle = ramp((colour[k] - range[0]) / (range[1] - range[0]));
      context.fillRect(f.px(x[k]) - size / 2, f.py(y[k]) - size / 2, size, size);
    }
    context.globalAlpha = 1;
    for (const [k, width] of [[state.hovered, 1.2], [state.chosen, 2.2]]) {
      if (k < 0) continue;
      context.strokeStyle = style.getPropertyValue("--ink");
      context.lineWidth = width;
      context.beginPath();
      context.arc(f.px(x[k]), f.py(y[k]), 5, 0, 2 * Math.PI);
      context.stroke();
    }
    context.restore();
  }
  function draw() {
    fitCanvas(canvas);
    const ratio = window.devicePixelRatio || 1, style = getComputedStyle(document.documentElement);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const f = frame();
    context.clearRect(0, 0, f.w, f.h);
    axes(f, style);
    points(f, style);
  }

  // ---- the point under the mouse

  function nearest(px, py) {
    const f = frame(), x = columns[state.x].values, y = columns[state.y].values;
    let found = -1, least = 12 * 12;
    for (let k = 0; k < rows; k++) {
      const dx = f.px(x[k]) - px, dy = f.py(y[k]) - py, distance = dx * dx + dy * dy;
      if (distance < least) { least = distance; found = k; }
    }
    return found;
  }
  function commandOf(row) {
    if (!data.command) return "";
    const words = columns.filter((c) => c.word).map((c) => c.word + String(c.values[row]));
    return [data.command, ...words].join(" ");
  }
  function show(row) {
    get("point").replaceChildren(...columns.map((c) => {
      const line = document.createElement("tr"), name = document.createElement("td"), value = document.createElement("td");
      name.textContent = label(c);
      value.textContent = readable(c.values[row], 9);
      line.append(name, value);
      return line;
    }));
    const command = commandOf(row);
    get("none").hidden = Boolean(command);
    get("none").textContent = "This table has no commands: only the HDF5 file of a study has.";
    get("command").hidden = get("copy").hidden = !command;
    get("command").textContent = command;
  }
  function hover(e) {
    const box = canvas.getBoundingClientRect(), px = e.clientX - box.left, py = e.clientY - box.top, note = get("hover");
    const before = state.hovered;
    state.hovered = e.buttons ? -1 : nearest(px, py);
    note.hidden = state.hovered < 0;
    if (state.hovered >= 0) {
      note.textContent = columns.filter((c, k) => c.word || k === state.x || k === state.y)
        .map((c) => `${c.name} = ${readable(c.values[state.hovered], 7)}`).join("\n");
      note.style.left = `${Math.min(px + 14, box.width - note.offsetWidth - 4)}px`;
      note.style.top = `${Math.min(py + 14, box.height - note.offsetHeight - 4)}px`;
    }
    if (before !== state.hovered) draw();
  }

  // ---- mouse and choices

  let held = null;
  canvas.addEventListener("pointerdown", (e) => {
    held = { x: e.clientX, y: e.clientY, view: [...state.view], moved: false };
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener("pointermove", (e) => {
    if (!held || !e.buttons) { hover(e); return; }
    const f = frame(), dx = e.clientX - held.x, dy = e.clientY - held.y, [x0, x1, y0, y1] = held.view;
    if (Math.abs(dx) + Math.abs(dy) > 3) held.moved = true;
    const sx = (dx / f.width) * (x1 - x0), sy = (dy / f.height) * (y1 - y0);
    state.view = [x0 - sx, x1 - sx, y0 + sy, y1 + sy];
    get("hover").hidden = true;
    draw();
  });
  canvas.addEventListener("pointerup", (e) => {
    const box = canvas.getBoundingClientRect();
    if (held && !held.moved) {
      state.chosen = nearest(e.clientX - box.left, e.clientY - box.top);
      if (state.chosen >= 0) show(state.chosen);
      draw();
    }
    held = null;
  });
  canvas.addEventListener("pointerleave", () => { get("hover").hidden = true; state.hovered = -1; draw(); });
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    const box = canvas.getBoundingClientRect(), f = frame(), by = Math.exp(e.deltaY * 0.0015);
    const x = f.x(e.clientX - box.left), y = f.y(e.clientY - box.top), [x0, x1, y0, y1] = state.view;
    state.view = [x + (x0 - x) * by, x + (x1 - x) * by, y + (y0 - y) * by, y + (y1 - y) * by];
    draw();
  }, { passive: false });
  canvas.addEventListener("dblclick", fit);
  document.addEventListener("keydown", (e) => { if (e.key === "0") fit(); });
  get("fit").addEventListener("click", fit);
  get("copy").addEventListener("click", () => { if (navigator.clipboard) navigator.clipboard.writeText(get("command").textContent); });
  for (const id of ["x", "y", "colour"]) {
    columns.forEach((c, k) => get(id).append(new Option(label(c), String(k))));
    get(id).value = id === "colour" ? "" : String(state[id]);
    get(id).addEventListener("change", () => {
      state[id] = get(id).value === "" ? -1 : Number(get(id).value);
      if (id === "colour") draw(); else fit();
    });
  }
  get("title").textContent = document.title = data.title;
  get("description").textContent = `${rows} points`;
  new ResizeObserver(() => draw()).observe(canvas);
  fit();
})();
