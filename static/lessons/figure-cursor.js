// The cell cursor: a click on the picture or the arrow keys move the outlined cell.

export const STEPS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-5, 0],
  PageDown: [5, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

// Where the cells of a picture of the page are, as the server's answers say it of theirs.
export function factsOf(scene) {
  const { x, y, width, height } = scene.plots[0];
  const names = scene.drawn.column_names.map(Number);
  const isOrdered = !scene.drawn.cursor || names.every((name, column) => name === column);
  const order = isOrdered ? null : names;
  const { rows, columns } = scene;
  const size = { width: scene.width, height: scene.height };
  return { plot: [x, y, width, height], ...size, rows, columns, order, kind: scene.drawn.kind };
}

export class Cursor {
  constructor(root, parts, controls, narrow) {
    this.parts = parts;
    this.controls = controls;
    if (!controls.hasCursor()) return;
    this.facts = JSON.parse(root.dataset.geometry)[narrow ? "narrow" : "wide"];
    this.dock();
    const button = parts.cursor; // what takes keys and pointers
    button.hidden = false;
    button.addEventListener("keydown", (event) => this.key(event));
    button.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "touch") this.point(event);
    });
    // A finger that scrolls past has not chosen a cell: a tap has, and only then comes a click.
    button.addEventListener("click", (event) => {
      if (event.pointerType === "touch") this.point(event);
    });
    button.addEventListener("pointermove", (event) => {
      if (event.buttons & 1 && event.pointerType === "mouse") this.point(event);
    });
  }

  settle(answer) {
    if (!this.facts) return;
    this.facts = answer;
    this.parts["cursor-text"].textContent = answer.cursor;
    this.dock();
  }

  // A picture drawn in the page: where its cells are.
  place(scene) {
    if (!this.facts) return;
    this.facts = { ...this.facts, ...factsOf(scene) };
    this.dock();
  }

  // The card below the picture points to the column of the cell.
  dock() {
    const { plot, width, columns } = this.facts;
    const column = this.column(this.controls.number(this.controls.cursor[1]));
    const share = (plot[0] + ((column + 0.5) / columns) * plot[2]) / width;
    this.parts.card?.parentElement.style.setProperty("--cell", share.toFixed(4));
  }

  key(event) {
    const step = STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [row, column] = this.controls.cursor.map((name) => this.controls.number(name));
    this.move(row + step[0], this.column(column) + step[1]);
  }

  // Grouped pictures show the dimensions in another order than that of their numbers.
  column(dimension) {
    const { order } = this.facts;
    return order ? order.indexOf(dimension) : dimension;
  }

  // The picture is shown smaller than it was drawn on a narrow screen.
  point(event) {
    if (event.button > 0) return;
    const box = this.parts.picture.getBoundingClientRect();
    const { plot, width, height, rows, columns } = this.facts;
    const x = ((event.clientX - box.left) / box.width) * width - plot[0];
    const y = ((event.clientY - box.top) / box.height) * height - plot[1];
    if (x < 0 || y < 0 || x >= plot[2] || y >= plot[3]) return;
    this.move(Math.floor((y / plot[3]) * rows), Math.floor((x / plot[2]) * columns));
  }

  // To the row, the column or the cell that words of the text name.
  follow(place) {
    if (!this.facts) return;
    const [down, across] = this.controls.cursor;
    if (place.row !== undefined) this.controls.set(down, place.row);
    if (place.column !== undefined) this.controls.set(across, place.column);
  }

  move(row, column) {
    const { order, columns } = this.facts;
    const inside = Math.min(Math.max(column, 0), columns - 1);
    const [down, across] = this.controls.cursor;
    this.controls.set(down, row);
    this.controls.set(across, order ? order[inside] : inside);
  }
}
