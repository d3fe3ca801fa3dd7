// The reader's own sentence on the rows of a picture, and on its columns where these are tokens too.
// It is kept in this browser alone. Shuffled, it shows what a model without positions notices.

import { CHANGED, keep, kept, MOST_LETTERS, MOST_WORDS, shuffled, split, whenTyped } from "../site/words.js";

const DEFAULT = ["the", "dog", "chased", "the", "man"];
const MOVED = "figure:words"; // all figures of a page have the same sentence in the same order
const SMALLEST = 8; // px of letters
const LARGEST = 13; // in a picture of its own width
const AXIS_NAME = 16; // px at the left that the name of the axis takes, what hangs below its line too
const TITLED = 44; // px over a panel for its title and the numbers of its zones

// One sentence and its order for the whole page.
const own = kept();
const sentence = { words: own.length > 1 ? own : DEFAULT, order: null };

addEventListener(CHANGED, ({ detail }) => change(detail, null));

function inOrder() {
  return (sentence.order ?? sentence.words.map((_, place) => place)).map((place) => sentence.words[place]);
}

function change(words, order) {
  Object.assign(sentence, { words, order });
  dispatchEvent(new Event(MOVED));
}

function made(tag, look, words = "") {
  const part = document.createElement(tag);
  part.className = look;
  part.textContent = words;
  return part;
}

export class Words {
  constructor(root, parts, geometry) {
    Object.assign(this, { root, parts, geometry });
    this.axes = root.dataset.words === "both" ? ["rows", "columns"] : ["rows"];
    this.labels = Object.fromEntries(this.axes.map((axis) => [axis, made("div", `live__words live__words--${axis}`)]));
    for (const layer of Object.values(this.labels)) layer.setAttribute("aria-hidden", "true"); // values are read with their words
    this.tool = this.madeTool();
    parts.canvas.append(...Object.values(this.labels));
    root.querySelector(".live__sliders").after(this.tool);
    addEventListener(MOVED, () => this.follow());
    new ResizeObserver(([{ contentRect }]) => {
      this.room = contentRect.width; // asking for it at each step would lay the page out again
      this.size();
    }).observe(parts.canvas);
    this.turn(own.length > 1 || root.hasAttribute("data-worded"));
  }

  madeTool() {
    const tool = made("div", "live__sentence");
    this.label = made("label", "", "Your sentence");
    this.field = Object.assign(made("input", "input"), {
      type: "text",
      maxLength: MOST_WORDS * (MOST_LETTERS + 1),
      autocomplete: "off",
      id: `${this.root.id}-sentence`,
    });
    this.label.htmlFor = this.field.id;
    const note = this.root.dataset.wordsNote ?? "";
    this.hint = made("p", "meta", `These are words, not a model’s tokens. Your sentence stays in this browser. ${note}`);
    this.hint.id = `${this.field.id}-help`;
    this.field.setAttribute("aria-describedby", this.hint.id);
    this.shuffler = this.button("Shuffle", () => this.isEnough() && this.shuffle());
    this.switcher = this.button("", () => this.turn(!this.isOn));
    this.told = made("p", "live__told");
    this.told.setAttribute("role", "status");
    whenTyped(this.field, () => this.take());
    tool.append(this.label, this.field, this.shuffler, this.switcher, this.hint, this.told);
    return tool;
  }

  button(words, press) {
    const button = Object.assign(made("button", "button button--quiet", words), { type: "button" });
    button.addEventListener("click", press);
    return button;
  }

  isEnough() {
    const enough = !this.isOn || split(this.field.value).length > 1;
    if (!enough) this.told.textContent = "Write at least two words.";
    return enough;
  }

  take() {
    if (!this.isEnough()) return;
    const words = split(this.field.value);
    if (words.join(" ") === sentence.words.join(" ") && this.isOn) return;
    this.told.textContent = "";
    this.turn(true);
    keep(words);
  }

  // Only words that have a row change places, so that none goes out of the picture.
  shuffledRows() {
    const count = Math.min(this.geometry().rows, sentence.words.length);
    if (count < 2) return shuffled(sentence.words, inOrder());
    const places = sentence.order ?? sentence.words.map((_, place) => place);
    const shown = places.slice(0, count).map((place) => sentence.words[place]);
    return [...shuffled(shown, shown).map((at) => places[at]), ...places.slice(count)];
  }

