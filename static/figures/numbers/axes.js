// Axes with the ticks and the labels of posenc/views.py.

import { fixed, grouped } from "./number-format.js";
import { array } from "./view-data.js";

export function axis(label, limits, ticks, tickLabels, values = null) {
  return {
    label,
    limits,
    ticks,
    tick_labels: tickLabels,
    minor_ticks: [],
    scale: "linear",
    values: values && array([values.length], values),
  };
}

// 10 ** 23 is not the number nearest to it; a decimal literal is.
function powerOfTen(power) {
  return Number(`1e${power}`);
}

export function tickLabel(value) {
  return (value < 0 ? "−" : "") + grouped(Math.abs(value));
}

// The smallest of 1, 2, 5, 10, 20, 50 ... that leaves at most `most` ticks.
export function tickStep(count, most) {
  for (let power = 1; ; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) {
      if (Math.ceil(count / step) <= most) return step;
    }
  }
}

export function cellAxis(label, count, most) {
  const step = tickStep(count, most);
  const ticks = [];
  const minor = [];
  for (let cell = 0; cell < count; cell += 1) {
    if (cell % step === 0) ticks.push(cell);
    else if (count <= 60) minor.push(cell);
  }
  return { ...axis(label, [-0.5, count - 0.5], ticks, ticks.map(String)), minor_ticks: minor };
}

export function numberAxis(label, low, high, values = null) {
  const wide = high > low ? high - low : 1;
  const power = powerOfTen(Math.floor(Math.log10(wide / 5)));
  const step = [1, 2, 5, 10].map((size) => size * power).find((one) => wide / one <= 6 + 1e-9);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  const ticks = [];
  for (let number = first; number <= last; number += 1) {
    ticks.push(Number(fixed(number * step, 12)) + 0); // + 0: no tick is -0
  }
  return axis(label, [ticks[0], ticks.at(-1)], ticks, ticks.map(tickLabel), values);
}

export function logAxis(label, low, high) {
  const first = Math.floor(Math.log10(low));
  const last = Math.max(Math.ceil(Math.log10(high)), first + 1);
  const every = Math.max(1, Math.floor((Math.ceil(Math.log10(high)) - first) / 6));
  const ticks = [];
  for (let power = first; power <= last; power += every) ticks.push(powerOfTen(power));
  const limits = [powerOfTen(first), powerOfTen(last)];
  return { ...axis(label, limits, ticks, ticks.map(tickLabel)), scale: "log" };
}

// From 0 to exactly `highest`, which need not be a tick; to 1 for only 0.
export function endAxis(label, highest, values) {
  const wider = numberAxis(label, 0, highest);
  const ticks = wider.ticks.filter((tick) => tick <= highest);
  const labels = wider.tick_labels.slice(0, ticks.length);
  return axis(label, [0, highest || 1], ticks, labels, values);
}

// The axis cut to the numbers that are drawn.
export function exactly(wider, at) {
  const [low, high] = [at[0], at.at(-1)];
  const kept = wider.ticks.map((tick) => low <= tick && tick <= high);
  const cut = (list) => list.filter((_, index) => kept[index]);
  return axis(wider.label, [low, high], cut(wider.ticks), cut(wider.tick_labels), at);
}
