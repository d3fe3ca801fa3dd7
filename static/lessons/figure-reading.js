// What a picture says at a point: its values, and where each of them stands. Of a picture drawn in
// the page from its own numbers; of one from the server from those that came for it.

export const NEXT = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const FAR = { heatmap: { PageUp: [-5, 0], PageDown: [5, 0] } };
const OVER_X = ["curves", "bars", "points"]; // whose values are series over x
const FAR_ALONG = { PageUp: [0, -10], PageDown: [0, 10] };

function share(value, { limits: [low, high], scale }) {
  if (scale === "log") return Math.log(value / low) / Math.log(high / low);
  return (value - low) / (high - low);
}

// One plot: `data` has its numbers row by row, or is null where only the server has them.
class Place {
  constructor(facts) {
    Object.assign(this, facts);
  }

  value(row, column) {
    return this.data?.[row * this.shape[1] + column];
  }

  // Where a value stands in the picture; NaN where it stands nowhere.
  point(row, column) {
    const { x, y, width, height } = this.box;
    const [rows, columns] = this.shape;
    if (this.kind === "heatmap") {
      return [x + ((column + 0.5) / columns) * width, y + ((row + 0.5) / rows) * height];
    }
    const value = this.value(row, column);
    if (this.kind === "circles") {
      const radius = width / 2;
      return [x + radius * (1 + Math.cos(value)), y + radius * (1 - Math.sin(value))];
    }
    return [x + share(this.xs[column], this.x) * width, y + (1 - share(value, this.y)) * height];
  }

  holds(x, y) {
    const { box } = this;
    return x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
  }

  nearest(x, y) {
    const [rows, columns] = this.shape;
    const { box } = this;
    if (this.kind === "heatmap") {
      return [
        Math.floor(((y - box.y) / box.height) * rows),
        Math.floor(((x - box.x) / box.width) * columns),
      ];
    }
    if (this.kind === "circles" || this.kind === "points") return this.closest(x, y, range(0, columns));
    let column = 0; // of the points, first the one below or above the pointer, then the nearest curve
    const apart = (one) => Math.abs(this.point(0, one)[0] - x);
    for (let one = 1; one < columns; one += 1) if (apart(one) < apart(column)) column = one;
    return this.closest(x, y, [column]);
  }

  closest(x, y, columns) {
    let found = [0, columns[0]];
    let least = Infinity;
    for (let row = 0; row < this.shape[0]; row += 1) {
      for (const column of columns) {
        const [across, down] = this.point(row, column);
        const apart = Math.hypot(across - x, down - y);
        if (apart < least) [least, found] = [apart, [row, column]];
      }
    }
    return found;
  }
}

function range(first, last) {
  return Array.from({ length: last - first }, (_, one) => first + one);
}

export class Reading {
  constructor(width, height, places) {
    Object.assign(this, { width, height, places });
  }

  // The value nearest to a point of the picture: { place, row, column }, or null outside all plots.
  nearest(x, y) {
    const place = this.places.findIndex((one) => one.holds(x, y));
    if (place < 0) return null;
    const [row, column] = this.places[place].nearest(x, y);
    return { place, row, column };
  }

  point({ place, row, column }) {
    return this.places[place].point(row, column);
  }

  // The box of the plot that holds a value.
  plot({ place }) {
    return this.places[place].box;
  }

  // The box of a cell, or null where values are points of a curve.
  cell({ place, row, column }) {
    const { kind, box, shape } = this.places[place];
    if (kind !== "heatmap") return null;
    const [width, height] = [box.width / shape[1], box.height / shape[0]];
    return { x: box.x + column * width, y: box.y + row * height, width, height };
  }

  // The value that a key leads to, or null for another key. Past the last row comes the next plot.
  next({ place, row, column }, key) {
    const here = this.places[place];
    const last = here.shape[1] - 1;
    if (key === "Home" || key === "End") return { place, row, column: key === "Home" ? 0 : last };
    const step = NEXT[key] ?? (FAR[here.kind] ?? FAR_ALONG)[key];
    if (!step) return null;
    const to = row + step[0];
    const along = Math.min(Math.max(column + step[1], 0), last);
    if (to < 0 && place > 0) return this.inside(place - 1, Infinity, along);
    if (to >= here.shape[0] && place < this.places.length - 1) return this.inside(place + 1, 0, along);
    return this.inside(place, to, along);
  }

  inside(place, row, column) {
    const at = Math.min(place, this.places.length - 1);
    const [rows, columns] = this.places[at].shape;
    const within = (value, count) => Math.min(Math.max(value, 0), count - 1);
    return { place: at, row: within(row, rows), column: within(column, columns) };
  }

  // In words, or null where only the server knows. `own` are a reader's words beside the names of
  // rows and columns of the first plot.
  words({ place, row, column }, own = {}) {
    const one = this.places[place];
    const value = one.value(row, column);
    if (value === undefined) return null;
    const name = (axis, index, words) => {
      const word = place === 0 ? words?.[index] : undefined;
      return `${axis.noun} ${axis.names[index]}${word ? ` “${word}”` : ""}`;
    };
    const where = [name(one.columns, column, own.columns)];
    if (!OVER_X.includes(one.kind) || one.shape[0] > 1) where.unshift(name(one.rows, row, own.rows));
    const title = one.title ? `${one.title}: ` : "";
    return `${title}${where.join(", ")}: ${inDigits(value, one.scale)}`;
  }
}

function inDigits(value, scale) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "no number" : value < 0 ? "−∞" : "∞";
  if (scale === "category") return String(Math.round(value));
  const text = Math.abs(value).toFixed(4);
  if (Number(text) === 0) return text;
  return `${value < 0 ? "−" : scale === "signed_unit" ? "+" : ""}${text}`;
}

// Of a scene that the page has made.
export function readingOfScene({ width, height, plots, drawn }) {
  const { panels } = drawn;
  const places =
    drawn.kind === "circles"
      ? plots.map((box, row) => circleOf(drawn, box, row))
      : (panels?.length ? panels : [drawn]).map(
          (one, index) =>
            new Place({
              box: plots[index],
              kind: one.kind,
              scale: one.scale,
              shape: one.values.shape,
              data: one.values.data,
              xs: one.x.values?.data,
              x: one.x,
              y: one.y,
              rows: { noun: one.row_noun, names: one.row_names },
              columns: { noun: one.column_noun, names: one.column_names },
              title: panels?.length > 1 ? one.title : "",
            }),
        );
  return new Reading(width, height, places);
}

function circleOf(drawn, box, row) {
  const count = drawn.values.shape[1];
  return new Place({
    box,
    kind: "circles",
    scale: drawn.scale,
    shape: [1, count],
    data: drawn.values.data.subarray(row * count, (row + 1) * count),
    rows: { noun: drawn.row_noun, names: [drawn.row_names[row]] },
    columns: { noun: drawn.column_noun, names: drawn.column_names },
    title: "",
  });
}

// Of an answer of the server (`?reading=1`): numbers as float32, or null where they are too many.
export function readingOfAnswer({ width, height, places }) {
  const made = places.map(
    ({ box: [x, y, wide, high], values, xs, ...facts }) =>
      new Place({
        ...facts,
        box: { x, y, width: wide, height: high },
        data: values && numbersOf(values),
        xs: xs && numbersOf(xs),
      }),
  );
  return new Reading(width, height, made);
}

function numbersOf(text) {
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}
