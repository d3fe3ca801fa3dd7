// A sentence as rows and columns: the weights of its words, or their outputs. Where words can be moved
// a row and a column travel as one, and arrow keys read the cells.

import { DIMENSIONS } from "./word-attention.js";
import { placesOfTwins, signed } from "./says.js";

const SVG = "http://www.w3.org/2000/svg";
const FULL_COLOUR = 1.5;
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function element(tag, look = "", words = "") {
  const part = document.createElement(tag);
  if (look) part.className = look;
  part.textContent = words;
  return part;
}

// The children of a parent in another order. The pinned child stays where it is in the document, so
// that it keeps the focus and the pointer; the others go to its sides.
export function reorder(parent, children, pinned) {
  const at = children.indexOf(pinned);
  children.forEach((child, place) => {
    if (place < at) parent.insertBefore(child, pinned);
    else if (place > at) parent.append(child);
  });
}

export class Table {
  // `tile` makes the handle of a word; without one the table is only read.
  constructor(sentence, place, tile = null) {
    Object.assign(this, { sentence, place, tile });
    this.isOutputs = sentence.look === "outputs";
    this.caption = place.querySelector("caption").textContent;
  }

  build() {
    const { words } = this.sentence;
    const table = element("table", "sentence__table");
    if (this.tile) table.setAttribute("role", "grid");
    table.append(element("caption", "visually-hidden", this.caption), element("thead"), element("tbody"));
    this.columns = this.isOutputs ? Array.from({ length: DIMENSIONS }, (_, at) => at) : words.map((_, token) => token);
    this.corner = element("th", "sentence__corner");
    this.corner.scope = "col";
    this.corner.append(...(this.isOutputs ? ["word"] : [element("span", "", "from ↓"), " ", element("span", "", "to →")]));
    this.heads = this.columns.map((column) => this.head(column));
    this.rows = words.map((_, token) => this.row(token));
    this.top = element("tr");
    this.top.append(this.corner, ...this.heads);
    table.tHead.append(this.top);
    this.body = table.tBodies[0];
    this.body.append(...this.rows.map(({ row }) => row));
    if (this.tile) {
      table.addEventListener("pointerover", (event) => this.read(event.target.closest("td")));
      table.addEventListener("focusin", (event) => this.read(event.target.closest("td")));
      table.addEventListener("keydown", (event) => this.step(event));
    }
    this.place.replaceChildren(table);
  }

  head(column) {
    const head = element("th");
    head.scope = "col";
    const label = element("span", "sentence__tile sentence__tile--column", this.isOutputs ? column + 1 : this.sentence.words[column]);
    if (this.isOutputs || !this.tile) label.classList.add("sentence__tile--still");
    else Object.assign(label.dataset, { token: column, axis: "x" });
    head.append(label);
    return head;
  }

