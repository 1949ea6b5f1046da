"use strict";
// The panel beside the scene, in both pages: energies, modes of contacts now, words for events. The global is window.PicusPanel.
(() => {
  const { readable, fitCanvas, modes } = window.PicusDraw;
  const words = ["open", "stick", "slip"];

  // A bar from `low` to `high` with parts [from, to, ink], and values [name, J, ink] below it, two in a row.
  function energy(canvas, theme, { low, high, parts, values }) {
    fitCanvas(canvas);
    const ratio = window.devicePixelRatio || 1, pen = canvas.getContext("2d"), w = canvas.width / ratio;
    const x = (e) => Math.max(0, Math.min(1, (e - low) / (high - low || 1))) * w;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, canvas.height / ratio);
    pen.fillStyle = theme.light;
    pen.fillRect(0, 0, w, 16);
    for (const [from, to, ink] of parts) {
      if (!isFinite(from) || !isFinite(to)) continue;
      pen.fillStyle = ink;
      pen.fillRect(x(from), 0, Math.max(0, x(to) - x(from)), 16);
    }
    pen.font = "12px system-ui, sans-serif";
    values.forEach(([name, value, ink], k) => {
      const left = (k % 2) * w / 2, y = 33 + 18 * (k >> 1);
      pen.fillStyle = ink;
      pen.fillText(name, left, y);
      pen.fillStyle = theme.ink;
      pen.textAlign = "right";
      pen.fillText(readable(value, 3) + " J", left + w / 2 - (k % 2 ? 0 : 10), y);
      pen.textAlign = "left";
    });
  }

  // The modes of named contacts [name, mode], each with a dot. Of detected contacts their numbers by mode, and how many are drawn.
  function contacts(box, sum, named, detected, drawn, forces) {
    const counts = [...detected], total = detected[0] + detected[1] + detected[2], shown = named.slice(0, 24);
    for (const [, mode] of named) counts[mode]++;
    let largest = 0;
    for (const f of forces) { const size = Math.hypot(...f); if (size > largest && isFinite(size)) largest = size; }
    sum.hidden = named.length + total === 0;
    sum.textContent = counts[0] + " open, " + counts[1] + " stick, " + counts[2] + " slip" + (largest > 0 ? "; largest force " + readable(largest, 3) + " N" : "") + (drawn < total ? "; the scene shows the " + drawn + " with the largest forces" : "");
    const key = shown.map(([name]) => name).join("\n");
    if (box.dataset.shown !== key) {
      box.dataset.shown = key;
      box.textContent = "";
      for (const [name] of shown) {
        const chip = document.createElement("span");
        chip.className = "chip";
        chip.append(document.createElement("i"), document.createTextNode(name));
        box.append(chip);
      }
    }
    shown.forEach(([name, mode], k) => {
      const dot = box.children[k].firstChild;
      dot.style.background = mode ? modes[mode] : "transparent";
      dot.style.borderColor = modes[mode];
      box.children[k].title = name + ": " + words[mode];
    });
  }

  // An event [time, law, from, to, is an impact, impulse, energy lost] in words.
  const event = (e, law) => readable(e[0], 6) + " s  " + (law || "contact") + ": " + (words[e[2]] || "") + " → " + (words[e[3]] || "") + (e[4] ? ", impact" + (e[6] > 0 ? ", " + readable(e[6], 3) + " J lost" : "") : "");

  window.PicusPanel = { energy, contacts, event };
})();