  async shuffle() {
    this.turn(true);
    const order = this.shuffledRows();
    change(sentence.words, order);
    this.told.textContent = `Shuffled: ${inOrder().join(" ")}.`;
    const { attend } = await import("./sentence/word-attention.js");
    if (sentence.order !== order) return;
    const [plain, coded] = [false, true].map((withPositions) => {
      const [before, after] = [sentence.words, inOrder()].map((words) => attend(words, { positions: withPositions }).outputs);
      const changes = after.flatMap((row, at) => row.map((value, one) => Math.abs(value - before[order[at]][one])));
      return Math.max(...changes).toFixed(2);
    });
    this.told.textContent =
      `Shuffled: ${inOrder().join(" ")}. Without positions, attention’s output for each word changes ` +
      `by ${plain}; with a code added for each position, by up to ${coded}. Only positions tell the two orders apart.`;
  }

  turn(isOn) {
    this.isOn = isOn;
    this.switcher.textContent = isOn ? "Numbers only" : "Put your sentence on the picture";
    for (const part of [this.label, this.field, this.shuffler, this.hint]) part.hidden = !isOn;
    if (!isOn) this.told.textContent = "";
    this.follow();
  }

  follow() {
    if (document.activeElement !== this.field) this.field.value = sentence.words.join(" ");
    this.settle();
  }

  // The picture has changed: its places, or how many there are.
  settle() {
    const { plot, width, height, rows, columns } = this.geometry();
    const now = [plot, width, height, rows, columns, this.isOn, sentence.words, sentence.order].join();
    if (now === this.now) return;
    this.now = now;
    const counts = { rows, columns };
    const fits = this.axes.every((axis) => counts[axis] <= MOST_WORDS);
    if (this.tool.hidden === fits) this.tool.hidden = !fits;
    const shown = fits && this.isOn;
    this.root.classList.toggle("live--worded", shown);
    this.root.classList.toggle("live--worded-columns", shown && this.axes.length > 1);
    for (const axis of this.axes) this.write(axis, shown ? counts[axis] : 0);
    this.size();
  }

  write(axis, count) {
    const words = inOrder().slice(0, count);
    const layer = this.labels[axis];
    const { plot, width, height, rows, columns, kind } = this.geometry();
    const [x, y, wide, high] = plot;
    layer.replaceChildren(
      ...words.map((word, at) => {
        const label = made("span", "", word);
        if (axis === "rows") {
          const number = made("small", "", String(at));
          label.append(number);
          label.style.top = `${(100 * (y + (at * high) / rows)) / height}%`;
          label.style.height = `${(100 * high) / rows / height}%`;
          label.style.right = `${100 - (100 * (x - 2)) / width}%`;
        } else {
          label.style.left = `${(100 * (x + (at * wide) / columns)) / width}%`;
          label.style.width = `${(100 * wide) / columns / width}%`;
          label.style.bottom = `${100 - (100 * (y - (kind === "panels" ? TITLED : 2))) / height}%`;
        }
        return label;
      }),
    );
    if (axis === "rows" && count) layer.prepend(...this.axisName());
  }

  // The words stand where the picture has the name of its axis: it is covered, and written beside them.
  axisName() {
    const { plot, width, height } = this.geometry();
    const [cover, name] = [made("div", "live__axis-cover"), made("div", "live__axis-name", this.root.dataset.rowAxis)];
    const [top, tall] = [plot[1], plot[3]].map((px) => `${(100 * px) / height}%`);
    for (const part of [cover, name]) Object.assign(part.style, { top, height: tall });
    cover.style.width = `${(100 * AXIS_NAME) / width}%`;
    return [cover, name];
  }

  // Letters as large as a row or a column has room for.
  size() {
    const { plot, width, rows, columns } = this.geometry();
    const scale = (this.room ?? width) / width;
    for (const [axis, length, count] of [["rows", plot[3], rows], ["columns", plot[2], columns]]) {
      const room = (length / count) * scale;
      const size = Math.min(Math.max(0.8 * room, SMALLEST), LARGEST * Math.max(scale, 1));
      if (this.labels[axis]) this.labels[axis].style.fontSize = `${size}px`;
    }
  }

  // The word on each row and column, for the values that are read; none when they are off.
  beside() {
    if (!this.isOn || this.tool.hidden) return {};
    return Object.fromEntries(this.axes.map((axis) => [axis, inOrder()]));
  }
}
