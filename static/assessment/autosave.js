// Saves every answer as it is given. What cannot be sent waits, also through a closed browser, and is
// sent when the connection is back. The form itself works without any of this.

import { renewToken } from "../site/csrf_token.js";
import { isUsed } from "../site/early.js";
import { Waiting } from "./waiting.js";

const RETRY_MS = [1000, 2000, 5000, 10000, 30000];
const TIMEOUT_MS = 10000;
const TYPING_MS = 600; // of silence: a number that is still being typed is not sent
const IS_SEEN = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u; // else the server takes it as blank
const IS_ANSWER = /^(response|choices|number|text)-/;

const form = document.querySelector("#attempt");
const answered = document.querySelector("#answered");
const state = document.querySelector("#saved-state");

const say = (text) => state.replaceChildren(text);

function sayWithLink(text, address, words) {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = words;
  state.replaceChildren(`${text} `, link);
}

function valueOf(name) {
  // What a form would send under this name; of several options, which are told by commas.
  const fields = [...form.elements].filter((field) => field.name === name);
  const boxes = fields.filter((field) => field.type === "checkbox");
  if (!boxes.length) return fields.find((field) => field.type === "text" || field.checked)?.value ?? "";
  return boxes.filter((box) => box.checked).map((box) => box.value).join(",");
}

function asWas(value) {
  // The server names several options in the order of their numbers.
  if (!/^[0-9]+(,[0-9]+)+$/.test(value)) return value;
  return value.split(",").sort((a, b) => a - b).join(",");
}

function count() {
  const typed = [...form.querySelectorAll(".number-answer__input, .text-answer__input")];
  const texts = typed.filter((field) => IS_SEEN.test(field.value) && field.getAttribute("aria-invalid") !== "true");
  const chosen = form.querySelectorAll("input[type=radio]:checked, input[type=checkbox]:checked");
  const number = new Set([...chosen].map((field) => field.name)).size + texts.length;
  answered.textContent = `${number} of ${form.dataset.questions} answered`;
}

function choose(name, value) {
  // Show an answer that was given elsewhere: in another tab, or before the browser was closed.
  const fields = [...form.elements].filter((field) => field.name === name);
  const boxes = fields.filter((field) => field.type === "checkbox");
  if (boxes.length) {
    const chosen = value.split(",");
    for (const box of boxes) box.checked = chosen.includes(box.value);
    return true;
  }
  const field = fields.find((one) => one.type === "text" || one.value === value);
  if (field?.type === "text") field.value = value;
  else if (field) field.checked = true;
  return Boolean(field);
}

// What came back into the form after signing in again: the server does not have it.
function isBack(field) {
  const was = form.elements[field.name.replace(IS_ANSWER, "was-")];
  return "dirty" in form.dataset && was !== undefined && asWas(valueOf(field.name)) !== was.value;
}

function known(name, value) {
  // The server has this choice: pressing a button later must not send it over a newer one.
  const was = form.elements[name.replace(IS_ANSWER, "was-")];
  if (was) was.value = asWas(value);
}

