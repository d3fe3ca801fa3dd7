// A prediction without a reload: the page that answers holds the revealed figure, and only that part
// of it is put in. Without this script the form does the same with a reload.

import { liven } from "./figure.js";

const TOO_LARGE = 413;
const SIGNED_OUT = 403;

async function reveal(form, section) {
  const lost = form.querySelector("[data-part=lost]");
  const button = form.querySelector("button[type=submit]");
  button.setAttribute("aria-disabled", "true");
  lost.hidden = true;
  try {
    const response = await fetch(form.action, { method: "POST", body: new FormData(form) });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const next = page.getElementById(section.id);
    if (response.status === SIGNED_OUT) return form.submit(); // and come back after signing in
    if (!next) throw new Error(`no answer in the page (${response.status})`, { cause: response.status });
    const shown = document.adoptNode(next);
    section.replaceWith(shown);
    history.replaceState(history.state, "", response.url + location.hash); // which has no hash
    start(shown);
    for (const root of shown.querySelectorAll("[data-figure]")) liven(root);
    shown.focus({ preventScroll: true });
    if (shown.getBoundingClientRect().top < 0) shown.scrollIntoView(); // the verdict stands at its head
  } catch (error) {
    console.warn(error);
    button.removeAttribute("aria-disabled");
    lost.textContent =
      error.cause === TOO_LARGE
        ? "Not sent: this is larger than the site accepts. Shorten it and send it again."
        : "Not sent. Your prediction is still here: try again in a moment.";
    lost.hidden = false;
  }
}

function start(section) {
  const form = section.querySelector("form.predict__form");
  if (!form) return;
  const range = form.querySelector("[data-drag] input");
  const output = form.querySelector("[data-drag] .slider__value");
  const follow = () => (output.textContent = range.value);
  if (range) follow(); // it may have been moved before this script came
  range?.addEventListener("input", follow);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.querySelector("[aria-disabled]")) return;
    reveal(form, section);
  });
}

for (const section of document.querySelectorAll("[data-predict]")) start(section);
