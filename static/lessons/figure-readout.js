// The value under the pointer, with the names of its row and column. A picture drawn in the page
// reads its own numbers; for others the server is asked for the one cell once the pointer rests.
// Where a picture has no outlined cell, a tap or the arrow keys choose the cell.

import { STEPS } from "./figure-cursor.js";
import { ask } from "./figure-request.js";

const REST_MS = 120;
const ASIDE = 14; // px from the pointer

export class Readout {
  constructor(root, parts, { hasCursor, narrow, query }) {
    Object.assign(this, { root, parts, hasCursor, query });
    this.facts = JSON.parse(root.dataset.geometry)[narrow ? "narrow" : "wide"];
    this.box = document.createElement("p");
    this.box.className = "live__readout";
    this.box.setAttribute("aria-hidden", "true");
    this.box.hidden = true;
    this.spoken = document.createElement("p");
    this.spoken.className = "visually-hidden";
    this.spoken.setAttribute("aria-live", "polite");
    parts.canvas.append(this.box, this.spoken);
    parts.canvas.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this.point(event);
    });
    parts.canvas.addEventListener("pointerleave", () => this.hide());
    parts.canvas.addEventListener("click", (event) => {
      if (event.pointerType === "touch") this.point(event);
    });
    if (!hasCursor && this.isRead()) this.takeKeys();
  }

  isRead() {
    return this.facts.kind === "heatmap";
  }

  takeKeys() {
    const { cursor } = this.parts;
    this.at = [0, 0];
    cursor.hidden = false;
    cursor.addEventListener("keydown", (event) => this.key(event));
    cursor.addEventListener("blur", () => this.hide());
    this.parts["cursor-text"].textContent = "the first cell";
  }

  // Another picture: what was read is of the one before.
  settle(facts) {
    this.facts = { ...this.facts, ...facts };
    this.hide();
  }

  place(scene) {
    const { x, y, width, height } = scene.plots[0];
    const size = { width: scene.width, height: scene.height, rows: scene.rows };
    const plot = [x, y, width, height];
    this.facts = { kind: scene.drawn.kind, plot, ...size, columns: scene.columns };
    this.drawn = scene.drawn;
    this.hide();
  }

  // A picture that the server drew has its numbers there.
  leavePage() {
    this.drawn = undefined;
  }

  hide() {
    clearTimeout(this.rest);
    this.wanted = undefined;
    this.box.hidden = true;
  }

  point(event) {
    if (!this.isRead()) return;
    const picture = this.parts.picture.getBoundingClientRect();
    const { plot, width, height, rows, columns } = this.facts;
    const x = ((event.clientX - picture.left) / picture.width) * width - plot[0];
    const y = ((event.clientY - picture.top) / picture.height) * height - plot[1];
    if (x < 0 || y < 0 || x >= plot[2] || y >= plot[3]) return this.hide();
    this.at = [Math.floor((y / plot[3]) * rows), Math.floor((x / plot[2]) * columns)];
    this.read([event.clientX - picture.left, event.clientY - picture.top]);
  }

  key(event) {
    const step = STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const { plot, width, height, rows, columns } = this.facts;
    const inside = (value, count) => Math.min(Math.max(value, 0), count - 1);
    this.at = [inside(this.at[0] + step[0], rows), inside(this.at[1] + step[1], columns)];
    const picture = this.parts.picture.getBoundingClientRect();
    const across = plot[0] + ((this.at[1] + 0.5) / columns) * plot[2];
    const down = plot[1] + ((this.at[0] + 0.5) / rows) * plot[3];
    this.read([(across / width) * picture.width, (down / height) * picture.height], true);
  }

  read(place, speak = false) {
    const [row, column] = this.at;
    const cell = `${row},${column}`;
    if (cell === this.wanted) return this.show(undefined, place);
    this.hide();
    this.wanted = cell;
    if (this.drawn) return this.show(cellInWords(this.drawn, row, column), place, speak);
    this.rest = setTimeout(async () => {
      try {
        const query = `${this.query()}&at=${cell}`;
        const { words } = await ask(this.root.dataset.address, query, this.root.dataset.version);
        if (cell === this.wanted) this.show(words, place, speak);
      } catch (error) {
        console.warn(error); // the table has the value as well
      }
    }, REST_MS);
  }

  show(words, [x, y], speak) {
    if (words !== undefined) {
      this.box.textContent = words;
      this.box.hidden = false;
      if (speak) this.spoken.textContent = words;
    }
    const room = this.parts.canvas.clientWidth;
    const left = x + ASIDE + this.box.offsetWidth > room ? x - ASIDE - this.box.offsetWidth : x + ASIDE;
    this.box.style.left = `${Math.max(0, left)}px`;
    this.box.style.top = `${y + ASIDE}px`;
  }
}

function cellInWords(data, row, column) {
  const value = data.values.data[row * data.values.shape[1] + column];
  const where = `${data.row_noun} ${data.row_names[row]}, ${data.column_noun} ${data.column_names[column]}`;
  return `${where}: ${data.scale === "category" ? Math.round(value) : signed(value)}`;
}

function signed(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "no number" : value < 0 ? "−∞" : "∞";
  const text = Math.abs(value).toFixed(4);
  if (Number(text) === 0) return text;
  return `${value < 0 ? "−" : "+"}${text}`;
}
