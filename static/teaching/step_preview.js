// In a wide window, the preview of the step that is being written stands beside its text and follows
// after a pause. The server reads the form and renders the one step; figures live as in a lesson. What
// did not change stays as it is, with its sliders. Elsewhere, and without a script, Preview opens a tab.

import { addStyles } from "../site/other_page.js";

const WIDE = matchMedia("(width >= 1100px)");
const PAUSE_MS = 400;
const PATIENCE_MS = 15000;
// What would be sent, or asks for the server once more, has its place on the Preview page.
const AWAY = ".listing__tools, .step__body > .notice, script, template";
const SIGNED_OUT = "No preview: you are signed out. What you type stays in this browser; sign in in another tab.";
const GONE = "No preview: this lesson has been discarded. What you type stays in this browser.";
const NO_RIGHT = "No preview: your role in this course has changed. What you type stays in this browser.";
const LOST = "No preview: the connection is lost. It comes back by itself; what you type stays in this browser.";

const FAILED = "No preview: the server could not make it. It is tried again; what you type stays in this browser.";

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
let timer = null;
let request = null; // the one under way: a newer one takes its place

class NoPreview extends Error {}

async function rendered(signal) {
  const data = new FormData(form);
  data.set("step", field.name.slice("text-".length));
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const headers = { "HX-Request": "true", Accept: "text/html" };
  const answer = await fetch(form.dataset.preview, { method: "POST", body: data, headers, signal: limit });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (answer.ok && page.querySelector("[data-step-preview]")) return page;
  if (answer.ok || answer.status === 401) throw new NoPreview(SIGNED_OUT);
  if (answer.status === 403) throw new NoPreview(NO_RIGHT);
  if (answer.status === 404) throw new NoPreview(GONE);
  throw new NoPreview(FAILED);
}

// A figure has no more room here than on a phone, and the page's address is not its own.
function fit(figure) {
  figure.dataset.compact = "";
  figure.dataset.aside = "";
  for (const source of figure.querySelectorAll("source")) source.media = source.media.replace("(max-width: 40rem)", "all");
}

function partsOf(page) {
  const step = page.querySelector(".step__body");
  for (const away of step?.querySelectorAll(AWAY) ?? []) away.remove();
  for (const screen of step?.querySelectorAll(".screen") ?? []) screen.classList.remove("screen--beside");
  return [...(step?.children ?? [])];
}

async function liven(figures) {
  if (!figures.length) return;
  const { figureOf, liven: start } = await import("../lessons/figure.js"); // livens those that it meets
  for (const figure of figures) figureOf(figure) ?? start(figure);
}

// The parts that changed, from the first to the last of them, are exchanged.
async function put(page) {
  await addStyles(page);
  const parts = partsOf(page);
  const texts = parts.map((part) => part.outerHTML);
  let start = 0;
  while (start < texts.length && texts[start] === shown[start]) start += 1;
  let end = 0;
  const most = Math.min(texts.length, shown.length) - start;
  while (end < most && texts.at(-1 - end) === shown.at(-1 - end)) end += 1;
  const news = parts.slice(start, parts.length - end).map((part) => document.importNode(part, true));
  for (const old of [...body.children].slice(start, body.children.length - end)) old.remove();
  for (const part of news) {
    for (const named of part.querySelectorAll("[id]")) if (document.getElementById(named.id)) named.removeAttribute("id");
    if (document.getElementById(part.id)) part.removeAttribute("id");
  }
  const figures = news.flatMap((part) => [...part.querySelectorAll("[data-figure]")]);
  figures.forEach(fit);
  const next = body.children[start] ?? null;
  for (const part of news) body.insertBefore(part, next);
  shown = texts;
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
    words.textContent = error instanceof NoPreview ? error.message : LOST;
    if ([LOST, FAILED].includes(words.textContent)) later(10 * PAUSE_MS);
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
  form.addEventListener("focusin", ({ target }) => {
    if (target.name?.startsWith("text-")) standBeside(target);
  });
  form.addEventListener("input", () => later());
  WIDE.addEventListener("change", begin);
  begin();
}
