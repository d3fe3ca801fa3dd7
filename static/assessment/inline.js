// Questions inside a lesson, answered without a reload by htmx. It weighs more than the page, so it is
// fetched when a question is first approached; a form that is sent sooner waits for it.
// After an inline question was answered, focus goes to the reasons: a screen reader hears them, and
// the keyboard goes on from there. A lost connection is said beside the button.

import { BLOCKED, blocked } from "../site/cookies.js";
import { reachable } from "../site/reachable.js";

const address = document.querySelector("script[data-htmx]")?.dataset.htmx;
let coming = null;

// htmx looks for its elements once the page is whole, and not at all if it comes shortly before.
async function fetchHtmx() {
  if (document.readyState !== "complete") {
    await new Promise((done) => addEventListener("load", done, { once: true }));
  }
  const script = document.createElement("script");
  await new Promise((done) => {
    script.onload = script.onerror = done;
    script.src = address;
    document.head.append(script);
  });
  if (!window.htmx) coming = null; // the next answer tries again
}

function bring() {
  coming ??= fetchHtmx();
  return coming;
}

for (const form of address ? document.querySelectorAll("[data-inline-question]") : []) {
  form.addEventListener("pointerenter", bring, { once: true });
  form.addEventListener("focusin", bring, { once: true });
  form.addEventListener("submit", async (event) => {
    if (window.htmx) return;
    event.preventDefault();
    await bring();
    if (window.htmx) form.requestSubmit(event.submitter);
    else if (await reachable()) form.submit(); // with a reload
    else complain(form);
  });
}

const isQuestion = (element) => element?.matches?.("[data-inline-question]");

document.body.addEventListener("htmx:afterSettle", (event) => {
  const section = event.detail.elt;
  if (section?.classList?.contains("inline-question")) section.focus({ preventScroll: true });
});

const TOO_LARGE = 413;

function complain(form, status) {
  const line = form.querySelector(".field__error") ?? form.insertBefore(document.createElement("p"), form.lastElementChild);
  line.className = "field__error";
  line.setAttribute("role", "alert");
  line.textContent =
    status === TOO_LARGE
      ? "Not sent: this is larger than the site accepts. Shorten it and send it again."
      : blocked()
        ? `Not sent. ${BLOCKED}`
        : "Not sent. Your choice is still here: try again in a moment.";
}

for (const name of ["htmx:sendError", "htmx:responseError"]) {
  document.body.addEventListener(name, (event) => {
    if (isQuestion(event.detail.elt)) complain(event.detail.elt, event.detail.xhr?.status);
  });
}
