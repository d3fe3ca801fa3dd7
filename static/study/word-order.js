// The start page's prediction without a reload, and the reader's own sentence under its answer.

import { outputs } from "./attention.js";
import { CHANGED, keep, kept, shuffled, split } from "../site/words.js";

const FULL_COLOUR = 2.5;
const SVG = "http://www.w3.org/2000/svg";

async function answer(form, section, button) {
  const address = new URL(form.action);
  address.search = new URLSearchParams(new FormData(form, button)).toString();
  try {
    const response = await fetch(address);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const next = page.getElementById(section.id);
    if (!next) throw new Error(`no answer in the page (${response.status})`);
    const shown = document.adoptNode(next);
    section.replaceWith(shown);
    history.replaceState(history.state, "", address);
    start(shown);
    shown.focus({ preventScroll: true });
  } catch (error) {
    console.warn(error);
    location.assign(address); // the browser's own page says what is wrong
  }
}

class Sentence {
  constructor(section) {
    this.rows = section.querySelector("[data-part=rows]");
    this.field = section.querySelector("[data-part=sentence]");
    this.status = section.querySelector("[data-part=told]");
    this.default = split(section.dataset.sentence);
    this.order = JSON.parse(section.dataset.order);
    const own = kept();
    this.words = own.length > 1 ? own : this.default;
    if (own.length > 1) this.order = shuffled(own, own);
    this.field.value = this.words.join(" ");
    section.querySelector("[data-part=shuffle]").addEventListener("click", () => this.isEnough() && this.shuffle());
    this.field.addEventListener("change", () => this.take());
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.take();
    });
    addEventListener(CHANGED, ({ detail }) => this.show(detail));
    section.querySelector("[data-part=own]").hidden = false;
    if (own.length > 1) this.draw();
  }

  isEnough() {
    const enough = split(this.field.value).length > 1;
    if (!enough) this.status.textContent = "Write at least two words.";
    return enough;
  }

  take() {
    if (this.isEnough()) keep(split(this.field.value));
  }

  // Typed here or on a figure of the page.
  show(words) {
    this.words = words;
    this.order = null;
    this.field.value = words.join(" ");
    this.shuffle();
  }

  shuffle() {
    const last = this.order?.length === this.words.length ? this.order : [];
    this.order = shuffled(this.words, this.words, last.map((place) => this.words[place]));
    this.draw();
    this.tell();
  }

  draw() {
    const words = this.order.map((place) => this.words[place]);
    const [plain, coded] = [false, true].map((withPositions) => {
      const before = outputs(this.words, withPositions);
      return outputs(words, withPositions).map((after, row) => {
        const old = before[this.order[row]];
        return { after, change: Math.max(...after.map((value, at) => Math.abs(value - old[at]))) };
      });
    });
    this.most = [plain, coded].map((column) => Math.max(...column.map((one) => one.change)).toFixed(2));
    this.rows.replaceChildren(...words.map((word, row) => rowOf(word, plain[row], coded[row])));
  }

  tell() {
    const [plain, coded] = this.most;
    this.status.textContent = `Now: ${this.order.map((place) => this.words[place]).join(" ")}. Largest change: ${plain} without positions, ${coded} with positions.`;
  }
}

function rowOf(word, plain, coded) {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = word;
  row.append(head);
  for (const one of [plain, coded]) {
    const cell = document.createElement("td");
    const number = document.createElement("span");
    number.textContent = one.change.toFixed(2);
    cell.append(strip(one.after), number);
    row.append(cell);
  }
  return row;
}

function strip(values) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("class", "strip");
  picture.setAttribute("viewBox", `0 0 ${10 * values.length} 16`);
  picture.setAttribute("aria-hidden", "true");
  values.forEach((value, at) => {
    const cell = document.createElementNS(SVG, "rect");
    const facts = { x: 10 * at, width: 10, height: 16, "fill-opacity": Math.min(Math.abs(value) / FULL_COLOUR, 1).toFixed(2) };
    for (const [name, fact] of Object.entries(facts)) cell.setAttribute(name, fact);
    cell.setAttribute("class", value < 0 ? "strip__minus" : "strip__plus");
    picture.append(cell);
  });
  return picture;
}

function start(section) {
  if (section.querySelector("[data-part=rows]")) {
    new Sentence(section);
    return;
  }
  const form = section.querySelector("form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(form, section, event.submitter);
  });
}

const section = document.querySelector("#word-order");
if (section) start(section);
