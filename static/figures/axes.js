// Axes, frame and colour bar, as posenc/figures/axes.py lays them out.

import facts from "./facts.js";
import { colourShare } from "./cells.js";
import { bottom, cells, number, shape, text } from "./parts.js";
import { tickLabel } from "./numbers/axes.js";
import { roundHalfEven, significant } from "./numbers/number-format.js";

const { DIGIT, LETTER, TICK, MINOR_TICK, TICK_LABEL_BELOW, NAME_BELOW } = facts.axes;
const { LABEL_SIZE } = facts.scene;
const STRIP = Uint8Array.from({ length: 256 }, (_, index) => index);

// How far along its axis a value stands: 0 at the low end, 1 at the high end.
export function share(value, axis) {
  const [low, high] = axis.limits;
  if (axis.scale === "log") return Math.log(value / low) / Math.log(high / low);
  return (value - low) / (high - low);
}

export function frame(plot) {
  const at = { x: plot.x - 0.5, y: plot.y - 0.5, width: plot.width + 1, height: plot.height + 1 };
  return shape("axes", "rect", { fill: "none", stroke: "soft", ...at });
}

// Major ticks first; a value that is both is drawn once, as a major one.
function marksOf(axis) {
  const major = new Set(axis.ticks);
  return [...new Set([...axis.ticks, ...axis.minor_ticks])].map((tick) => [
    tick,
    number(major.has(tick) ? TICK : MINOR_TICK),
  ]);
}

function strokes(path) {
  return shape("axes", "path", { d: path, stroke: "soft", fill: "none" });
}

export function xAxis(axis, plot, width) {
  const stand = (tick) => plot.x + share(tick, axis) * plot.width;
  const under = number(bottom(plot) + 1);
  const path = marksOf(axis).map(([tick, length]) => `M${number(stand(tick))} ${under}v${length}`);
  const middle = { "text-anchor": "middle", fill: "text" };
  const labels = axis.ticks.map((tick, index) =>
    text("axes", axis.tick_labels[index], stand(tick), bottom(plot) + TICK_LABEL_BELOW, middle),
  );
  const parts = [strokes(path.join("")), ...labels];
  if (!axis.label) return parts;
  const half = (axis.label.length * LETTER) / 2; // a long label stays in the picture
  const at = Math.min(Math.max(plot.x + plot.width / 2, half), width - half);
  const style = { "text-anchor": "middle", "font-size": LABEL_SIZE, fill: "text" };
  return [...parts, text("axes", axis.label, at, bottom(plot) + NAME_BELOW, style)];
}

export function yAxis(axis, plot, downward) {
  const stand = (tick) => {
    const part = share(tick, axis);
    return plot.y + (downward ? part : 1 - part) * plot.height;
  };
  const left = number(plot.x - 1);
  const path = marksOf(axis).map(([tick, length]) => `M${left} ${number(stand(tick))}h-${length}`);
  const end = { "text-anchor": "end", fill: "text" };
  const labels = axis.ticks.map((tick, index) =>
    text("axes", axis.tick_labels[index], plot.x - 9, stand(tick) + 4.3, end),
  );
  const parts = [strokes(path.join("")), ...labels];
  if (!axis.label) return parts;
  const middle = plot.y + plot.height / 2;
  const beside = plot.x - leftOf(axis) + LABEL_SIZE;
  const style = {
    "text-anchor": "middle",
    "font-size": LABEL_SIZE,
    fill: "text",
    transform: `rotate(-90 ${number(beside)} ${number(middle)})`,
  };
  return [...parts, text("axes", axis.label, beside, middle, style)];
}

// The px that the words of a y axis need beside its plot.
export function leftOf(axis) {
  const digits = axis.tick_labels.length ? Math.max(...axis.tick_labels.map((one) => one.length)) : 1;
  return (axis.label ? LABEL_SIZE : 0) + 14 + roundHalfEven(digits * DIGIT);
}

export function colourBar(data, plot) {
  const [low, high] = data.limits.map((end) => barLabel(data, end));
  const left = Math.max(plot.x, (low.length + 1) * DIGIT);
  const right = plot.x + plot.width - high.length * DIGIT;
  const bar = { x: left, y: bottom(plot) + 53, width: right - left, height: 12 };
  const middle = bar.y + 10.3;
  return [
    cells("legend", bar, [1, 256], STRIP, data.scale),
    text("legend", low, bar.x - 7, middle, { "text-anchor": "end", fill: "text" }),
    text("legend", high, bar.x + bar.width + 7, middle, { fill: "text" }),
    ...data.bar_ticks.map((tick) => {
      const at = bar.x + bar.width * colourShare(tick, data.limits, data.bend);
      const style = { "text-anchor": "middle", fill: "text" };
      return text("legend", barLabel(data, tick), at, bottom(bar) + 15, style);
    }),
  ];
}

function barLabel(data, value) {
  if (data.limits[0] >= 0) return tickLabel(significant(value, 4));
  const size = String(significant(Math.abs(value), 6));
  return (value > 0 ? "+" : value < 0 ? "−" : "") + size;
}
