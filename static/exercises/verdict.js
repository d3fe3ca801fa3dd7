// What a form answered by htmx leaves to us: asking for the verdict again and again until it is there,
// bringing it into view, and saying what went wrong with a request.

import { announce, hasTabs, isBeside, openPane } from "./bench.js";
import { explain, lightClauses, showClause } from "./task.js";
import { blocked, hindrance } from "../site/cookies.js";

const area = document.querySelector("#verdict");
const status = document.querySelector("#verdict-status");
const stale = document.querySelector("#verdict-stale");
const code = document.querySelector("#id_code");
const AFTER_FAILURE_MS = 2000;

// The start page shows a program of ours, in a field that nobody can write in.
const isOwn = !code?.hidden;

let looking = null; // the module that shows X-rays, once there was one
let sent = null; // the text whose verdict is shown or awaited
let sentBefore = null;
let graded = null; // the verdict that a Run or an X-ray took the place of, and its text

const OF_TOOLS = new Set(["run", "xray", "not_run"]);

function show(element) {
  if (hasTabs()) return; // the tab begins at its top
  const pane = isBeside() ? area.closest(".bench__result") : null;
  if (pane) pane.scrollTop = 0;
  (pane ?? element)?.scrollIntoView({ block: "nearest", behavior: "auto" });
}

// A verdict speaks of the text that was sent; once that was edited, its lines are others.
function tellAge() {
  if (!stale || !code) return;
  const isOld = sent !== null && code.value !== sent && area.querySelector("[data-verdict]") !== null;
  area.classList.toggle("exercise__verdict--stale", isOld);
  for (const button of area.querySelectorAll("[data-clean] button")) button.disabled = isOld;
  const message = isOld ? "This result is for an earlier version of your code." : "";
  if (stale.textContent !== message) stale.textContent = message;
}

function markLines() {
  const verdict = area.querySelector("[data-verdict]");
  if (!code || code.value !== sent || !verdict?.dataset.marks) return;
  code.dispatchEvent(new CustomEvent("marks", { detail: JSON.parse(verdict.dataset.marks) }));
}

// What an X-ray says of expressions is shown in the code, until that is edited or sent again.
async function lookInside() {
  const data = area.querySelector("#xray-data");
  if (!code || (!data && !looking)) return;
  looking ??= import("./xray.js");
  const { showXray } = await looking;
  const isOfCode = data?.isConnected && code.value === sent;
  showXray(code, isOfCode ? JSON.parse(data.textContent) : { values: [], expressions: [] });
}

// A Run or an X-ray says nothing of what is next: the verdict before it, with its way on, can come back.
// Its parts are moved, not copied, so htmx does not end what it does for them.
function keepGraded(event) {
  const verdict = area.querySelector("[data-verdict]");
  if (event.detail.target !== area || !event.detail.shouldSwap) return;
  if (!verdict || OF_TOOLS.has(verdict.dataset.verdict)) return;
  const parts = document.createDocumentFragment();
  parts.append(...area.childNodes);
  graded = { parts, text: sentBefore };
}

function bringGraded() {
  area.replaceChildren(graded.parts);
  sent = graded.text;
  graded = null;
  take();
  show(area.firstElementChild);
  area.querySelector("#verdict-heading")?.focus({ preventScroll: true });
}