  row(token) {
    const row = element("tr");
    const head = element("th");
    head.scope = "row";
    const label = this.tile?.(token, "y") ?? element("span", "sentence__tile", this.sentence.words[token]);
    head.append(label);
    const cells = this.columns.map((column) => {
      const cell = element("td");
      const ground = document.createElementNS(SVG, "svg");
      for (const [name, value] of Object.entries({ viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" }))
        ground.setAttribute(name, value);
      const paint = document.createElementNS(SVG, "rect");
      paint.setAttribute("width", 1);
      paint.setAttribute("height", 1);
      ground.append(paint);
      cell.append(ground, element("span"));
      Object.assign(cell.dataset, { row: token, column });
      return cell;
    });
    row.append(head, ...cells);
    return { row, head, label, cells };
  }

  // The parts in the order of the words, the handle of the pinned word where it was.
  arrange(order, pinned) {
    const rows = order.map((token) => this.rows[token].row);
    reorder(this.body, rows, this.rows[pinned]?.row ?? rows[0]);
    if (this.isOutputs) return;
    const across = (head, parts) => [head, ...order.map((token) => parts[token])];
    reorder(this.top, across(this.corner, this.heads), this.heads[pinned] ?? this.corner);
    for (const { row, head, cells } of this.rows) reorder(row, across(head, cells), head);
  }

  // The numbers of a sentence in its order, and their colours.
  paint({ order, attention, causal }) {
    const slots = new Map(order.map((token, slot) => [token, slot]));
    this.rows.forEach(({ cells }, token) => {
      const row = slots.get(token);
      cells.forEach((cell, at) => {
        const column = this.isOutputs ? at : slots.get(at);
        const [words, strength, kind] = this.isOutputs
          ? outputLook(attention.outputs[row][column])
          : weightLook(attention.weights[row][column], causal && column > row);
        cell.className = `sentence__cell sentence__cell--${kind}`;
        cell.querySelector("rect").setAttribute("fill-opacity", strength.toFixed(3));
        cell.lastChild.textContent = words;
      });
    });
    this.hold(this.held ?? null); // of which the cells have lost the sign
    this.mark();
  }

  // How far each word is from its place, in places: its row and its column are shown there.
  shift(offsets) {
    const { width, height } = this.size;
    this.rows.forEach(({ row, cells }, token) => {
      move(row, 0, (offsets[token] ?? 0) * height);
      if (!this.isOutputs) cells.forEach((cell, at) => move(cell, (offsets[at] ?? 0) * width, 0));
    });
    if (!this.isOutputs) this.heads.forEach((head, at) => move(head, (offsets[at] ?? 0) * width, 0));
  }

  // Of one place, in px, whatever is on its way.
  measure() {
    const [first, second] = this.body.rows;
    const cells = first.cells;
    this.size = { width: cells[2].offsetLeft - cells[1].offsetLeft, height: second.offsetTop - first.offsetTop };
    return this.size;
  }

  hold(token) {
    this.held = token;
    this.rows.forEach(({ row }, at) => row.classList.toggle("sentence__row--held", at === token));
    if (this.isOutputs) return;
    for (const parts of [this.heads, ...this.rows.map(({ cells }) => cells)])
      parts.forEach((part, at) => part.classList.toggle("sentence__part--held", at === token));
  }

  read(cell) {
    if (!cell) return;
    this.sentence.readCell(Number(cell.dataset.row), Number(cell.dataset.column));
    this.mark();
  }

  // The cell that is read, and the one below or above it in the row of an equal word.
  mark() {
    if (!this.tile) return;
    const { pair, words } = this.sentence;
    const twins = placesOfTwins(words);
    this.rows.forEach(({ cells }, row) => {
      cells.forEach((cell, column) => {
        const isRead = row === pair[0] && column === pair[1];
        cell.classList.toggle("sentence__cell--read", isRead);
        const isTwin = !isRead && column === pair[1] && twins.includes(row) && twins.includes(pair[0]);
        cell.classList.toggle("sentence__cell--twin", isTwin);
        cell.tabIndex = isRead ? 0 : -1;
      });
    });
  }

  step(event) {
    const cell = event.target.closest("td");
    const step = STEPS[event.key];
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = cell.parentElement;
    const ends = { Home: row.cells[1], End: row.cells[row.cells.length - 1] };
    const next = step ? this.body.rows[row.rowIndex - 1 + step[0]]?.cells[cell.cellIndex + step[1]] : ends[event.key];
    if (!step && !next) return;
    event.preventDefault();
    if (next?.tagName === "TD") next.focus();
  }
}

function move(part, x, y) {
  part.style.transform = x || y ? `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)` : "";
}

function weightLook(weight, isMasked) {
  return isMasked ? ["0", 0, "masked"] : [weight.toFixed(2), weight, "weight"];
}

function outputLook(value) {
  return [signed(value), Math.min(Math.abs(value) / FULL_COLOUR, 1), value < 0 ? "minus" : "plus"];
}