function judge(batch, unread, read) {
  // What is no number was saved as it is; beside its field stands why it does not count. A number that
  // can be written in several ways (0,5) is repeated as it was read.
  for (const [name] of batch) {
    const field = form.elements[name];
    if (field?.type !== "text" || !name.startsWith("number-")) continue;
    const key = name.replace(IS_ANSWER, "");
    const words = unread?.[key] ?? "";
    const answer = field.closest(".number-answer");
    const says = answer.querySelector("[data-says]");
    says.textContent = words;
    // It is below the field, where the bar of the attempt may lie over it.
    if (words && field === document.activeElement) says.scrollIntoView({ block: "nearest" });
    answer.querySelector("[data-read]").textContent = read?.[key] ? `Read as ${read[key]}.` : "";
    if (words) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
  count();
}

function stop(review) {
  for (const field of form.elements) field.disabled = true;
  const words = "ends" in form.dataset ? "This attempt is over." : "This attempt has been submitted, perhaps in another tab.";
  sayWithLink(words, review, "See the review.");
}

function post(batch) {
  renewToken(form);
  const body = new URLSearchParams(batch);
  body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  const headers = { Accept: "application/json" };
  return fetch(location.pathname, { method: "POST", body, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
}

class Saver {
  sending = null; // the promise of the request on its way
  failures = 0;

  constructor(waiting, tabs) {
    this.waiting = waiting;
    this.tabs = tabs;
  }

  send() {
    if (!this.sending && this.waiting.choices.size) {
      const batch = [...this.waiting.choices];
      this.sending = post(batch)
        .catch(() => null) // no connection, or none in time
        .then((response) => this.#settle(response, batch));
      this.sending.finally(() => {
        this.sending = null;
        if (!this.failures) this.send(); // what was chosen meanwhile
      });
    }
    return this.sending;
  }

  async #settle(response, batch) {
    clearTimeout(this.timer);
    this.failures = 0;
    if (response?.ok) {
      this.waiting.sent(batch);
      for (const [name, value] of batch) known(name, value);
      const { unread, read, seconds_left: seconds } = await response.json();
      judge(batch, unread, read);
      if (seconds !== undefined) form.dispatchEvent(new CustomEvent("timeleft", { detail: seconds }));
      this.tabs?.postMessage(batch);
      say(this.waiting.choices.size ? "saving" : "saved");
    } else if (response?.status === 409) {
      this.waiting.sent([...this.waiting.choices]);
      stop((await response.json()).review);
    } else if (response?.status === 413) {
      this.waiting.sent(batch);
      say("Not saved: this is larger than the site accepts. Shorten your answer.");
    } else if (response?.status === 400) {
      this.waiting.sent(batch);
      sayWithLink("Not saved: this page is out of date.", location.pathname, "Reload it.");
    } else {
      this.#later(response);
    }
  }

  #later(response) {
    this.failures += 1;
    this.timer = setTimeout(() => this.send(), RETRY_MS[Math.min(this.failures, RETRY_MS.length) - 1]);
    if (!response) say("No connection. Your choices are still on this page.");
    else if (response.status >= 500 || response.status === 429) say("Not saved yet. Trying again.");
    else sayWithLink("Not saved yet. Did you sign out?", location.pathname, "Reload the page.");
  }
}

function listen(saver, waiting, tabs) {
  let typing = 0;
  const save = (field) => {
    if (!IS_ANSWER.test(field.name)) return;
    clearTimeout(typing);
    count();
    waiting.add(field.name, valueOf(field.name));
    say("saving");
    saver.send();
  };
  form.addEventListener("change", (event) => save(event.target));
  form.addEventListener("input", (event) => {
    const field = event.target;
    if (field.type !== "text") return;
    waiting.add(field.name, field.value); // kept at once, sent when the typing pauses
    clearTimeout(typing);
    typing = setTimeout(() => save(field), TYPING_MS);
  });
  form.addEventListener("submit", (event) => {
    renewToken(form);
    if (saver.sending) {
      event.preventDefault(); // an older choice must not arrive after the submitted ones
      saver.sending.finally(() => form.requestSubmit(event.submitter));
    }
  });
  tabs?.addEventListener("message", ({ data }) => {
    for (const [name, value] of data) {
      if (choose(name, value)) known(name, value);
    }
    waiting.sent(data);
    count();
    say("changed in another tab");
  });
  window.addEventListener("online", () => saver.send());
  window.addEventListener("pageshow", (event) => event.persisted && location.reload());
}

if (form) {
  const waiting = new Waiting(form.dataset.attempt);
  const tabs = "BroadcastChannel" in window ? new BroadcastChannel(waiting.prefix) : null;
  const saver = new Saver(waiting, tabs);
  const early = [...form.elements].filter((field) => IS_ANSWER.test(field.name) && (isUsed(field) || isBack(field)));
  for (const { name } of early) waiting.add(name, valueOf(name)); // newer than what waited
  for (const [name, value] of [...waiting.choices]) {
    if (!choose(name, value)) waiting.sent([[name, value]]);
  }
  count();
  document.querySelector("#save").hidden = true;
  listen(saver, waiting, tabs);
  if (early.length) say("saving");
  const typing = early.find((field) => field.type === "text" && field === document.activeElement);
  if (typing) typing.dispatchEvent(new Event("input", { bubbles: true }));
  else saver.send();
}
