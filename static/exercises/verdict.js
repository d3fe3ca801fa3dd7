// What a form answered by htmx leaves to us: asking for the verdict again and again until it is there,
// bringing it into view, and saying what went wrong with a request.

import { blocked } from "../site/cookies.js";

const area = document.querySelector("#verdict");
const status = document.querySelector("#verdict-status");
const AFTER_FAILURE_MS = 2000;

function show(element) {
  element?.scrollIntoView({ block: "nearest", behavior: "auto" });
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
    if (document.querySelector("#history")) address.searchParams.set("with", "history");
    const response = await fetch(address, { headers: { "HX-Request": "true" } });
    if (response.ok) answer = await response.text();
  } catch {
    // No connection just now: asked again below.
  }
  if (!waiting.isConnected) return; // a newer submission took its place
  if (answer) {
    window.htmx.swap(waiting, answer, { swapStyle: "outerHTML" });
    lookForWaiting();
    if (!area.querySelector("[data-ask]")) show(area.firstElementChild);
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
  refuse("Not sent: no connection.", "Your code is still here. Send it again in a moment.");
}

function onServerError(event) {
  const code = event.detail.xhr.status;
  if (code === 403 && blocked()) {
    refuse("Not sent: this browser blocks cookies.", "Your code is still here. Allow cookies for this site, then load the page again.");
  } else if (code === 403) {
    refuse("Not sent: this page is too old.", "Your code is kept: load the page again and send it.");
  } else if (code === 413) {
    refuse("Not sent: this is too much.", "At most 20\u202f000 characters fit.");
  } else {
    refuse(`Not sent: the site failed (${code}).`, "That was our fault. Your code is still here.");
  }
}

function fromForm(react) {
  return (event) => {
    if (event.detail.elt?.id === "code-form") react(event);
  };
}

if (area) {
  const on = (name, react) => document.body.addEventListener(name, fromForm(react));
  on("htmx:sendError", onLostConnection);
  on("htmx:timeout", onLostConnection);
  on("htmx:responseError", onServerError);
  on("htmx:beforeRequest", () => area.setAttribute("aria-busy", "true"));
  on("htmx:afterRequest", () => {
    area.removeAttribute("aria-busy");
    lookForWaiting();
    show(area.firstElementChild);
  });
  lookForWaiting();
}
