// In a wide window, the preview of the step that is being written stands beside its text and follows
// after a pause. The server reads the form and renders the one step; figures live as in a lesson. What
// did not change stays as it is, with its sliders. Elsewhere, and without a script, Preview opens a tab.

import { fit, importParts, liven, NoPreview, previewOf, WORDS } from "./preview_part.js";

const WIDE = matchMedia("(width >= 1100px)");
const PAUSE_MS = 400;

const form = document.querySelector("#writing");
const pane = document.createElement("section");
const words = pane.appendChild(document.createElement("p"));
const body = pane.appendChild(document.createElement("div"));
pane.className = "teach-preview";
pane.tabIndex = 0;
pane.setAttribute("aria-label", "Preview");
words.className = "meta";
words.setAttribute("role", "status");
body.className = "step__body teach-preview__body";

let field = null; // the text that it stands beside
let shown = []; // what the server gave for each part of it
let known = new Set(); // and for each paragraph, figure, table
let timer = null;
let request = null; // the one under way: a newer one takes its place

async function rendered(signal) {
  const data = new FormData(form);
  data.set("step", field.name.slice("text-".length));
  return previewOf(form, data, signal);
}

const LEAVES = "p, li, h2, h3, h4, pre, table, figure, .formula";

const leavesOf = (part) => (part.matches(LEAVES) ? [part] : [...part.querySelectorAll(LEAVES)]);

// What changed comes into sight, without a move of the page.
function bring(part) {
  const [own, around] = [part, pane].map((element) => element.getBoundingClientRect());
  const isSeen = own.top < around.bottom - 40 && own.bottom > around.top + 40;
  if (!isSeen) pane.scrollTop += own.top - around.top - 40;
}

// The parts that changed, from the first to the last of them, are exchanged.
async function put(page) {
  const parts = await importParts(page);
  const texts = parts.map((part) => part.outerHTML);
  const now = new Set(parts.flatMap(leavesOf).map((leaf) => leaf.outerHTML));
  let start = 0;
  while (start < texts.length && texts[start] === shown[start]) start += 1;
  let end = 0;
  const most = Math.min(texts.length, shown.length) - start;
  while (end < most && texts.at(-1 - end) === shown.at(-1 - end)) end += 1;
  const news = parts.slice(start, parts.length - end);
  const changed = shown.length && news.flatMap(leavesOf).find((leaf) => !known.has(leaf.outerHTML));
  for (const old of [...body.children].slice(start, body.children.length - end)) old.remove();
  for (const part of news) {
    for (const named of part.querySelectorAll("[id]")) if (document.getElementById(named.id)) named.removeAttribute("id");
    if (document.getElementById(part.id)) part.removeAttribute("id");
  }
  const next = body.children[start] ?? null;
  for (const part of news) body.insertBefore(part, next);
  if (changed) bring(changed);
  const figures = news.flatMap((part) => [...part.querySelectorAll("[data-figure]")]);
  figures.forEach(fit);
  shown = texts;
  known = now;
  words.textContent = page.querySelector("[data-screen-words]")?.textContent.replace(/\s+/g, " ").trim() ?? "";
  await liven(figures);
}

async function follow() {
  timer = null;
  request?.abort();
  const own = (request = new AbortController());
  pane.setAttribute("aria-busy", "true");
  try {
    const page = await rendered(own.signal);
    if (!own.signal.aborted) await put(page);
  } catch (error) {
    if (own.signal.aborted) return;
    console.warn(error);
    words.textContent = error instanceof NoPreview ? error.message : WORDS.lost;
    if ([WORDS.lost, WORDS.failed].includes(words.textContent)) later(10 * PAUSE_MS);
  }
  if (request === own) pane.removeAttribute("aria-busy");
}

function later(pause = PAUSE_MS) {
  clearTimeout(timer);
  if (field && WIDE.matches) timer = setTimeout(follow, pause);
}

// Beside the text that has the focus, and from the start beside the first that is open.
function standBeside(text) {
  if (text === field || !WIDE.matches) return;
  field?.closest(".teach-write").classList.remove("teach-write--beside");
  field = text;
  const place = field.closest(".teach-write");
  place.classList.add("teach-write--beside");
  pane.setAttribute("aria-label", `Preview of step ${field.name.slice("text-".length)}`);
  body.replaceChildren();
  shown = [];
  words.textContent = "The preview is loading …";
  place.append(pane);
  later(0);
}

function begin() {
  if (!WIDE.matches) {
    field?.closest(".teach-write").classList.remove("teach-write--beside");
    field = null;
    pane.remove();
    return;
  }
  const open = form.querySelector("details[open] [name^='text-']");
  if (!field && open) standBeside(open);
}

if (form?.dataset.preview) {
  for (const own of ["input", "change", "submit"]) pane.addEventListener(own, (event) => event.stopPropagation());
  form.addEventListener("focusin", ({ target }) => {
    if (target.name?.startsWith("text-")) standBeside(target);
  });
  form.addEventListener("input", () => later());
  WIDE.addEventListener("change", begin);
  begin();
}
