// Warns before an unsaved form is left, and keeps what is typed in this browser: whatever happens to
// the connection, the session or the server, nothing typed is lost.

import { renewToken } from "../site/csrf_token.js";
import { isUsed } from "../site/early.js";

const form = document.querySelector("form[data-keep]");
const state = document.querySelector("#keep-state");

const KEEP_AFTER_MS = 300;
// Fields that say what to do, not what is written: the page marks them, and the token is Django's.
const NOT_CONTENT = "[name=csrfmiddlewaretoken], [name=opened_by], [data-not-content], [data-not-content] *";

const key = form && `ordinal:teach:${form.dataset.keep}`;
let sending = false;

if (form?.dataset.keepBefore) takeOver(`ordinal:teach:${form.dataset.keepBefore}`);

// Until addresses named their course, names were kept without it.
function takeOver(before) {
  try {
    const text = localStorage.getItem(before);
    if (text === null) return;
    if (localStorage.getItem(key) === null) localStorage.setItem(key, text);
    localStorage.removeItem(before);
  } catch {
    // Nothing was kept there.
  }
}

function typed(submitter = null) {
  const others = new Set([...form.elements].filter((field) => field.matches(NOT_CONTENT)).map(({ name }) => name));
  const fields = [...new FormData(form)].filter(([name]) => !others.has(name));
  // What the button adds will stand in the form that comes back: else it would look like other text.
  const [act, slug] = submitter?.value.split(":") ?? [];
  if (act === "add" && slug) fields.push(["questions", slug], [`points-${slug}`, "1"]);
  if (act === "pool") fields.push(...newPool(fields));
  return JSON.stringify(fields.map(([name, value]) => [name, value.replaceAll("\r\n", "\n")]));
}

function newPool(fields) {
  const pools = fields.filter(([name, value]) => name === "questions" && value.startsWith("pool:"));
  const name = `pool:${pools.length + 1}`;
  return [["questions", name], [`draw-${name}`, "1"], [`tag-${name}`, ""], [`points-${name}`, "1"]];
}

const kept = {
  read() {
    try {
      const found = JSON.parse(localStorage.getItem(key));
      return typeof found?.fields === "string" ? found : null;
    } catch {
      return null;
    }
  },
  write(fields, isSent) {
    try {
      localStorage.setItem(key, JSON.stringify({ fields, isSent, savedAt: Date.now() }));
    } catch {
      state.textContent = "This browser cannot save a copy of what you type: save often.";
    }
  },
  forget() {
    forget(form.dataset.keep);
  },
};

function forget(name) {
  try {
    localStorage.removeItem(`ordinal:teach:${name}`);
  } catch {
    // Nothing was kept there.
  }
}

function put(text) {
  const fields = JSON.parse(text);
  for (const field of form.elements) {
    if (!field.name || field.matches(NOT_CONTENT) || ["submit", "hidden"].includes(field.type)) continue;
    const values = fields.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field.type === "radio" || field.type === "checkbox") field.checked = values.includes(field.value);
    else if (values.length) field.value = values[0];
  }
  form.dispatchEvent(new CustomEvent("putback", { detail: fields }));
  form.dispatchEvent(new Event("input", { bubbles: true }));
}

function button(words, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button button--quiet";
  made.textContent = words;
  made.addEventListener("click", act);
  return made;
}

function offer(found) {
  // A copy from a page that was never saved: shown, not put back by itself.
  const note = document.createElement("div");
  note.className = "notice notice--warn";
  note.setAttribute("role", "status");
  const at = new Date(found.savedAt).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const words = document.createElement("p");
  words.textContent = `This browser has unsaved text for this page, from ${at}.`;
  const buttons = document.createElement("p");
  buttons.className = "cluster";
  buttons.append(
    button("Restore it", () => {
      note.remove();
      put(found.fields);
    }),
    button("Discard it", () => {
      note.remove();
      kept.forget();
    }),
  );
  note.append(words, buttons);
  // Within the form: beside it, the note would take the place of the form in the columns of the page.
  form.prepend(note);
}

function listen(opened, found) {
  let timer = null;
  const isEarly = [...form.elements].some((field) => !field.matches(NOT_CONTENT) && isUsed(field));
  const dirty = () => "dirty" in form.dataset || isEarly || typed() !== opened;
  const keep = (submitter = null, isSent = false) => {
    clearTimeout(timer);
    timer = null;
    form.toggleAttribute("data-unsaved", dirty()); // so that no script leaves the page meanwhile
    if (dirty()) kept.write(typed(submitter), isSent);
    else kept.forget();
  };
  const changed = () => {
    form.toggleAttribute("data-unsaved", true);
    clearTimeout(timer);
    timer = setTimeout(() => keep(), KEEP_AFTER_MS);
  };
  if (isEarly && !found) changed(); // or it would take the place of what is offered
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  form.addEventListener("submit", (event) => {
    renewToken(form);
    if (event.submitter?.formTarget) return; // a preview in a new tab: this page stays as it is
    if (event.submitter?.value === "discard") {
      clearTimeout(timer);
      kept.forget();
    } else {
      keep(event.submitter, true);
    }
    sending = true;
  });
  window.addEventListener("pagehide", () => timer !== null && keep());
  window.addEventListener("pageshow", () => {
    sending = false;
  });
  window.addEventListener("beforeunload", (event) => {
    if (!sending && dirty()) event.preventDefault();
  });
  form.addEventListener("htmx:responseError", () => {
    state.textContent = "The preview could not be loaded: are you still signed in? What you type is saved in this browser.";
  });
  form.addEventListener("htmx:sendError", () => {
    state.textContent = "No connection: the preview will appear later. What you type is saved in this browser.";
  });
  form.addEventListener("htmx:afterSwap", () => {
    state.textContent = "";
  });
}

// The server says which form it saved. It may write the same in another way, such as tags after a comma.
function isSaved(found) {
  const saved = [...document.querySelectorAll("[data-saved]")].map(({ dataset }) => dataset.saved);
  return found.isSent === true && saved.includes(form.dataset.keep);
}

if (form) {
  const opened = typed();
  const found = kept.read();
  if (found && (found.fields === opened || isSaved(found))) kept.forget();
  else if (found && document.querySelector("#came-back")) put(found.fields); // also what it cannot show
  else if (found && !("dirty" in form.dataset)) offer(found);
  listen(opened, found);
} else {
  // What was saved may come back without its form, such as while it is proved.
  for (const { dataset } of document.querySelectorAll("[data-saved]")) forget(dataset.saved);
}
