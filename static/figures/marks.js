// Zones, lines along cells and the keys below: posenc/figures/marks.py and keys.py.

import facts from "./facts.js";
import { share } from "./axes.js";
import { bottom, number, shape, text } from "./parts.js";

const { ZONES_ABOVE, SHADE } = facts.marks;
const { LETTER, SYMBOL, LINE, CLOSEST_NUMBERS } = facts.keys;

function panelsOf(data) {
  return data.panels.length ? data.panels : [data];
}

// The px that marks need over the plot.
export function above(data) {
  return panelsOf(data).some((one) => one.zones.length) ? ZONES_ABOVE : 0;
}

function across(value, data, plot) {
  return plot.x + share(value, data.x) * plot.width;
}

export function zonesBehind(data, plot) {
  return data.zones.filter((_, one) => one % 2 === 1).map((zone) => {
    const [left, right] = [zone.low, zone.high].map((end) => across(end, data, plot));
    const at = { x: left, y: plot.y, width: right - left, height: plot.height };
    return shape("zones", "rect", { fill: "masked", "fill-opacity": SHADE, ...at });
  });
}

export function zoneMarks(data, plot) {
  const { zones } = data;
  const upright = `${number(plot.y - 15)}V${number(bottom(plot))}`;
  const inner = zones.slice(1).map((zone) => `M${number(across(zone.low, data, plot))} ${upright}`);
  const lines = [];
  if (inner.length) {
    const d = inner.join("");
    const halo = { stroke: "paper", "stroke-width": 3.5, "stroke-opacity": 0.8 };
    const dashed = { stroke: "text", "stroke-width": 1.2, "stroke-dasharray": "4 3" };
    lines.push(shape("zones", "path", { d, ...halo }), shape("zones", "path", { d, ...dashed }));
  }
  const style = { "text-anchor": "middle", "font-weight": "bold", fill: "text" };
  const numbers = numberPlaces(data, plot.width).map((place, one) =>
    text("zones", String(one + 1), plot.x + place, plot.y - 5, style),
  );
  return [...lines, ...numbers];
}

function numberPlaces({ zones, x }, width) {
  const places = [];
  for (const zone of zones) {
    const middle = (width * (share(zone.low, x) + share(zone.high, x))) / 2;
    places.push(places.length ? Math.max(middle, places.at(-1) + CLOSEST_NUMBERS) : middle);
  }
  return places;
}

export function edgeMarks(data, plot) {
  return data.edges.flatMap((edge) => {
    const points = [];
    for (let one = 0; one < edge.corners.data.length; one += 2) {
      const x = across(edge.corners.data[one], data, plot);
      const y = plot.y + share(edge.corners.data[one + 1], data.y) * plot.height;
      points.push(`${number(x)} ${number(y)}`);
    }
    const d = `M${points.join("L")}`;
    return [
      ["paper", 4],
      ["text", 1.8],
    ].map(([stroke, width]) =>
      shape("marks", "path", { d, fill: "none", stroke, "stroke-width": width }),
    );
  });
}

// Pictures without words for cells without numbers have none: their numbers are not looked through.
export function hasHoles({ kind, masked, values }) {
  return kind === "heatmap" && masked && values.data.includes(NaN);
}

// Every mark of a picture once, its words broken to `room` px.
export function keysOf(data, room) {
  const letters = Math.max(12, Math.trunc((room - SYMBOL) / LETTER));
  const found = new Map();
  const add = (kind, label, sign = "") => {
    const name = `${kind} ${label}`;
    if (!found.has(name)) found.set(name, { kind, sign, lines: wrap(label, letters) });
  };
  for (const panel of panelsOf(data)) {
    if (hasHoles(panel)) add("masked", panel.masked);
    for (const edge of panel.edges) add("edge", edge.label);
    panel.zones.forEach((zone, one) => add("zone", zone.label, String(one + 1)));
  }
  return [...found.values()];
}

// As Python's textwrap breaks lines: at spaces, and behind the hyphen between two words.
function wrap(words, most) {
  const pieces = words
    .split(/[ \t\n]+/)
    .filter(Boolean)
    .flatMap((word) =>
      word
        .split(/(?<=[\p{L}\p{N}_][\p{L}_]-)(?=[\p{L}\p{N}_]+[\p{L}_])/u)
        .map((piece, one) => ({ piece, glued: one > 0 })),
    );
  const lines = [];
  let line = "";
  for (const { piece, glued } of pieces) {
    const longer = line && !glued ? `${line} ${piece}` : line + piece;
    if (line && longer.length > most) {
      lines.push(line);
      line = piece;
    } else line = longer;
  }
  if (line) lines.push(line);
  return lines;
}

export function heightOfKeys(keys) {
  const lines = keys.reduce((sum, key) => sum + key.lines.length, 0);
  return LINE * lines + (keys.length ? 6 : 0);
}

export function keysBelow(keys, x, y, parts = []) {
  for (const key of keys) {
    parts.push(symbol(key, x, y));
    for (const words of key.lines) {
      parts.push(text("legend", words, x + SYMBOL, y + 10.5, { fill: "text" }));
      y += LINE;
    }
  }
  return parts;
}

function symbol(key, x, y) {
  if (key.kind === "masked") {
    return shape("legend", "rect", { x, y, width: 14, height: 12, fill: "masked" });
  }
  if (key.kind === "edge") {
    const d = `M${number(x)} ${number(y + 6)}h14`;
    return shape("legend", "path", { d, stroke: "text", "stroke-width": 1.8 });
  }
  return text("legend", key.sign, x + 3, y + 10.5, { "font-weight": "bold", fill: "text" });
}
