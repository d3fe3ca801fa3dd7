// Axes and frame, as posenc/figures/axes.py lays them out.

import facts from "./facts.js";
import { bottom, number, shape, text } from "./parts.js";
import { roundHalfEven } from "./numbers/number-format.js";

const { DIGIT, LETTER, TICK, MINOR_TICK, TICK_LABEL_BELOW, NAME_BELOW } = facts.axes;
const { LABEL_SIZE } = facts.scene;

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
