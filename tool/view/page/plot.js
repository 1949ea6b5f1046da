"use strict";
// Plots of the pages, with zoom, values under the mouse, logarithmic axes, and as SVG and CSV: window.PicusPlot. A plot has a
// source, which gives what it shows:
//   series()    a list of { n, from, x(k), y(k), ink, dashed, label, unit, dots, stems }; stems have an axis of their own, on the right
//   overTime    the horizontal axis is the time, and x(k) increases
//   label()     of the horizontal axis
//   range()     [from, to] of the horizontal axis, or null: that of the values
//   now(s)      the point [x, y] of a series at the present time, or null
//   time()      where the cursor is, or null
//   marks()     [[time, is an impact], ...]
//   version()   changes when the series change
//   seek(t), theme(), changed(), remove(), name(); differs: whether there are two results, whose difference it can show
(() => {
  const { readable, baseOf, tick, niceStep, fitCanvas } = window.PicusDraw;

  // ---- pens: the same picture on a canvas or as SVG

  class CanvasPen {
    constructor(context) { this.c = context; }
    line(points, ink, width, dash) {
      const c = this.c;
      c.strokeStyle = ink;
      c.lineWidth = width;
      c.lineJoin = "round";
      c.setLineDash(dash || []);
      c.beginPath();
      let open = false;
      for (const p of points) {
        if (!p) { open = false; continue; }
        if (open) c.lineTo(p[0], p[1]); else c.moveTo(p[0], p[1]);
        open = true;
      }
      c.stroke();
      c.setLineDash([]);
    }
    dot(p, radius, ink) { this.c.fillStyle = ink; this.c.beginPath(); this.c.arc(p[0], p[1], radius, 0, 2 * Math.PI); this.c.fill(); }
    text(p, text, ink, align) { this.c.font = "11px system-ui, sans-serif"; this.c.fillStyle = ink; this.c.textAlign = align; this.c.fillText(text, p[0], p[1]); }
    width(text) { this.c.font = "11px system-ui, sans-serif"; return this.c.measureText(text).width; }
    clip(x, y, w, h) { this.c.save(); this.c.beginPath(); this.c.rect(x, y, w, h); this.c.clip(); }
    unclip() { this.c.restore(); }
  }

  class SvgPen {
    constructor(w, h, back) { this.size = [w, h]; this.back = back; this.parts = []; this.measure = document.createElement("canvas").getContext("2d"); }
    static quote(text) { return String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;"); }
    static point(p) { return p[0].toFixed(2) + " " + p[1].toFixed(2); }
    line(points, ink, width, dash) {
      let d = "", open = false;
      for (const p of points) { if (p) d += (open ? "L" : "M") + SvgPen.point(p); open = Boolean(p); }
      if (d) this.parts.push(`<path d="${d}" fill="none" stroke="${ink}" stroke-width="${width}" stroke-linejoin="round"${dash ? ` stroke-dasharray="${dash.join(" ")}"` : ""}/>`);
    }
    dot(p, radius, ink) { this.parts.push(`<circle cx="${p[0].toFixed(2)}" cy="${p[1].toFixed(2)}" r="${radius}" fill="${ink}"/>`); }
    text(p, text, ink, align) { this.parts.push(`<text x="${p[0].toFixed(2)}" y="${p[1].toFixed(2)}" fill="${ink}" text-anchor="${{ left: "start", right: "end", center: "middle" }[align]}">${SvgPen.quote(text)}</text>`); }
    width(text) { this.measure.font = "11px sans-serif"; return this.measure.measureText(text).width; }
    clip(x, y, w, h) { this.parts.push(`<svg x="${x}" y="${y}" width="${w}" height="${h}" viewBox="${x} ${y} ${w} ${h}">`); } // it shows nothing outside
    unclip() { this.parts.push("</svg>"); }
    end() {
      const [w, h] = this.size;
      return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="sans-serif" font-size="11"><rect width="${w}" height="${h}" fill="${this.back}"/>${this.parts.join("\n")}</svg>\n`;
    }
  }

  function save(name, type, text) {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([text], { type }));
    a.download = name.replace(/[^A-Za-z0-9_.-]+/g, "-");
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  }

  window.PicusPlot = class {
    constructor(box, source) {
      Object.assign(this, { source, log: false, difference: false, zoom: { x: null, y: null }, pointer: null });
      box.className = "plot";
      this.canvas = document.createElement("canvas");
      this.canvas.setAttribute("role", "img");
      this.canvas.setAttribute("aria-label", "plot of " + source.name());
      this.back = document.createElement("canvas");
      const bar = document.createElement("div");
      bar.className = "plot-tools";
      const add = (text, title, action, name) => {
        const button = document.createElement("button");
        button.textContent = text;
        button.title = title;
        button.setAttribute("aria-label", title);
        if (name) button.className = name;
        button.addEventListener("click", () => { action(button); source.changed(); });
        bar.append(button);
      };
      const toggle = (name) => (button) => { this[name] = !this[name]; this.zoom.y = null; button.setAttribute("aria-pressed", String(this[name])); };
      add("log", "logarithmic axis", toggle("log"));
      if (source.differs) add("Δ", "difference from the first result", toggle("difference"));
      add("svg", "save as SVG", () => save(source.name() + ".svg", "image/svg+xml", this.svg()));
      add("csv", "save as CSV", () => save(source.name() + ".csv", "text/csv", this.csv()));
      add("×", "remove the plot", () => { box.remove(); source.remove(this); }, "close");
      box.append(this.canvas, bar);
      this.listen();
    }

    // ---- mouse and fingers: click or drag to go to a time, wheel to zoom, shift for the vertical axis, double click for all

    listen() {
      const c = this.canvas, place = (e) => { const b = c.getBoundingClientRect(); return [e.clientX - b.left, e.clientY - b.top]; };
      c.addEventListener("pointerdown", (e) => { c.setPointerCapture(e.pointerId); this.panned = e.shiftKey ? place(e) : null; if (!e.shiftKey) this.seek(place(e)); });
      c.addEventListener("pointermove", (e) => {
        this.pointer = e.pointerType === "touch" ? null : place(e);
        if (e.buttons && this.panned) { const p = place(e); this.pan(p[0] - this.panned[0], p[1] - this.panned[1]); this.panned = p; } else if (e.buttons) this.seek(place(e));
        this.source.changed();
      });
      c.addEventListener("pointerleave", () => { this.pointer = null; this.source.changed(); });
      c.addEventListener("wheel", (e) => {
        if (!this.area) return;
        e.preventDefault();
        const steps = e.deltaY || e.deltaX, both = !this.source.overTime; // with shift, some browsers scroll sideways
        this.zoomAt(place(e), Math.exp(steps * 0.0015), both || !e.shiftKey, both || e.shiftKey);
      }, { passive: false });
      c.addEventListener("dblclick", () => { this.zoom = { x: null, y: null }; this.source.changed(); });
    }
    seek(p) { if (this.source.overTime && this.source.seek && this.area) this.source.seek(this.value(p)[0]); }
    // The values at a place of the canvas.
    value(p) {
      const [left, top, w, h] = this.area, { x, y } = this.view;
      return [x[0] + (p[0] - left) / w * (x[1] - x[0]), y[0] + (top + h - p[1]) / h * (y[1] - y[0])];
    }
    zoomAt(p, factor, across, up) {
      const at = this.value(p), part = (range, v) => range.map((end) => v + (end - v) * factor);
      if (across) this.zoom.x = part(this.view.x, at[0]);
      if (up) this.zoom.y = part(this.view.y, at[1]);
      this.source.changed();
    }
    pan(dx, dy) {
      const [, , w, h] = this.area, { x, y } = this.view, a = dx / w * (x[1] - x[0]), b = dy / h * (y[1] - y[0]);
      this.zoom = { x: x.map((v) => v - a), y: y.map((v) => v + b) };
    }

    // ---- what is shown

    series() {
      const list = this.source.series();
      return this.difference && this.source.differs ? differences(list) : list;
    }
    // A value on its axis: with a logarithmic one, its exponent.
    up(v) { return this.log ? (v > 0 ? Math.log10(v) : NaN) : v; }

    // The ranges of the axes; r: of the stems.
    ranges(list) {
      const view = { x: [Infinity, -Infinity], y: [Infinity, -Infinity], r: [0, 0] }, fixed = this.zoom.x || this.source.range();
      const see = (range, v) => { if (isFinite(v)) { if (v < range[0]) range[0] = v; if (v > range[1]) range[1] = v; } };
      for (const s of list)
        for (let k = s.from; k < s.n; k++) {
          const x = s.x(k);
          see(view.x, x);
          if (!fixed || (x >= fixed[0] && x <= fixed[1])) see(s.stems ? view.r : view.y, s.stems ? s.y(k) : this.up(s.y(k)));
        }
      for (const [name, pad] of [["x", this.source.overTime ? 0 : 0.05], ["y", 0.06], ["r", 0.06]]) {
        const range = view[name];
        if (!(range[0] <= range[1])) { range[0] = 0; range[1] = 1; }
        if (range[1] - range[0] <= 4e-15 * Math.max(Math.abs(range[0]), Math.abs(range[1]))) { // round-off
          range[0] = range[1] = (range[0] + range[1]) / 2;
        }
        if (range[0] === range[1]) { const d = Math.abs(range[0]) * 0.1 || 0.5; range[0] -= d; range[1] += d; }
        const more = pad * (range[1] - range[0]);
        view[name] = [range[0] - more, range[1] + more];
      }
      if (fixed) view.x = fixed;
      if (this.zoom.y) view.y = this.zoom.y;
      return view;
    }

    place(x, y, axis = "y") {
      const [left, top, w, h] = this.area, v = this.view.x, range = this.view[axis];
      return [left + (x - v[0]) / (v[1] - v[0]) * w, top + h - ((axis === "y" ? this.up(y) : y) - range[0]) / (range[1] - range[0]) * h];
    }

    // The line of a series in pixels: where many points share a column of pixels, the first, the lowest, the highest and the last.
    path(s) {
      const out = [], flush = (c) => { if (c) { out.push(c.first); if (c.low !== c.first) out.push(c.low); if (c.high !== c.low) out.push(c.high); if (c.last !== c.high) out.push(c.last); } };
      let column = null;
      for (let k = s.from; k < s.n; k++) {
        const p = this.place(s.x(k), s.y(k));
        if (!isFinite(p[0]) || !isFinite(p[1])) { flush(column); column = null; if (out.length) out.push(null); continue; }
        if (!this.source.overTime) { out.push(p); continue; }
        const at = Math.round(p[0]);
        if (column && column.at === at) { column.last = p; if (p[1] < column.low[1]) column.low = p; if (p[1] > column.high[1]) column.high = p; continue; }
        flush(column);
        column = { at, first: p, last: p, low: p, high: p };
      }
      flush(column);
      return out;
    }

    paint(pen, list, w, h) {
      const theme = this.source.theme(), stems = list.filter((s) => s.stems);
      this.view = this.ranges(list);
      this.area = [56, 22, w - (stems.length ? 112 : 68), h - 58];
      const [left, top, wide, tall] = this.area, bottom = top + tall;
      this.paintAxis(pen, theme, true, wide < 260 ? 4 : 5);
      this.paintAxis(pen, theme, false, 4);
      if (stems.length) {
        const step = niceStep(this.view.r[1] - this.view.r[0], 3);
        for (let k = Math.ceil(this.view.r[0] / step); k * step <= this.view.r[1]; k++) pen.text([left + wide + 5, this.place(0, k * step, "r")[1] + 4], tick(step, k * step), stems[0].ink, "left");
      }
      let x = left;
      for (const s of list) {
        if (s.dashed) continue;
        const text = s.label + (s.unit ? ", " + s.unit : "");
        if (x > left && x + pen.width(text) > w - 4) break;
        pen.text([x, 14], text, s.ink, "left");
        x += pen.width(text) + 14;
      }
      pen.text([left + wide, h - 5], this.source.label(), theme.dim, "right");
      pen.clip(left, top, wide, tall);
      this.paintMarks(pen, theme);
      for (const s of list) {
        if (s.stems) { const zero = this.place(0, 0, "r")[1]; for (let k = s.from; k < s.n; k++) { const p = this.place(s.x(k), s.y(k), "r"); if (isFinite(p[0]) && isFinite(p[1])) { pen.line([[p[0], zero], p], s.ink, 1); pen.dot(p, 2, s.ink); } } }
        else if (s.dots) { for (let k = s.from; k < s.n; k++) { const p = this.place(s.x(k), s.y(k)); if (isFinite(p[0]) && isFinite(p[1])) pen.dot(p, 1.2, s.ink); } }
        else pen.line(this.path(s), s.ink, 1.4, s.dashed ? [5, 3] : null);
      }
      pen.unclip();
      return bottom;
    }

    paintAxis(pen, theme, across, count) {
      const [left, top, wide, tall] = this.area, range = across ? this.view.x : this.view.y, raw = niceStep(range[1] - range[0], count), log = !across && this.log;
      const step = log ? Math.max(1, Math.round(raw)) : raw, base = log ? 0 : baseOf(range[0], range[1], step);
      if (base !== 0) pen.text([across ? left : left + 3, across ? top + tall + 27 : top + 11], readable(base, 15) + " +", theme.dim, "left");
      for (let k = Math.ceil(range[0] / step - 1e-9), n = 0; k * step <= range[1] + 1e-9 * step && n < 50; k++, n++) {
        const part = (k * step - range[0]) / (range[1] - range[0]), text = log ? readable(Math.pow(10, k * step), 3) : tick(step, Math.round(100 * (k - base / step)) / 100 * step);
        if (across) { const x = left + part * wide; pen.line([[x, top], [x, top + tall]], theme.grid, 1); pen.text([x, top + tall + 13], text, theme.dim, "center"); }
        else { const y = top + (1 - part) * tall; pen.line([[left, y], [left + wide, y]], theme.grid, 1); pen.text([left - 5, y + 4], text, theme.dim, "right"); }
      }
    }

    // Events at the lower edge, at most one in a column of pixels.
    paintMarks(pen, theme) {
      const [left, top, wide, tall] = this.area, seen = new Map();
      if (!this.source.overTime) return;
      for (const [t, impact] of this.source.marks()) {
        const x = Math.round(this.place(t, 1)[0]);
        if (x >= left && x <= left + wide) seen.set(x, impact || seen.get(x) || false);
      }
      for (const [x, impact] of seen) pen.line([[x, top + tall - (impact ? 7 : 4)], [x, top + tall]], impact ? theme.red : theme.grey, 1);
    }

    // ---- the picture

    draw() {
      const ratio = window.devicePixelRatio || 1, resized = fitCanvas(this.canvas), source = this.source, theme = source.theme();
      const w = this.canvas.width / ratio, h = this.canvas.height / ratio, list = this.series();
      const version = [source.version(), this.log, this.difference, this.zoom.x, this.zoom.y].join();
      if (resized || this.painted !== version || this.seen !== theme) {
        this.back.width = this.canvas.width;
        this.back.height = this.canvas.height;
        const context = this.back.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.paint(new CanvasPen(context), list, w, h);
        this.painted = version;
        this.seen = theme;
      }
      const context = this.canvas.getContext("2d"), pen = new CanvasPen(context), [left, top, wide, tall] = this.area;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = theme.bg;
      context.fillRect(0, 0, this.canvas.width, this.canvas.height);
      context.drawImage(this.back, 0, 0);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clip(left, top, wide, tall);
      const t = source.time();
      if (source.overTime && t !== null) { const x = this.place(t, 1)[0]; pen.line([[x, top], [x, top + tall]], theme.accent, 1); }
      for (const s of list) {
        const at = s.stems ? null : source.now(s), p = at ? this.place(at[0], at[1]) : null;
        if (p && isFinite(p[0]) && isFinite(p[1])) pen.dot(p, 3.5, s.ink);
      }
      pen.unclip();
      if (this.pointer) this.drawValues(context, pen, list, theme, w);
    }

    // The index of the point of a series that is nearest to the pointer.
    nearest(s) {
      if (s.from >= s.n) return -1;
      if (this.source.overTime) {
        const x = this.value(this.pointer)[0];
        let low = s.from, high = s.n - 1;
        while (low < high) { const middle = (low + high) >> 1; if (s.x(middle) < x) low = middle + 1; else high = middle; }
        return low > s.from && Math.abs(s.x(low - 1) - x) < Math.abs(s.x(low) - x) ? low - 1 : low;
      }
      let best = -1, least = 400;
      for (let k = s.from; k < s.n; k++) {
        const p = this.place(s.x(k), s.y(k)), d = (p[0] - this.pointer[0]) ** 2 + (p[1] - this.pointer[1]) ** 2;
        if (d < least) { least = d; best = k; }
      }
      return best;
    }

    drawValues(context, pen, list, theme, w) {
      const [left, top, wide, tall] = this.area, [px, py] = this.pointer;
      if (px < left || px > left + wide || py < top || py > top + tall) return;
      const rows = [];
      for (const s of list) {
        const k = this.nearest(s);
        if (k < 0 || !isFinite(s.y(k))) continue;
        if (s.stems && Math.abs(this.place(s.x(k), 0, "r")[0] - px) > 4) continue;
        const p = this.place(s.x(k), s.y(k), s.stems ? "r" : "y");
        if (rows.length === 0) rows.push([readable(s.x(k), 6), theme.dim]);
        rows.push([readable(s.y(k), 6) + (s.unit ? " " + s.unit : ""), s.ink]);
        pen.dot(p, 2.5, s.ink);
      }
      if (rows.length === 0) return;
      const broad = Math.max(...rows.map(([text]) => pen.width(text))) + 12, x = px + 12 + broad > w ? px - 12 - broad : px + 12, y = Math.min(top + tall - 15 * rows.length - 6, Math.max(top, py - 10));
      context.globalAlpha = 0.9;
      context.fillStyle = theme.bg;
      context.strokeStyle = theme.axis;
      context.lineWidth = 1;
      context.fillRect(x, y, broad, 15 * rows.length + 5);
      context.strokeRect(x, y, broad, 15 * rows.length + 5);
      context.globalAlpha = 1;
      rows.forEach(([text, ink], k) => pen.text([x + 6, y + 14 + 15 * k], text, ink, "left"));
    }

    // ---- files

    svg() {
      const pen = new SvgPen(640, 400, this.source.theme().bg), list = this.series();
      this.paint(pen, list, 640, 400);
      this.painted = null;
      return pen.end();
    }
    csv() {
      const quote = (s) => (/[",\n]/.test(s) ? '"' + s.replace(/"/g, '""') + '"' : s), list = this.series(), lines = [];
      const number = (x) => (isFinite(x) ? String(x) : "nan");
      lines.push(list.map((s) => quote(this.source.label()) + "," + quote(s.label + (s.unit ? ", " + s.unit : ""))).join(","));
      const most = Math.max(0, ...list.map((s) => s.n - s.from));
      for (let k = 0; k < most; k++) lines.push(list.map((s) => (s.from + k < s.n ? number(s.x(s.from + k)) + "," + number(s.y(s.from + k)) : ",")).join(","));
      return lines.join("\n") + "\n";
    }
  };

  // The series of the other results minus those of the first, at the times of the others; each has the number of its result.
  function differences(list) {
    const first = list.filter((s) => s.result === 0), out = [];
    for (const s of list) {
      const base = s.result > 0 ? first.find((one) => one.label === s.label && one.stems === s.stems) : null;
      if (!base || s.stems) continue;
      let at = base.from;
      const values = new Float64Array(s.n);
      for (let k = s.from; k < s.n; k++) {
        const x = s.x(k);
        while (at + 1 < base.n && base.x(at + 1) <= x) at++;
        const a = base.x(at), b = at + 1 < base.n ? base.x(at + 1) : a, part = b > a ? (x - a) / (b - a) : 0;
        values[k] = x < base.x(base.from) || part > 1 || (b === a && x > a) ? NaN : s.y(k) - (base.y(at) + (part > 0 ? part * (base.y(at + 1) - base.y(at)) : 0));
      }
      out.push({ ...s, y: (k) => values[k], dashed: false, apart: true, label: "Δ " + s.label });
    }
    return out;
  }

  // The velocity of the first coordinate that is plotted over it, where all of this is shown over time; null: there is none.
  window.PicusPhase = function (columns, plots) {
    const coordinates = columns.filter((c) => c.kind === 1), velocities = columns.filter((c) => c.kind === 2);
    if (coordinates.length === 0 || coordinates.length !== velocities.length || plots.some((p) => p.x !== "t")) return null;
    const named = plots.flatMap((p) => p.y).map((name) => coordinates.findIndex((c) => c.name === name)).find((k) => k >= 0) || 0;
    return { x: coordinates[named].name, y: [velocities[named].name] };
  };

  // Percussions of a law apart: forces where no impact is, impulses at impacts. times(k): the time in which a percussion acted.
  window.PicusImpacts = function (s, times, impacts) {
    const struck = new Uint8Array(s.n);
    let at = s.from;
    for (const t of impacts) {
      while (at < s.n && s.x(at) < t) at++;
      if (at < s.n && s.x(at) - times(at) <= t) struck[at] = 1;
    }
    const force = { ...s, apart: true, y: (k) => (struck[k] || !(times(k) > 0) ? NaN : s.y(k) / times(k)), label: s.label + ", force", unit: s.unit.replace(/ s$/, "") };
    const list = [];
    for (let k = s.from; k < s.n; k++) if (struck[k]) list.push(k);
    const impulse = { ...s, apart: true, n: list.length, from: 0, x: (k) => s.x(list[k]), y: (k) => s.y(list[k]), stems: true, dashed: false, ink: "#9467bd", label: s.label + ", impulse" };
    return list.length ? [force, impulse] : [force];
  };
})();
