// The step that explains a mistake, in the pane of the task: its own page is fetched, and its text, code
// and figures are shown. What only makes sense on the page itself stays away: questions, exercises.

import { addStyles, fetchPage } from "../site/other_page.js";

const AWAY = ".inline-question, .exercise-card, .predict, .sentence, .listing__tools, .step__body > .notice, script, template";

let address = ""; // of the step that is shown or awaited

// A figure has no more room here than on a phone, and the page's address is not its own.
function fit(figure) {
  figure.dataset.compact = "";
  figure.dataset.aside = "";
  for (const source of figure.querySelectorAll("source")) source.media = source.media.replace("(max-width: 40rem)", "all");
}

function bodyOf(page) {
  const body = document.createElement("div");
  body.className = "explanation__body";
  const step = document.importNode(page.querySelector(".step__body"), true);
  for (const away of step.querySelectorAll(AWAY)) away.remove();
  for (const screen of step.querySelectorAll(".screen")) {
    screen.classList.remove("screen--beside");
    if (!screen.querySelector("p, pre, .live, ul, ol, table")) screen.remove();
  }
  for (const named of step.querySelectorAll("[id]")) if (document.getElementById(named.id)) named.removeAttribute("id");
  step.querySelectorAll(".live").forEach(fit);
  body.append(...step.childNodes);
  return body;
}

function headOf(title, href) {
  const head = document.createElement("header");
  head.className = "explanation__head";
  head.append(document.createElement("h2"), document.createElement("p"));
  head.firstChild.textContent = title;
  const link = head.lastChild.appendChild(document.createElement("a"));
  link.href = href;
  link.textContent = "Open the step";
  return head;
}

async function liven(figures) {
  if (!figures.length) return;
  const { figureOf, liven: start } = await import("../lessons/figure.js"); // livens those that it meets
  for (const figure of figures) figureOf(figure) ?? start(figure);
}

export async function openStep(pane, href) {
  if (href === address) return;
  address = href;
  pane.replaceChildren(headOf("The step is loading …", href));
  pane.setAttribute("aria-busy", "true");
  try {
    const page = await fetchPage(href);
    await addStyles(page);
    if (href !== address) return; // another was opened meanwhile
    pane.replaceChildren(headOf(page.querySelector("h1").textContent, href), bodyOf(page));
    pane.removeAttribute("aria-busy");
    await liven([...pane.querySelectorAll("[data-figure]")]);
  } catch (error) {
    console.warn(error);
    if (href !== address) return;
    address = "";
    pane.removeAttribute("aria-busy");
    if (!pane.querySelector(".explanation__body")) pane.replaceChildren(headOf("The step could not be loaded.", href));
  }
}
