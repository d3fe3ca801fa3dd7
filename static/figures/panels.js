// The scene of panels of curves, as posenc/figures/panels.py and layout.py lay it out. No view that
// the page computes has maps in its panels.

import curveFacts from "./curve-facts.js";
import facts from "./facts.js";
import { leftOf, xAxis, yAxis } from "./axes.js";
import { curvesIn, legend } from "./curves.js";
import { above, heightOfKeys, keysBelow, keysOf, zoneMarks } from "./marks.js";
import { bottom, text } from "./parts.js";
import { rightOfPlot } from "./sizes.js";
import { roundHalfEven } from "./numbers/number-format.js";

const { NARROWEST_PANEL, NARROWEST_SMALL, TALLEST, TITLE_ABOVE, TICKS_BELOW, NAME_BELOW } = curveFacts.layout;
const { KEYS_LEFT } = facts.heatmap;

export function panelsScene(data, width) {
  const { panels } = data;
  if (panels.some((panel) => panel.kind !== "curves")) throw new Error("panels: curves alone");
  const left = Math.max(...panels.map((panel) => leftOf(panel.y)));
  const right = Math.max(...panels.map((panel) => rightOfPlot(panel.x)));
  const over = above(data);
  const series = panels.find((panel) => panel.series.length > 1)?.series ?? [];
  const names = legend(series, left, width - left - right);
  const layout = layOut(data, width, facts.picture.TOP + names.height, left, right);
  const keys = keysOf(data, width - 2 * KEYS_LEFT);
  const parts = [...names.parts];
  panels.forEach((panel, one) => {
    const plot = layout.plots[one];
    const style = { "font-size": facts.scene.LABEL_SIZE, "font-weight": "bold", fill: "text" };
    const x = layout.named[one] ? panel.x : { ...panel.x, label: "" };
    parts.push(
      ...curvesIn(plot, panel),
      ...zoneMarks(panel, plot),
      text("labels", panel.title, plot.x, plot.y - 8 - over, style),
      ...xAxis(x, plot, width),
      ...yAxis(panel.y, plot, false),
    );
  });
  keysBelow(keys, KEYS_LEFT, layout.height, parts);
  const [rows, columns] = data.values.shape;
  const height = layout.height + heightOfKeys(keys);
  return { width, height, parts, plots: layout.plots, rows, columns, drawn: data, note: "" };
}

function layOut(data, width, top, left, right) {
  const { panels } = data;
  const narrowest = data.panel_columns > 3 ? NARROWEST_SMALL : NARROWEST_PANEL;
  const fitting = Math.min(data.panel_columns, Math.floor(width / narrowest), panels.length);
  const beside = Math.max(1, fitting);
  const room = roundHalfEven(width / beside) - left - right;
  const flat = roundHalfEven(room * (data.panel_columns === 1 ? 0.2 : 0.6));
  const tall = Math.min(Math.max(flat, 110), TALLEST);
  const alike = new Set(panels.map((panel) => panel.x.label)).size === 1;
  const over = TITLE_ABOVE + above(data);
  const under = TICKS_BELOW + (alike ? 0 : NAME_BELOW);
  const plots = panels.map((_, one) => ({
    x: left + ((one % beside) * width) / beside,
    y: top + over + Math.floor(one / beside) * (over + tall + under),
    width: room,
    height: tall,
  }));
  const height = Math.max(...plots.map(bottom)) + under + (alike ? NAME_BELOW : 0);
  const named = panels.map((_, one) => !alike || one + beside >= panels.length);
  return { plots, named, height: roundHalfEven(height) };
}
