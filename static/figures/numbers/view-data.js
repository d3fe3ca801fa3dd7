// The data of a picture, with the names and the defaults of posenc/views.py. The server brings
// title, subtitle and finding of the whole; panels have titles of their own.

export function viewData(fields) {
  return {
    title: "",
    subtitle: "",
    finding: "",
    unit: "value",
    bend: 0,
    bar_ticks: [],
    masked: "",
    series: [],
    between: null,
    band: null,
    zones: [],
    edges: [],
    cursor: null,
    row_noun: "row",
    row_names: [],
    column_noun: "column",
    column_names: [],
    kinds: [],
    square: false,
    panels: [],
    panel_columns: 1,
    summary: {},
    ...fields,
  };
}

export function array(shape, data) {
  return { shape, data };
}

// 0, 1 ... count - 1, or from `first` on.
export function counting(count, first = 0) {
  return Float64Array.from({ length: count }, (_, index) => first + index);
}

export function names(numbers) {
  return Array.from(numbers, String);
}

// numpy's linspace: the last point is exactly `high`.
export function linspace(low, high, count) {
  const step = count > 1 ? (high - low) / (count - 1) : 0;
  const points = Float64Array.from({ length: count }, (_, index) => index * step + low);
  if (count > 1) points[count - 1] = high;
  return points;
}

export function lowest(numbers) {
  return numbers.reduce((low, one) => (one < low ? one : low), Infinity);
}

export function highest(numbers) {
  return numbers.reduce((high, one) => (one > high ? one : high), -Infinity);
}
