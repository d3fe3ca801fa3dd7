// The colour bar below a map, as posenc/figures/axes.py lays it out.

import facts from "./facts.js";
import { colourShare } from "./cells.js";
import { bottom, cells, text } from "./parts.js";
import { tickLabel } from "./numbers/axes.js";
import { significant } from "./numbers/number-format.js";

const { DIGIT } = facts.axes;
const STRIP = Uint8Array.from({ length: 256 }, (_, index) => index);

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