function offerGraded() {
  const verdict = area.querySelector("[data-verdict]");
  if (!graded || !OF_TOOLS.has(verdict?.dataset.verdict) || area.querySelector("[data-back]")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button--quiet verdict__back";
  button.dataset.back = "";
  button.textContent = "Back to the verdict";
  button.addEventListener("click", bringGraded);
  area.prepend(button);
}

function take() {
  offerGraded();
  tellAge();
  markLines();
  lookInside();
  lightClauses(area);
}

// The button of a shown case stands outside of the form, where htmx does not look for it.
function lookIntoCase(event) {
  const ofCase = event.target.closest("[data-xray]");
  const button = document.querySelector('#code-form button[value="xray"]');
  if (!ofCase || !button) return false;
  event.preventDefault();
  button.value = ofCase.value;
  button.click();
  button.value = "xray";
  return true;
}

function onClick(event) {
  if (lookIntoCase(event)) return;
  if (!showClause(event) && !explain(event)) onJump(event);
}

function onJump(event) {
  const link = event.target.closest("[data-jump]");
  if (!link || !code) return;
  event.preventDefault();
  openPane("work");
  code.dispatchEvent(new CustomEvent("jump", { detail: Number(link.dataset.jump) || 1 }));
}

// The cleaned code of a verdict goes into the field, as long as that has the text that was cleaned.
function onClean(event) {
  const form = event.target.closest("[data-clean]");
  if (!form || !code || code.value !== sent) return;
  event.preventDefault();
  const { message, line } = form.dataset;
  const text = form.querySelector("template").content.textContent;
  openPane("work");
  code.dispatchEvent(new CustomEvent("replace", { detail: { text, message } }));
  code.dispatchEvent(new CustomEvent("jump", { detail: Number(line) || 1 }));
}

function refuse(title, advice) {
  const notice = document.createElement("div");
  notice.className = "notice notice--warn";
  const line = notice.appendChild(document.createElement("p"));
  line.appendChild(document.createElement("strong")).textContent = title;
  line.append(` ${advice}`);
  area.replaceChildren(notice);
  status.textContent = `${title} ${advice}`;
  show(notice);
}

async function ask(waiting) {
  let answer = "";
  try {
    const address = new URL(waiting.dataset.ask, location.href);
    if (area.dataset.with) address.searchParams.set("with", area.dataset.with);
    const response = await fetch(address, { headers: { "HX-Request": "true" } });
    if (response.ok) answer = await response.text();
  } catch {
    // No connection just now: asked again below.
  }
  if (!waiting.isConnected) return; // a newer submission took its place
  if (answer) {
    window.htmx.swap(waiting, answer, { swapStyle: "outerHTML" });
    lookForWaiting();
    if (!area.querySelector("[data-ask]")) {
      take();
      announce("result");
      show(area.firstElementChild);
    }
  } else {
    setTimeout(() => ask(waiting), AFTER_FAILURE_MS);
  }
}

function lookForWaiting() {
  const waiting = area.querySelector("[data-ask]:not([data-asked])");
  if (!waiting) return;
  waiting.dataset.asked = "";
  setTimeout(() => ask(waiting), Number(waiting.dataset.askAfterMs));
}

function onLostConnection() {
  const advice = isOwn ? "Your code is still here. Send it again in a moment." : "Try again in a moment.";
  refuse("Not sent: no connection.", advice);
}

const NO_COOKIES = [
  "This browser blocks cookies.",
  isOwn
    ? "Code can only be sent with cookies: copy your code, allow cookies for this site, then reload the page."
    : "Code can only be sent with cookies: allow cookies for this site, then reload the page.",
];

function onServerError(event) {
  const code = event.detail.xhr.status;
  if (code === 403 && blocked()) {
    refuse(...NO_COOKIES);
  } else if (code === 403 && hindrance()) {
    refuse("Not sent.", hindrance());
  } else if (code === 403) {
    const advice = isOwn ? "Your code is saved: reload the page and send it again." : "Reload the page and try again.";
    refuse("Not sent: this page is too old.", advice);
  } else if (code === 413) {
    refuse("Not sent: the code is too long.", "At most 20\u202f000 characters are allowed.");
  } else {
    const advice = isOwn ? "Your code is still here." : "Try again in a moment.";
    refuse(`Not sent: the site answered with an error (${code}).`, `That was our fault. ${advice}`);
  }
}

function fromForm(react) {
  return (event) => {
    if (event.detail.elt?.id === "code-form") react(event);
  };
}

// The card below a verdict has a place of its own for what went wrong.
function onLostTry(event) {
  const card = event.detail.elt?.closest(".counterexample");
  const place = card?.querySelector("#counterexample-result");
  if (place) place.textContent = "No answer came. Try again in a moment, or reload the page.";
}

for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.body.addEventListener(name, onLostTry);
}

if (area) {
  const on = (name, react) => document.body.addEventListener(name, fromForm(react));
  on("htmx:sendError", onLostConnection);
  on("htmx:timeout", onLostConnection);
  on("htmx:responseError", onServerError);
  on("htmx:beforeRequest", () => {
    sentBefore = sent;
    sent = code.value;
    area.setAttribute("aria-busy", "true");
  });
  document.body.addEventListener("htmx:beforeSwap", keepGraded);
  on("htmx:afterRequest", () => {
    area.removeAttribute("aria-busy");
    lookForWaiting();
    take();
    openPane("result");
    show(area.firstElementChild);
  });
  code?.addEventListener("input", tellAge);
  area.addEventListener("click", onClick);
  area.addEventListener("submit", onClean);
  if (code && !navigator.cookieEnabled) refuse(...NO_COOKIES);
  lookForWaiting();
}
