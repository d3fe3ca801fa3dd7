// The scene of curves, as posenc/figures/curves.py lays it out.

import curveFacts from "./curve-facts.js";
import facts from "./facts.js";
import { frame, leftOf, share, xAxis, yAxis } from "./axes.js";
import { above, heightOfKeys, keysBelow, keysOf, zoneMarks, zonesBehind } from "./marks.js";
import { bottom, number, seriesColour, shape, text } from "./parts.js";
import { heightOfPlot, rightOfPlot } from "./sizes.js";
import { roundHalfEven } from "./numbers/number-format.js";

const { BELOW, LEGEND_LINE, SAMPLE, DASHES, MARKS, CLOSEST_MARKS, MANY_POINTS } = curveFacts.curves;
const { TOP } = facts.picture;

export function curvesScene(data, width) {
  const left = leftOf(data.y);
  const room = width - left - rightOfPlot(data.x);
  const names = legend(data.series, left, room);
  const y = TOP + names.height + above(data);
  const plot = { x: left, y, width: room, height: heightOfPlot(room) };
  const keys = keysOf(data, room);
  const end = bottom(plot) + BELOW;
  const parts = [
    ...names.parts,
    ...curvesIn(plot, data),
    ...zoneMarks(data, plot),
    ...xAxis(data.x, plot, width),
    ...yAxis(data.y, plot, false),
    ...keysBelow(keys, left, end),
  ];
  const [rows, columns] = data.values.shape;
  const height = roundHalfEven(end) + heightOfKeys(keys);
  return { width, height, parts, plots: [plot], rows, columns, drawn: data, note: "" };
}

export function curvesIn(plot, data) {
  const parts = [...zonesBehind(data, plot), ...band(data, plot), grid(data.y, plot), frame(plot)];
  for (let row = 0; row < data.values.shape[0]; row += 1) parts.push(...curve(data, row, plot));
  return parts;
}

function curve(data, row, plot) {
  const colour = seriesColour(row);
  const xs = across(data.x.values.data, data.x, plot);
  const ys = down(rowOf(data.values, row), data.y, plot);
  let line = path(...seen(xs, ys));
  if (data.between) {
    const finer = across(data.between.x.data, data.x, plot);
    line = path(...seen(finer, down(rowOf(data.between.values, row), data.y, plot)));
  }
  const style = { fill: "none", stroke: colour, "stroke-width": 1.8 };
  const dash = DASHES[row % DASHES.length];
  const drawn = shape("lines", "path", { d: line, ...style, "stroke-dasharray": dash });
  if (xs.length > 1 && plot.width / (xs.length - 1) < CLOSEST_MARKS) return [drawn];
  let d = "";
  xs.forEach((x, one) => {
    if (Number.isFinite(x + ys[one]) || Math.abs(x + ys[one]) === Infinity) {
      d += `M${number(x)} ${number(ys[one])}${MARKS[row % MARKS.length]}`;
    }
  });
  return [drawn, shape("marks", "path", { d, fill: colour })];
}

function rowOf({ shape: [, columns], data }, row) {
  return data.subarray(row * columns, (row + 1) * columns);
}

// The points of a line that a screen can show: of those in one column of pixels the first, the
// last, the highest and the lowest; all of them where there are few, or where the line is broken.
function seen(xs, ys) {
  if (!xs.every(Number.isFinite) || !ys.every(Number.isFinite)) return [xs, ys];
  const starts = [];
  for (let one = 0; one < xs.length; one += 1) {
    if (!one || Math.floor(xs[one]) !== Math.floor(xs[one - 1])) starts.push(one);
  }
  if (xs.length <= Math.max(2 * starts.length, MANY_POINTS)) return [xs, ys];
  const kept = [];
  starts.forEach((first, column) => {
    const end = starts[column + 1] ?? xs.length;
    let [least, most] = [first, first];
    for (let one = first; one < end; one += 1) {
      if (ys[one] < ys[least]) least = one;
      if (ys[one] >= ys[most]) most = one;
    }
    const four = new Set([first, end - 1, least, most]);
    kept.push(...[...four].sort((one, other) => one - other));
  });
  return [kept.map((one) => xs[one]), kept.map((one) => ys[one])];
}

// A line through the points, broken where one is no number.
function path(xs, ys) {
  let line = "";
  let pen = "M";
  for (let one = 0; one < xs.length; one += 1) {
    const there = Number.isFinite(xs[one]) && Number.isFinite(ys[one]);
    if (there) line += `${pen}${xs[one].toFixed(2)} ${ys[one].toFixed(2)}`;
    pen = there ? "L" : "M";
  }
  return line;
}

function across(values, axis, plot) {
  return Float64Array.from(values, (value) => plot.x + share(value, axis) * plot.width);
}

function down(values, axis, plot) {
  const end = bottom(plot);
  return Float64Array.from(values, (value) => end - share(value, axis) * plot.height);
}

function band(data, plot) {
  if (!data.band) return [];
  const [low, high] = [data.band.low, data.band.high].map((end) => share(end, data.y));
  const y = bottom(plot) - high * plot.height;
  const at = { x: plot.x, y, width: plot.width, height: (high - low) * plot.height };
  return [
    shape("zones", "rect", { ...at, fill: "masked" }),
    text("zones", data.band.label, plot.x + 8, y + 16, { fill: "text" }),
  ];
}

// A faint line at each tick of y.
function grid(axis, plot) {
  const lines = axis.ticks.map((tick) => {
    const y = bottom(plot) - share(tick, axis) * plot.height;
    return `M${number(plot.x)} ${number(y)}h${number(plot.width)}`;
  });
  const style = { stroke: "soft", "stroke-opacity": 0.25, fill: "none" };
  return shape("axes", "path", { d: lines.join(""), ...style });
}

// A sample and a name for each curve, in lines as long as the plot, and their height.
export function legend(series, left, room) {
  if (series.length < 2) return { parts: [], height: 0 };
  const parts = [];
  let [x, y] = [left, TOP + 10];
  series.forEach((name, row) => {
    const length = SAMPLE + 8 + name.length * facts.axes.DIGIT * 0.9 + 14;
    if (x > left && x + length > left + room) [x, y] = [left, y + LEGEND_LINE];
    const colour = seriesColour(row);
    const style = { "stroke-width": 1.8, "stroke-dasharray": DASHES[row % DASHES.length] };
    const mark = MARKS[row % MARKS.length];
    parts.push(
      shape("legend", "path", { d: `M${number(x)} ${number(y)}h${SAMPLE}`, stroke: colour, ...style }),
      shape("legend", "path", { d: `M${number(x + SAMPLE / 2)} ${number(y)}${mark}`, fill: colour }),
      text("legend", name, x + SAMPLE + 8, y + 4.3, { fill: "text" }),
    );
    x += length;
  });
  return { parts, height: roundHalfEven(y - TOP + 14) };
}
