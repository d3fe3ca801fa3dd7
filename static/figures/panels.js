// The scene of panels, as posenc/figures/panels.py and layout.py lay it out.

import facts from "./facts.js";
import { colourBar, leftOf, xAxis, yAxis } from "./axes.js";
import { curvesIn, legend } from "./curves.js";
import { columnsFor, noteOfGroups } from "./groups.js";
import { cellsIn } from "./heatmap.js";
import { above, heightOfKeys, keysBelow, keysOf, zoneMarks } from "./marks.js";
import { bottom, text } from "./parts.js";
import { rightOfPlot, sizeFor, wholePixels, widthIn } from "./sizes.js";
import { roundHalfEven } from "./numbers/number-format.js";

const { NARROWEST_PANEL, NARROWEST_SMALL, TALLEST, TITLE_ABOVE, TICKS_BELOW, NAME_BELOW } = facts.layout;
const { BELOW, BAR_TICKS, KEYS_LEFT } = facts.heatmap;
const { LABEL_SIZE } = facts.scene;

export function panelsScene(asked, width) {
  const left = Math.max(...asked.panels.map((panel) => leftOf(panel.y)));
  const right = Math.max(...asked.panels.map((panel) => rightOfPlot(panel.x)));
  const data = panelsFor(asked, width, left + right);
  const { panels } = data;
  const over = above(data);
  const series = panels.find((panel) => panel.series.length > 1)?.series ?? [];
  const names = legend(series, left, width - left - right);
  const layout = layOut(data, width, facts.picture.TOP + names.height, left, right);
  const keys = keysOf(data, width - 2 * KEYS_LEFT);
  const parts = [...names.parts];
  const notes = panels.map((panel, one) => (panel.kinds.length ? noteOfGroups(asked.panels[one], panel) : ""));
  panels.forEach((panel, one) => {
    const plot = layout.plots[one];
    parts.push(...inside(panel, plot, notes));
    const style = { "font-size": LABEL_SIZE, "font-weight": "bold", fill: "text" };
    const x = layout.named[one] ? panel.x : { ...panel.x, label: "" };
    parts.push(
      text("labels", panel.title, plot.x, plot.y - 8 - over, style),
      ...xAxis(x, plot, width),
      ...yAxis(panel.y, plot, panel.kind === "heatmap"),
    );
    if (panel.kind === "heatmap" && layout.bars === "own") parts.push(...colourBar(panel, plot));
  });
  if (layout.bars === "shared") parts.push(...colourBar(panels.find(isMap), rowBelow(layout.plots)));
  keysBelow(keys, KEYS_LEFT, layout.height, parts);
  const [rows, columns] = data.values.shape;
  const height = layout.height + heightOfKeys(keys);
  const note = [...new Set(notes.filter(Boolean))].join(" ");
  return { width, height, parts, plots: layout.plots, rows, columns, drawn: data, note };
}

function isMap(panel) {
  return panel.kind === "heatmap";
}

function inside(panel, plot, notes) {
  if (!isMap(panel)) return [...curvesIn(plot, panel), ...zoneMarks(panel, plot)];
  const { parts, note } = cellsIn(panel, plot);
  notes.push(note);
  return parts;
}

// As wide as all plots together, where the lowest ends: for a shared bar.
function rowBelow(plots) {
  const x = Math.min(...plots.map((plot) => plot.x));
  const end = Math.max(...plots.map((plot) => plot.x + plot.width));
  return { x, y: Math.max(...plots.map(bottom)), width: end - x, height: 0 };
}

// Curves beside grouped columns go by the columns in their order, and lose zones that name others.
function panelsFor(data, width, sides) {
  const room = widthIn(roundHalfEven(width / besideIn(data, width)) - sides);
  const panels = data.panels.map((panel) => columnsFor(panel, room));
  if (panels.every((panel, one) => panel === data.panels[one])) return data;
  const kept = panels.map((panel) => (panel.kinds.length ? panel : { ...panel, zones: [] }));
  return { ...data, panels: kept };
}

function besideIn(data, width) {
  const narrowest = data.panel_columns > 3 ? NARROWEST_SMALL : NARROWEST_PANEL;
  return Math.max(1, Math.min(data.panel_columns, Math.floor(width / narrowest), data.panels.length));
}

function layOut(data, width, top, left, right) {
  const { panels } = data;
  const beside = besideIn(data, width);
  const room = roundHalfEven(width / beside) - left - right;
  const tall = heightOf(data, room);
  const bars = barsOf(panels);
  const alike = new Set(panels.map((panel) => panel.x.label)).size === 1;
  const over = TITLE_ABOVE + above(data);
  const ticks = panels.some((panel) => panel.bar_ticks.length) ? BAR_TICKS : 0;
  const bar = BELOW - TICKS_BELOW - NAME_BELOW + ticks;
  const lastNamed = alike && bars !== "own";
  const under = TICKS_BELOW + (lastNamed ? 0 : NAME_BELOW) + (bars === "own" ? bar : 0);
  const plots = panels.map((panel, one) => {
    const x = left + ((one % beside) * width) / beside;
    const y = top + over + Math.floor(one / beside) * (over + tall + under);
    if (!isMap(panel)) return { x, y, width: room, height: tall };
    if (panel.square) {
      return { x, y, ...sizeFor(panel, Math.trunc(Math.min(room, tall)), Math.trunc(room)) };
    }
    const height = wholePixels(Math.trunc(tall), panel.values.shape[0]);
    return { x, y, width: widthIn(room), height };
  });
  let height = Math.max(...plots.map(bottom)) + under;
  height += (lastNamed ? NAME_BELOW : 0) + (bars === "shared" ? bar : 0);
  const named = panels.map((_, one) => !lastNamed || one + beside >= panels.length);
  return { plots, named, bars, height: roundHalfEven(height) };
}

// Heatmaps about square, curves wide.
function heightOf(data, room) {
  if (data.panels.some(isMap)) return Math.min(Math.max(room, 90), TALLEST);
  const flat = roundHalfEven(room * (data.panel_columns === 1 ? 0.2 : 0.6));
  return Math.min(Math.max(flat, 110), TALLEST);
}

// "shared" if all heatmaps have the same colours for the same values.
function barsOf(panels) {
  const maps = panels.filter(isMap);
  if (!maps.length) return "none";
  const scales = maps.map((one) => [one.scale, one.limits, one.bend, one.bar_ticks, one.unit]);
  const different = new Set(scales.map((scale) => JSON.stringify(scale))).size;
  return different === 1 && maps.length > 1 ? "shared" : "own";
}
