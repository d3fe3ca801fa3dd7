// Questions inside a lesson, answered without a reload by htmx. It weighs more than the page, so it is
// fetched when a question is first approached; a form that is sent sooner waits for it.
// After an inline question was answered, focus goes to the reasons: a screen reader hears them, and
// the keyboard goes on from there. A lost connection is said beside the button.

import { hindrance } from "../site/cookies.js";
import { bringHtmx } from "../site/htmx.js";
import { reachable } from "../site/reachable.js";

const isFetched = document.querySelector("script[data-htmx]") !== null; // else the page has it

for (const form of isFetched ? document.querySelectorAll("[data-inline-question]") : []) {
  form.addEventListener("pointerenter", bringHtmx, { once: true });
  form.addEventListener("focusin", bringHtmx, { once: true });
  form.addEventListener("submit", async (event) => {
    if (window.htmx) return;
    event.preventDefault();
    await bringHtmx();
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
      : `Not sent. ${hindrance() || "Your choice is still here: try again in a moment."}`;
}

for (const name of ["htmx:sendError", "htmx:responseError"]) {
  document.body.addEventListener(name, (event) => {
    if (isQuestion(event.detail.elt)) complain(event.detail.elt, event.detail.xhr?.status);
  });
}
