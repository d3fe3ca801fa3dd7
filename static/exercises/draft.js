// Keeps what is written, in this browser and on the server, so that a closed tab, a lost connection or
// another device loses nothing. A text that this tab has not seen is never overwritten: it is asked about.

import { isUsed } from "../site/early.js";
import { ask, isAsking } from "./draft_question.js";
import { saveOnServer } from "./draft_server.js";
import { DraftStore } from "./draft_store.js";

const form = document.querySelector("#code-form");
const code = document.querySelector("#id_code");
const note = document.querySelector("#draft-note");
const words = document.querySelector("#draft-text");
const undo = document.querySelector("#draft-undo");
const state = document.querySelector("#draft-state");

const SCRATCH = "ordinal:scratch";
const KEEP_AFTER_MS = 300;
const SAVE_AFTER_MS = 1500;
const TRY_AGAIN_MS = 10000;

let store = null;
let base = ""; // the token of the server's draft that the field's text follows
let sent = null; // the text of the last save, which the server may hold without our knowing
let sending = false;
let keepTimer = null;
let saveTimer = null;

function say(text, act = null, label = "Undo") {
  words.textContent = text;
  undo.hidden = act === null;
  undo.onclick = act;
  undo.textContent = label;
  note.hidden = false;
}

function when(savedAt) {
  const date = new Date(savedAt ?? NaN);
  return Number.isNaN(date.getTime()) ? "" : ` from ${date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}`;
}

// `byPage`: the page itself changes the field, nobody wrote.
function put(text, { byPage = false } = {}) {
  code.value = text;
  code.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: { byPage } }));
}

function replaceWithUndo(text, message) {
  const before = code.value;
  put(text);
  say(message, () => replaceWithUndo(before, "It has been restored."));
  if (!code.hidden) code.focus();
}

// Nobody has an owner's mark here, so the last visitor may have been somebody else: it is said, it can
// be cleared, and the site gets it only when somebody writes on.
function sayUnowned(record) {
  const clear = () => {
    const written = code.value;
    clearTimeout(keepTimer);
    clearTimeout(saveTimer);
    keepTimer = saveTimer = null;
    store.forget();
    put(document.querySelector("#starter").content.textContent, { byPage: true });
    say("The draft has been cleared.", () => replaceWithUndo(written, "It has been restored."));
  };
  say(`The draft${when(record.savedAt)} has been restored. Shared computer?`, clear, "Clear it");
}

function keep(synced = false) {
  clearTimeout(keepTimer);
  keepTimer = null;
  const record = { code: code.value, token: base, synced };
  if (isAsking()) return store.writeAsked(record);
  const other = store.changed();
  if (other && other.code !== code.value) {
    store.writeAsked(record);
    question(other, "Another tab of this browser has changed your draft.");
    return true;
  }
  if (!store.write(record)) state.textContent = "This browser cannot save drafts.";
  return true;
}

async function save({ insteadOf = "", leaving = false } = {}) {
  clearTimeout(saveTimer);
  saveTimer = null;
  if (isAsking() || sending) return;
  const text = code.value;
  const before = sent;
  sending = true;
  sent = text;
  const answer = await saveOnServer(form, { code: text, basedOn: base, insteadOf }, { leaving });
  sending = false;
  if (answer.saved) {
    base = answer.saved.token;
    state.textContent = base && "Draft saved.";
    if (code.value === text) keep(true);
    else saveSoon();
  } else if (answer.conflict && [before, text].includes(answer.conflict.code)) {
    base = answer.conflict.token; // our own, whose answer never reached us
    saveSoon(0);
  } else if (answer.conflict) {
    keep();
    question(answer.conflict, `There is another draft${when(answer.conflict.savedAt)}, saved in another tab or on another device.`);
  } else if (answer.lost) {
    state.textContent = "Draft saved in this browser; the site cannot be reached right now.";
    saveSoon(TRY_AGAIN_MS);
  } else {
    state.textContent = `Draft saved in this browser only. ${answer.refused}`;
  }
}

function saveSoon(after = SAVE_AFTER_MS, options = {}) {
  clearTimeout(saveTimer);
  saveTimer = setTimeout(() => save(options), after);
}

function onInput(event) {
  if (event.detail?.byPage) return;
  clearTimeout(keepTimer);
  keepTimer = setTimeout(keep, KEEP_AFTER_MS);
  saveSoon();
}

