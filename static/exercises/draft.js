// Keeps what is written in this browser, so that a closed tab or a lost connection loses nothing.
// What the page brought is never overwritten without a way back.

const form = document.querySelector("#code-form");
const code = document.querySelector("#id_code");
const note = document.querySelector("#draft-note");
const words = document.querySelector("#draft-text");
const undo = document.querySelector("#draft-undo");
const toStarter = document.querySelector("#to-starter");

const SAVE_AFTER_MS = 300;

function store(slug) {
  const key = `ordinal:code:${slug}`;
  return {
    read() {
      try {
        const kept = JSON.parse(localStorage.getItem(key));
        return typeof kept?.code === "string" ? kept : null;
      } catch {
        return null;
      }
    },
    write(text) {
      try {
        localStorage.setItem(key, JSON.stringify({ code: text, savedAt: Date.now() }));
      } catch {
        say("This browser keeps no draft: copy your code before you leave.");
      }
    },
    forget() {
      try {
        localStorage.removeItem(key);
      } catch {
        // Nothing was kept there.
      }
    },
  };
}

function say(text, bringBack = null) {
  words.textContent = text;
  undo.hidden = bringBack === null;
  undo.onclick = bringBack;
  note.hidden = false;
}

function hush() {
  note.hidden = true;
}

function when(savedAt) {
  const options = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  return Number.isFinite(savedAt) ? ` of ${new Date(savedAt).toLocaleString("en-GB", options)}` : "";
}

function put(text) {
  code.value = text;
  code.dispatchEvent(new Event("input", { bubbles: true }));
  if (!code.hidden) code.focus();
}

function keepDrafts(drafts) {
  let timer = null;
  const save = () => {
    clearTimeout(timer);
    timer = null;
    if (code.value === code.defaultValue) drafts.forget();
    else drafts.write(code.value);
  };
  code.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS);
  });
  const saveNow = () => {
    if (timer !== null) save();
  };
  window.addEventListener("pagehide", saveNow);
  document.addEventListener("visibilitychange", saveNow);
}

function bringBack(drafts) {
  const kept = drafts.read();
  if (!kept || kept.code === code.value) return;
  const fromPage = code.value;
  if (form.dataset.cameFrom) {
    say(`You had another draft${when(kept.savedAt)}.`, () => replace(kept.code, fromPage));
    return;
  }
  code.value = kept.code;
  say(`This is your draft${when(kept.savedAt)}, kept in this browser.`);
}

function replace(text, before) {
  put(text);
  say("Your draft is back.", () => replace(before, text));
}

function startAgain(event, starter) {
  event.preventDefault();
  const before = code.value;
  put(starter);
  say("The starter is back.", () => {
    put(before);
    hush();
  });
}

if (form) {
  const drafts = store(form.dataset.slug);
  const starter = document.querySelector("#starter").content.textContent;
  bringBack(drafts);
  keepDrafts(drafts);
  toStarter.addEventListener("click", (event) => startAgain(event, starter));
}
