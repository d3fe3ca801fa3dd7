// The weights of one query: plain softmax, and softmax with a temperature and a sink.

import { axis, cellAxis } from "../../numbers/axes.js";
import { read } from "../../numbers/parameters.js";
import { array, counting, highest, names, viewData } from "../../numbers/view-data.js";

const USUAL = { keys: 3, sink: true, sink_score: 1, temperature: 1 };
const [BEST, SECOND] = [2, 1];

export function cells(parameters) {
  return 2 * (read(parameters, USUAL).keys + 1);
}

function softmax(scores, more) {
  const top = highest([...scores, ...more]);
  const powers = scores.map((score) => Math.exp(score - top));
  const total = [...powers, ...more.map((score) => Math.exp(score - top))].reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}

function keyAxis(keys, hasSink) {
  const plain = cellAxis("key", keys, 8);
  if (!hasSink) return plain;
  const kept = plain.ticks.filter((tick) => keys - tick > keys / 16);
  const wider = axis("key", [-0.5, keys + 0.5], [...kept, keys], [...kept.map(String), "sink"]);
  return { ...wider, minor_ticks: plain.minor_ticks };
}

export function compute(parameters) {
  const { keys, sink, sink_score: sinkScore, temperature } = read(parameters, USUAL);
  const scores = Array.from({ length: keys }, (_, key) => [BEST, SECOND][key] ?? 0);
  const plain = softmax(scores, []);
  const changed = softmax(
    scores.map((score) => temperature * score),
    sink ? [sinkScore] : [],
  );
  const left = 1 - changed.reduce((sum, weight) => sum + weight, 0);
  const rows = sink ? [...plain, NaN, ...changed, left] : [...plain, ...changed];
  return viewData({
    kind: "heatmap",
    scale: "magnitude",
    values: array([2, rows.length / 2], Float64Array.from(rows)),
    x: keyAxis(keys, sink),
    y: axis("softmax", [-0.5, 1.5], [0, 1], ["plain", "changed"]),
    limits: [0, 1],
    unit: "weight",
    masked: sink ? "no sink" : "",
    row_noun: "softmax",
    row_names: ["plain", "changed"],
    column_noun: "key",
    column_names: [...names(counting(keys)), ...(sink ? ["sink"] : [])],
  });
}
