// The columns of a heatmap with all of one kind together, as posenc/column_kinds.py puts them.

import { axis, tickStep } from "./axes.js";

const TICKS = 5; // of each kind at most

export function groupColumns(data) {
  const kinds = [...new Set(data.kinds)];
  const rank = data.kinds.map((kind) => kinds.indexOf(kind));
  const order = rank.map((_, index) => index).sort((one, other) => rank[one] - rank[other]);
  const pick = (list) => order.map((column) => list[column]);
  return {
    ...data,
    values: data.values.grouped(),
    kinds: pick(data.kinds),
    column_names: data.column_names.length ? pick(data.column_names) : [],
    cursor: data.cursor && [data.cursor[0], order.indexOf(data.cursor[1])],
    x: groupedAxis(data.kinds, kinds),
    zones: zonesOf(data, order, kinds),
  };
}

// Within each kind, its columns are numbered from 0.
function groupedAxis(columns, kinds) {
  const places = [];
  const labels = [];
  let first = 0;
  for (const kind of kinds) {
    const count = columns.filter((one) => one === kind).length;
    const end = Math.max(1, Math.floor((count * 7) / 8)); // room for the next kind
    for (let pair = 0; pair < end; pair += tickStep(count, TICKS)) {
      places.push(first + pair);
      labels.push(String(pair));
    }
    first += count;
  }
  return axis(`pair i of the ${kinds.join(", then of the ")}`, [-0.5, first - 0.5], places, labels);
}

// A zone for each kind; where the data have zones of their own, their parts in it.
function zonesOf(data, order, kinds) {
  const name = (column) => data.column_names[column] ?? String(column);
  const zones = [];
  for (const kind of kinds) {
    const columns = order.filter((column) => data.kinds[column] === kind);
    const first = order.indexOf(columns[0]);
    if (!data.zones.length) {
      const few = columns.slice(0, 2).map(name).join(", ");
      const label = `${kind}: ${data.column_noun}s ${few} … ${name(columns.at(-1))}`;
      zones.push({ low: first - 0.5, high: first + columns.length - 0.5, label });
    }
    for (const zone of data.zones) {
      const inside = columns.map((one) => zone.low < one && one < zone.high);
      const [low, high] = [inside.indexOf(true), inside.lastIndexOf(true)];
      if (low < 0) continue;
      const label = `${kind}: ${zone.label}`;
      zones.push({ low: first + low - 0.5, high: first + high + 0.5, label });
    }
  }
  return zones;
}
