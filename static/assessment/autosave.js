// Saves every choice as it is made. What cannot be sent waits, also through a closed browser, and is
// sent when the connection is back. The form itself works without any of this.

const form = document.querySelector("#attempt");
const answered = document.querySelector("#answered");
const state = document.querySelector("#saved-state");
const RETRY_MS = [1000, 2000, 5000, 10000, 30000];

class Waiting {
  // Choices that the server does not have yet, {field name: value}, kept in this browser.
  constructor(key) {
    this.key = `ordinal:attempt:${key}`;
    this.choices = new Map(Object.entries(this.#stored()));
  }

  #stored() {
    try {
      return JSON.parse(localStorage.getItem(this.key)) ?? {};
    } catch {
      return {};
    }
  }

  #store() {
    try {
      if (this.choices.size) localStorage.setItem(this.key, JSON.stringify(Object.fromEntries(this.choices)));
      else localStorage.removeItem(this.key);
    } catch {
      // This browser keeps nothing: the choices still wait in the page.
    }
  }

  add(name, value) {
    this.choices.set(name, value);
    this.#store();
  }

  sent(batch) {
    for (const [name, value] of batch) {
      if (this.choices.get(name) === value) this.choices.delete(name);
    }
    this.#store();
  }

  forget() {
    this.choices.clear();
    this.#store();
  }
}

function say(text) {
  state.textContent = text ? ` · ${text}` : "";
}

function count() {
  const number = form.querySelectorAll("input[type=radio]:checked").length;
  answered.textContent = `${number} of ${form.dataset.questions} answered`;
}

function stop(review) {
  for (const field of form.elements) field.disabled = true;
  const link = document.createElement("a");
  link.href = review;
  link.textContent = "See its review.";
  say("This attempt was submitted, perhaps in another tab. ");
  state.append(link);
}

function keepSaving(waiting) {
  let sending = false;
  let failures = 0;
  let timer = null;

  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(send, RETRY_MS[Math.min(failures, RETRY_MS.length) - 1]);
  };

  async function send() {
    if (sending || !waiting.choices.size) return;
    sending = true;
    const batch = [...waiting.choices];
    const body = new URLSearchParams(batch);
    body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    let response = null;
    try {
      response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    } catch {
      // No connection: the choices wait.
    }
    sending = false;
    await settle(response, batch);
  }

  async function settle(response, batch) {
    if (response?.ok) {
      failures = 0;
      waiting.sent(batch);
      if (waiting.choices.size) send();
      else say("saved");
    } else if (response?.status === 409) {
      waiting.forget();
      stop((await response.json()).review);
    } else if (response && response.status < 500) {
      waiting.sent(batch);
      say("Not saved. Load the page again; if it stays so, press Save.");
    } else {
      failures += 1;
      say(response ? "Not saved yet: the site failed. Trying again." : "No connection. Your choices wait here.");
      later();
    }
  }

  form.addEventListener("change", (event) => {
    count();
    waiting.add(event.target.name, event.target.value);
    say("saving");
    send();
  });
  window.addEventListener("online", send);
  send();
}

if (form) {
  const waiting = new Waiting(form.dataset.attempt);
  for (const [name, value] of [...waiting.choices]) {
    const radio = [...form.elements].find((field) => field.name === name && field.value === value);
    if (radio) radio.checked = true;
    else waiting.sent([[name, value]]);
  }
  count();
  document.querySelector("#save").hidden = true;
  keepSaving(waiting);
  document.querySelector("#blank")?.focus();
}
