// The scene of one heatmap, as posenc/figures/heatmap.py lays it out.

import facts from "./facts.js";
import { frame, leftOf, xAxis, yAxis } from "./axes.js";
import { cellsDrawn, colourIndices } from "./cells.js";
import { colourBar } from "./colour-bar.js";
import { columnsFor, noteOfGroups } from "./groups.js";
import { above, edgeMarks, hasHoles, heightOfKeys, keysBelow, keysOf, zoneMarks } from "./marks.js";
import { bottom, cells, shape } from "./parts.js";
import { heightOfPlot, sizeFor, tallFor, widthIn } from "./sizes.js";

export { painterOf } from "./paint-cells.js";

const { TOP, RIGHT } = facts.picture;
const { BELOW, BAR_TICKS, KEYS_LEFT } = facts.heatmap;

export function heatmapScene(asked, width) {
  const room = width - leftOf(asked.y) - RIGHT;
  const data = columnsFor(asked, widthIn(room));
  const keys = keysOf(data, width - 2 * KEYS_LEFT);
  const { plot, height } = place(data, width);
  const inside = cellsIn(data, plot);
  const below = bottom(plot) + BELOW + (data.bar_ticks.length ? BAR_TICKS : 0);
  const parts = [
    ...inside.parts,
    ...xAxis(data.x, plot, width),
    ...yAxis(data.y, plot, true),
    ...colourBar(data, plot),
    ...keysBelow(keys, KEYS_LEFT, below),
  ];
  const [rows, columns] = data.values.shape;
  const note = `${noteOfGroups(asked, data)} ${inside.note}`.trim();
  const tall = height + heightOfKeys(keys);
  return { width, height: tall, parts, plots: [plot], rows, columns, drawn: data, note };
}

// Everything inside the frame of a heatmap, and the numbers of its zones above it.
export function cellsIn(data, plot) {
  const shown = cellsDrawn(data, plot.width, plot.height);
  const indices = colourIndices(shown.values, data.limits, data.bend);
  const size = shown.values.shape;
  const parts = [
    cells("cells", plot, size, indices, data.scale),
    ...(hasHoles(data) ? [cells("cells", plot, size, Uint8Array.from(shown.values.data, Number.isNaN), "cover")] : []),
    frame(plot),
    ...edgeMarks(data, plot),
    ...zoneMarks(data, plot),
    ...outline(data, plot),
  ];
  return { parts, note: shown.note };
}

// The height stays the same while a slider adds rows, until they no longer fit.
function place(data, width) {
  const left = leftOf(data.y);
  const room = width - left - RIGHT;
  const tall = tallFor(data, heightOfPlot(room), room);
  const y = TOP + above(data);
  const plot = { x: left, y, ...sizeFor(data, tall, room) };
  const below = BELOW + (data.bar_ticks.length ? BAR_TICKS : 0);
  return { plot, height: y + Math.max(tall, plot.height) + below };
}

// Light around dark, seen on every colour.
function outline(data, plot) {
  if (!data.cursor) return [];
  const [row, column] = data.cursor;
  const [rows, columns] = data.values.shape;
  const [wide, tall] = [plot.width / columns, plot.height / rows];
  const [width, height] = [Math.max(wide, 7), Math.max(tall, 7)];
  const at = {
    x: plot.x + (plot.width * column) / columns + (wide - width) / 2,
    y: plot.y + (plot.height * row) / rows + (tall - height) / 2,
  };
  const size = { width, height, fill: "none" };
  return [
    ["white", 4],
    ["black", 2],
  ].map(([stroke, thick]) =>
    shape("cursor", "rect", { stroke, "stroke-width": thick, ...at, ...size }),
  );
}
