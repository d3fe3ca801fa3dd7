// A Run that waits: its result comes into its place, and the rest of the page stays as it is, with the
// caret, the undo history and the scroll position. Without this script, a link loads the page again.

import { waitFor } from "../exercises/waiting.js";
import { liven } from "../lessons/figure.js";

const result = document.querySelector("#result");
const status = document.querySelector("#result-status");

function look() {
  const waiting = result.querySelector("[data-ask]");
  if (waiting) waitFor(waiting, show);
}

function show(html) {
  result.innerHTML = html;
  for (const root of result.querySelectorAll("[data-figure]")) liven(root);
  const words = result.querySelector("#result-heading").textContent.trim();
  if (status.textContent !== words) status.textContent = words;
  look();
}

if (result) look();
