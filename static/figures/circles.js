// The scene of circles, as posenc/figures/circles.py lays it out.

import curveFacts from "./curve-facts.js";
import facts from "./facts.js";
import { bottom, seriesColour, shape, text } from "./parts.js";
import { roundHalfEven } from "./numbers/number-format.js";

const { NARROWEST_CIRCLE, NAME_ABOVE, FAINTEST, OF_TWO } = curveFacts.circles;

export function circlesScene(data, width) {
  const [count, positions] = data.values.shape;
  const beside = Math.min(count, Math.max(2, Math.floor(width / NARROWEST_CIRCLE)), 4);
  const cell = width / beside;
  const size = Math.min(cell - 24, 200);
  const plots = Array.from({ length: count }, (_, one) => ({
    x: (one % beside) * cell + (cell - size) / 2,
    y: NAME_ABOVE + Math.floor(one / beside) * (size + NAME_ABOVE + 10),
    width: size,
    height: size,
  }));
  const parts = plots.flatMap((box, row) => circle(data, row, box));
  const height = roundHalfEven(bottom(plots.at(-1)) + 12);
  return { width, height, parts, plots, rows: count, columns: positions, drawn: data, note: "" };
}

function circle(data, row, box) {
  const radius = box.width / 2;
  const [x, y] = [box.x + radius, box.y + radius];
  const colour = seriesColour(row);
  const style = { "text-anchor": "middle", "font-size": facts.scene.LABEL_SIZE, fill: "text" };
  const parts = [
    text("labels", data.series[row], x, box.y - 10, style),
    shape("axes", "circle", { cx: x, cy: y, r: radius, fill: "none", stroke: "soft" }),
  ];
  const positions = data.values.shape[1];
  for (let position = 0; position < positions; position += 1) {
    const angle = data.values.data[row * positions + position];
    const last = position === positions - 1;
    const [cx, cy] = [x + radius * Math.cos(angle), y - radius * Math.sin(angle)];
    const solid = opacity(position, positions);
    const hand = { "stroke-opacity": solid, stroke: colour, "stroke-width": last ? 3 : 1.5 };
    parts.push(
      shape("lines", "line", { x1: x, y1: y, x2: cx, y2: cy, ...hand }),
      shape("marks", "circle", { cx, cy, r: last ? 5 : 3, fill: colour, "fill-opacity": solid }),
    );
  }
  return parts;
}

function opacity(position, positions) {
  if (positions === 1) return 1;
  if (positions === 2) return position ? 1 : OF_TWO;
  return FAINTEST + (1 - FAINTEST) * (position / (positions - 1)) ** 2;
}
