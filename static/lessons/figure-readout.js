// The value under the pointer, with the names of its row and column. A tap reads as well, and so do
// the arrow keys where a picture has no outlined cell. Of very many values the server is asked for
// the one, once the pointer rests.

import { readingOfAnswer, readingOfScene } from "./figure-reading.js";
import { ask } from "./figure-request.js";

const REST_MS = 120;
const ASIDE = 14; // px from the pointer
const LEAST_WIDE = 160; // px of a line of the words

export class Readout {
  // `picture` tells what is shown: { scene } of the page, or else the { query } of the server's.
  constructor(root, parts, { picture, words }) {
    Object.assign(this, { root, parts, picture, words });
    this.at = { place: 0, row: 0, column: 0 };
    this.box = this.made("p", "live__readout");
    this.dot = this.made("span", "live__dot");
    this.spoken = document.createElement("p");
    this.spoken.className = "visually-hidden";
    this.spoken.setAttribute("aria-live", "polite");
    const { canvas, cursor } = parts;
    canvas.append(this.spoken);
    canvas.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this.point(event);
    });
    canvas.addEventListener("pointerleave", () => this.hide());
    canvas.addEventListener("click", (event) => {
      if (event.pointerType === "touch") this.point(event);
    });
    cursor.addEventListener("blur", () => this.hide());
  }

  made(tag, look) {
    const part = document.createElement(tag);
    part.className = look;
    part.hidden = true;
    part.setAttribute("aria-hidden", "true");
    this.parts.canvas.append(part);
    return part;
  }

  // Another picture: what was read is of the one before. Where the page knows the new numbers, as
  // while a slider plays, the same place is read again in the same frame.
  leave() {
    const wasShown = !this.box.hidden;
    this.reading = undefined;
    this.loading = undefined;
    this.hide();
    const { scene } = wasShown ? this.picture() : {};
    if (!scene) return;
    this.reading = readingOfScene(scene);
    if (this.pointed) this.readUnder(this.pointed);
    else this.readAt(this.reading.inside(this.at.place, this.at.row, this.at.column));
  }

  hide() {
    clearTimeout(this.rest);
    this.wanted = undefined;
    this.box.hidden = true;
    this.dot.hidden = true;
  }

  // The reading of what is shown; undefined when it is gone before it has come.
  async load() {
    if (this.reading) return this.reading;
    const { scene, query } = this.picture();
    if (scene) {
      this.reading = readingOfScene(scene);
      return this.reading;
    }
    const loading = (this.loading ??= ask(this.root.dataset.address, `${query}&reading=1`, this.root.dataset.version));
    try {
      const answer = await loading;
      if (loading === this.loading) this.reading ??= readingOfAnswer(answer);
    } catch (error) {
      console.warn(error); // the table has the values as well
      if (loading === this.loading) this.loading = undefined;
    }
    return loading === this.loading ? this.reading : undefined;
  }

  // The place under the pointer as shares of the picture: the page may scroll before it is read again.
  async point({ clientX, clientY }) {
    const { left, top, width, height } = this.parts.picture.getBoundingClientRect();
    const pointed = { across: (clientX - left) / width, down: (clientY - top) / height };
    this.pointed = pointed;
    const reading = this.reading ?? (await this.load());
    if (reading && this.pointed === pointed) this.readUnder(pointed);
  }

  readUnder({ across, down }) {
    const { width, height } = this.parts.picture.getBoundingClientRect();
    const at = this.reading.nearest(across * this.reading.width, down * this.reading.height);
    if (!at) return this.hide();
    this.at = at;
    this.read([across * width, down * height]);
  }

  async key(key) {
    const reading = this.reading ?? (await this.load());
    if (!reading) return;
    this.pointed = undefined;
    const here = reading.inside(this.at.place, this.at.row, this.at.column);
    this.readAt(reading.next(here, key), true);
  }

  readAt(at, speak = false) {
    this.at = at;
    const [x, y] = this.reading.point(at);
    const shown = this.parts.picture.getBoundingClientRect();
    const { width, height } = this.reading;
    this.read([(x / width) * shown.width, (y / height) * shown.height], speak);
  }

  read(place, speak = false) {
    const { place: panel, row, column } = this.at;
    const value = `${row},${column}&panel=${panel}`;
    if (value === this.wanted) return this.show(undefined, place);
    this.hide();
    this.wanted = value;
    const words = this.reading.words(this.at, this.words());
    if (words !== null) return this.show(words, place, speak);
    this.rest = setTimeout(async () => {
      try {
        const query = `${this.picture().query}&at=${value}`;
        const answer = await ask(this.root.dataset.address, query, this.root.dataset.version);
        if (value === this.wanted) this.show(answer.words, place, speak);
      } catch (error) {
        console.warn(error); // the table has the value as well
      }
    }, REST_MS);
  }

  show(words, [x, y], speak) {
    if (words !== undefined) {
      this.box.textContent = words;
      this.box.hidden = false;
      this.mark();
      if (speak) this.spoken.textContent = words;
    }
    const [across, down] = Number.isFinite(x + y) ? [x, y] : [0, 0];
    const { picture, canvas } = this.parts;
    // Over the plot that is read and not the one beside it, which may be narrower than the words.
    const plot = this.reading.plot(this.at);
    const scale = picture.offsetWidth / this.reading.width;
    const narrow = plot.width < this.reading.width / 2;
    const first = narrow ? plot.x * scale : 0;
    const last = narrow ? Math.min(canvas.clientWidth, (plot.x + plot.width) * scale) : canvas.clientWidth;
    this.box.style.maxWidth = narrow ? `${Math.max(LEAST_WIDE, last - first)}px` : "";
    const { offsetWidth: wide, offsetHeight: high } = this.box;
    const beside = across + ASIDE + wide <= last ? across + ASIDE : across - ASIDE - wide;
    const left = Math.max(first, Math.min(beside, canvas.clientWidth - wide));
    const top = down + ASIDE + high > picture.offsetHeight ? down - ASIDE - high : down + ASIDE;
    this.box.style.left = `${Math.max(0, left)}px`;
    this.box.style.top = `${Math.max(0, top)}px`;
  }

  // A dot on the curve, since the value that is told is not always under the pointer; a frame
  // around a cell, since one of many of one colour is not seen.
  mark() {
    const { width, height } = this.reading;
    const cell = this.reading.cell(this.at);
    const [x, y] = cell ? [cell.x, cell.y] : this.reading.point(this.at);
    const { style } = this.dot;
    this.dot.hidden = !Number.isFinite(x + y);
    this.dot.classList.toggle("live__dot--cell", cell !== null);
    style.left = `${(100 * x) / width}%`;
    style.top = `${(100 * y) / height}%`;
    style.width = cell ? `${(100 * cell.width) / width}%` : "";
    style.height = cell ? `${(100 * cell.height) / height}%` : "";
  }
}