// `other` is a record or a draft of the server; `second` says that both lie on the server, `isOlder` that
// the field's text follows a newer draft of the server than the other one may.
function question(other, about, { keepLabel, takeLabel, message, second = false, isOlder = false } = {}) {
  const settle = (text) => {
    store.forgetAsked();
    store.read(); // seen now: the next write may replace it
    if (!second && !(isOlder && text === null)) base = other.token || base;
    if (text !== null) replaceWithUndo(text, message ?? "The other draft is now in the field.");
    keep();
    saveSoon(0, { insteadOf: second ? other.token : "" });
  };
  ask({
    about,
    other: other.code,
    keep: keepLabel ?? "Keep what is in the field",
    take: takeLabel ?? "Use the other version",
    mine: () => settle(null),
    theirs: () => settle(other.code),
  });
}

// What was typed before this script came, or came back with a form that was refused, is kept nowhere yet.
function beginWithField(asked, main) {
  const shown = [code.value, code.defaultValue];
  const other = [asked, main].find((one) => one && !one.synced && !shown.includes(one.code));
  const hasPlace = !asked || !main || main.synced;
  if (!other) store.forgetAsked();
  else if (hasPlace) store.write({ ...other, isOther: true }); // no earlier text of the field
  if (other) question(other, `You have a draft${when(other.savedAt)} in this browser that differs from this code.`, { isOlder: true });
  if (!other || hasPlace) keep();
  saveSoon();
}

function begin(kept, rival) {
  const asked = store.readAsked();
  const main = store.read();
  const local = asked ?? main;
  base = kept?.token ?? "";
  if (form.dataset.cameFrom) {
    const draft = local && !local.synced ? local : kept;
    if (draft && draft.code !== code.value) {
      const labels = { keepLabel: "Continue with this code", takeLabel: "Use my draft" };
      question({ ...draft, token: base }, `You have a draft${when(draft.savedAt)} that differs from this code.`, labels);
    }
  } else if (isUsed(code) || "dirty" in form.dataset) {
    beginWithField(asked, main);
  } else if (local && local.code !== code.value && (!local.synced || !kept)) {
    put(local.code, { byPage: true });
    const theirs = asked ? (main?.isOther ? main : (kept ?? main)) : kept;
    if (!theirs || theirs.code === local.code || (!asked && local.token === base)) {
      store.forgetAsked();
      if (store.unowned) return sayUnowned(local);
      say(`This is your draft${when(local.savedAt)}.`);
      saveSoon(0);
    } else {
      question(theirs, `There is another draft${when(theirs.savedAt)}, saved in another tab or on another device.`);
    }
  } else {
    if (kept) say(`This is your draft${when(kept.savedAt)}.`);
    if (rival) question(rival, `You had another draft${when(rival.savedAt)} before you signed in.`, { second: true });
  }
}

// A listing of a lesson that was opened here. While another question stands, it waits for the next
// load of the page.
function offerScratch() {
  if (isAsking()) return;
  let scratch = null;
  try {
    scratch = JSON.parse(sessionStorage.getItem(SCRATCH));
    if (scratch?.path !== new URL(form.action).pathname || typeof scratch.code !== "string") return;
    sessionStorage.removeItem(SCRATCH);
  } catch {
    return;
  }
  if (scratch.code === code.value) return;
  question({ code: scratch.code, token: base }, `You opened the listing “${scratch.title}”.`, {
    keepLabel: "Keep what is in the field",
    takeLabel: "Use the listing",
    message: "The listing is now in the field.",
  });
}

// A tab in which nothing was written follows the one in which something was.
function follow(event) {
  if (event.key !== store.key || isAsking() || keepTimer !== null || saveTimer !== null || sending) return;
  const other = store.read();
  if (!other) return;
  base = other.token || base;
  if (other.code !== code.value) put(other.code, { byPage: true });
}

function leave() {
  if (keepTimer !== null) keep();
  if (saveTimer !== null) save({ leaving: true });
}

function read(template) {
  return template && { code: template.content.textContent, ...template.dataset };
}

if (form) {
  store = new DraftStore(
    form.dataset.name,
    form.dataset.owner,
    "account" in form.dataset,
    form.dataset.before,
  );
  const [kept, rival] = [...document.querySelectorAll("template.kept-draft")].map(read);
  begin(kept, rival);
  offerScratch();
  code.addEventListener("input", onInput);
  code.addEventListener("scratch", offerScratch);
  code.addEventListener("replace", (event) => replaceWithUndo(event.detail.text, event.detail.message));
  window.addEventListener("storage", follow);
  window.addEventListener("online", () => saveTimer !== null && save());
  window.addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", () => document.hidden && leave());
  document.querySelector("#to-starter").addEventListener("click", (event) => {
    event.preventDefault();
    replaceWithUndo(document.querySelector("#starter").content.textContent, "The starter code has been restored.");
  });
}
