// Every listing can be run where it stands, edited, copied, and opened in the editor of the lesson's
// exercise. Without this script, Run shows what was printed on a page of its own. For the exercise it is
// kept in this tab's own storage: the exercise asks before anything of it takes a draft's place. What a
// run printed comes as HTML from the site, which compared it.

import { hindrance } from "../site/cookies.js";
import { renewToken } from "../site/csrf_token.js";

const SCRATCH = "ordinal:scratch";
const AFTER_FAILURE_MS = 2000;
const AS_SCRIPT = { "HX-Request": "true" }; // a part of the page comes, not a page of its own

const programOf = (listing) => listing.querySelector("pre.code:not(.code--output)");

function codeOf(listing) {
  const field = listing.querySelector(".listing__field");
  return field ? field.value : `${programOf(listing).textContent.trimEnd()}\n`;
}

// ---- run

function resultOf(listing) {
  const result = listing.querySelector(".listing__result");
  if (result) return result;
  const area = document.createElement("div");
  area.className = "listing__result";
  area.setAttribute("aria-live", "polite");
  (listing.querySelector(".listing__output") ?? programOf(listing).parentElement).append(area);
  return area;
}

function say(area, words) {
  const line = document.createElement("p");
  line.className = "listing__verdict";
  line.textContent = words;
  area.replaceChildren(line);
}

const REFUSALS = {
  403: "Not sent: this page is too old. Reload it and run the listing again.",
  413: "Not sent: the code is too long. At most 20\u202f000 characters are allowed.",
};

// A second click while a run is awaited does nothing: that run's answer is still to come.
async function run(listing, form) {
  const area = resultOf(listing);
  if (area.hasAttribute("aria-busy") || area.querySelector("[data-ask]")) return;
  area.setAttribute("aria-busy", "true");
  const body = new FormData();
  body.set("code", codeOf(listing));
  body.set("key", crypto.randomUUID?.() ?? "");
  renewToken(listing);
  const headers = { "X-CSRFToken": listing.querySelector("[name=csrfmiddlewaretoken]").value, ...AS_SCRIPT };
  try {
    const response = await fetch(form.action, { method: "POST", body, headers });
    if (response.ok) show(listing, area, await response.text());
    else if ([400, 429].includes(response.status)) area.innerHTML = await response.text(); // it did not run
    else say(area, hindrance() || (REFUSALS[response.status] ?? "The site answered with an error. Try again."));
  } catch {
    say(area, hindrance() || "Not sent: no connection. Try again in a moment.");
  } finally {
    area.removeAttribute("aria-busy");
  }
}

function show(listing, area, html) {
  area.innerHTML = html;
  const waiting = area.querySelector("[data-ask]");
  if (waiting) setTimeout(() => ask(listing, area, waiting), Number(waiting.dataset.askAfterMs));
  else listing.dispatchEvent(new Event("ran")); // what it was to print is no secret any more
}

async function ask(listing, area, waiting) {
  let answer = "";
  try {
    const response = await fetch(waiting.dataset.ask, { headers: AS_SCRIPT });
    if (response.ok) answer = await response.text();
    else if (response.status === 404) return say(area, "It is gone. Run it again.");
  } catch {
    // No connection just now: asked again below.
  }
  if (answer) show(listing, area, answer);
  else setTimeout(() => ask(listing, area, waiting), AFTER_FAILURE_MS);
}

// ---- edit

function edit(listing, button, runs) {
  const program = programOf(listing);
  const field = document.createElement("textarea");
  field.className = "listing__field";
  field.value = codeOf(listing);
  field.rows = field.value.split("\n").length;
  field.setAttribute("aria-labelledby", program.closest("figure").getAttribute("aria-labelledby"));
  for (const name of ["autocapitalize", "autocomplete", "autocorrect"]) field.setAttribute(name, "off");
  field.spellcheck = false;
  field.wrap = "off";
  field.maxLength = 20000;
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey || event.altKey) || event.isComposing) return;
    event.preventDefault();
    if (!event.repeat) runs.click();
  });
  program.hidden = true;
  program.after(field);
  button.textContent = "Undo my changes";
  field.focus({ preventScroll: true });
}

function undo(listing, button) {
  listing.querySelector(".listing__field").remove();
  programOf(listing).hidden = false;
  button.textContent = "Edit";
}

// ---- copy, open

async function copy(listing, button) {
  const told = listing.querySelector(".listing__told");
  try {
    await navigator.clipboard.writeText(codeOf(listing));
    told.textContent = "Copied.";
  } catch {
    const field = listing.querySelector(".listing__field");
    if (field) field.select();
    else getSelection().selectAllChildren(programOf(listing));
    told.textContent = "The code is selected: copy it with your keyboard.";
  }
  button.focus();
}

function openIn(listing, address) {
  const title = listing.querySelector(".listing__title").textContent;
  const scratch = { path: new URL(address, location.href).pathname, title, code: codeOf(listing) };
  try {
    sessionStorage.setItem(SCRATCH, JSON.stringify(scratch));
  } catch {
    listing.querySelector(".listing__told").textContent = "This browser cannot store the code: copy it instead.";
    return;
  }
  const verb = document.querySelector(`.exercise-card a[data-closed][href="${CSS.escape(address)}"]`);
  if (!verb) return location.assign(`${address}#id_code`);
  verb.click(); // the editor stands in this step
  document.querySelector("#id_code")?.dispatchEvent(new Event("scratch")); // it was open before
}

// Where a listing is all that a screen has to do, its reader guesses what it prints, and then looks.
// A step that was read has nothing to guess any more.
function cover(listing) {
  const screen = listing.closest("[data-screens] > *");
  const output = listing.querySelector(".listing__output > .code--output");
  if (!screen || !output || screen.closest("[data-read]")) return;
  if (screen.querySelector("[data-inline-question], [data-predict], .live, .sentence, .exercise-card")) return;
  const parts = [listing.querySelector(".listing__label"), output];
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button--quiet listing__guess";
  button.textContent = listing.dataset.guess;
  const show = () => {
    for (const part of parts) part.removeAttribute("hidden");
    button.remove();
  };
  button.addEventListener("click", () => {
    show();
    output.focus({ preventScroll: true });
  });
  for (const part of parts) {
    part.setAttribute("hidden", "until-found"); // the browser's own search opens it
    part.addEventListener("beforematch", show);
  }
  addEventListener("beforeprint", show);
  listing.addEventListener("ran", show);
  output.after(button);
}

for (const listing of document.querySelectorAll(".listing")) {
  cover(listing);
  const tools = listing.querySelector(".listing__tools");
  // Nothing is sent while an instructor views the page as a student.
  if (document.querySelector(".view-as")) for (const name of ["run", "edit"]) tools.querySelector(`[data-do="${name}"]`)?.remove();
  const [runs, edits, copies, opens] = ["run", "edit", "copy", "open"].map((name) => tools.querySelector(`[data-do="${name}"]`));
  runs?.form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(listing, runs.form);
  });
  edits?.addEventListener("click", () => {
    if (listing.querySelector(".listing__field")) undo(listing, edits);
    else edit(listing, edits, runs);
  });
  copies.addEventListener("click", () => copy(listing, copies));
  opens?.addEventListener("click", () => openIn(listing, opens.dataset.address));
  for (const button of tools.querySelectorAll("button")) button.hidden = false;
}
