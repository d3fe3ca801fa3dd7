// The start page's prediction without a reload: its words can be held, and after a guess they show what
// attention makes of their order.

import { MOVED, Sentence } from "../lessons/sentence/live-sentence.js";
import { attend } from "../lessons/sentence/word-attention.js";

const FULL_COLOUR = 2.5;
const REMEMBERED = "ordinal:word-order"; // the first answer stays in this browser
const VIEWED_AS = ".view-as"; // staff view the page as a learner
const SVG = "http://www.w3.org/2000/svg";

// `held` are the places of the words as the reader left them, null where they stand as they were.
async function answer(form, section, button, held) {
  const address = new URL(form.action);
  address.search = new URLSearchParams(new FormData(form, button)).toString();
  try {
    const response = await fetch(address);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const next = page.getElementById(section.id);
    if (!next) throw new Error(`no answer in the page (${response.status})`);
    const shown = document.adoptNode(next);
    section.replaceWith(shown);
    remember(shown.dataset.answer);
    history.replaceState(history.state, "", address);
    start(shown, { order: held, travels: true });
    shown.focus({ preventScroll: true });
  } catch (error) {
    console.warn(error);
    location.assign(address); // the browser's own page says what is wrong
  }
}

// Each word's output in its order, and how far it is from that in the order in which it was typed.
function drawChanges(body, { words, order }) {
  const [plain, coded] = [false, true].map((positions) => {
    const before = attend(words, { positions }).outputs;
    const after = attend(order.map((token) => words[token]), { positions }).outputs;
    return after.map((values, slot) => {
      const old = before[order[slot]];
      return { values, change: Math.max(...values.map((value, at) => Math.abs(value - old[at]))) };
    });
  });
  body.replaceChildren(...order.map((token, slot) => rowOf(words[token], plain[slot], coded[slot])));
}

function rowOf(word, ...outputs) {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = word;
  row.append(head);
  for (const { values, change } of outputs) {
    const cell = document.createElement("td");
    const number = document.createElement("span");
    number.textContent = change.toFixed(2);
    cell.append(strip(values), number);
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

// Only what was sent here: an address with an answer may come from somebody else.
function remember(said) {
  if (!said || document.querySelector(VIEWED_AS)) return;
  try {
    if (!localStorage.getItem(REMEMBERED)) localStorage.setItem(REMEMBERED, said);
  } catch (error) {
    console.info("The answer could not be remembered:", error.message);
  }
}

function remembered() {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}

// In the place of the form, which keeps its height: nothing moves.
function showRemembered(section, form) {
  if (document.querySelector(VIEWED_AS)) return; // of the staff, not of the learner
  const before = remembered();
  const line = [...section.querySelectorAll("[data-remembered]")].find((it) => it.dataset.remembered === before);
  if (!line) return;
  line.hidden = false;
  form.inert = true;
}

function start(section, settings) {
  const figure = section.querySelector("[data-sentence]");
  const changes = figure.querySelector("[data-part=rows]");
  const sentence = new Sentence(figure, settings);
  if (changes) {
    const draw = () => drawChanges(changes, sentence);
    figure.addEventListener(MOVED, draw);
    if (sentence.isOwn) sentence.shuffle();
    draw();
  }
  const form = section.querySelector(".word-order__choice form");
  if (form) showRemembered(section, form);
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(form, section, event.submitter, sentence.isCovered ? sentence.order : null);
  });
}

const section = document.querySelector("#word-order");
if (section) start(section);
