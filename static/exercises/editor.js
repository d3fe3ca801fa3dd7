// The code field as an editor: colours, indentation, brackets. The textarea stays the form's field
// and is kept equal to it, so that drafts, shortcuts and sending know nothing of the editor.
// A switch gives the plain field back and is remembered.
//
// Somebody who walks through the page with Tab passes the editor like any other field: Tab leaves it
// until something was typed or clicked in it. From then on Tab indents, until Esc, which lets it leave
// again, or until the focus went elsewhere. CodeMirror's "tab focus mode" lets Tab and Shift+Tab
// through whatever the keymaps say; its own Esc does so for two seconds, too short to look around.

import { colours, pythonParts, replaceSelected } from "./editor_parts.js";

const form = document.querySelector("#code-form");
const code = document.querySelector("#id_code");
const label = document.querySelector('label[for="id_code"]');
const choice = document.querySelector("#editor-switch");
const place = document.querySelector("#editor");
const help = document.querySelector("#code-help");
const REMEMBERED = "ordinal:plain-field";

const note = document.querySelector("#code-note");
const MOST_CHARACTERS = 20000;
const EDITOR_HOLDS = 100000; // characters; beyond, the editor takes seconds for each key

let view = null;
let parts = null;
let marks = []; // [line from 1, text, severity]: what the last verdict says of lines, until the code is edited

function prefersPlain() {
  try {
    const kept = localStorage.getItem(REMEMBERED);
    if (kept !== null) return kept === "yes";
  } catch {
    // Nothing can be remembered here.
  }
  return matchMedia("(pointer: coarse)").matches; // a phone's own field serves better there
}

function remember(plain) {
  try {
    localStorage.setItem(REMEMBERED, plain ? "yes" : "no");
  } catch {
    // The switch works all the same.
  }
}

function extensions() {
  const { EditorView, keymap } = parts;
  return [
    EditorView.cspNonce.of(document.querySelector("script[nonce]").nonce),
    parts.lineNumbers(),
    parts.lintGutter(),
    parts.history(),
    parts.drawSelection(),
    parts.highlightActiveLine(),
    parts.highlightActiveLineGutter(),
    parts.indentOnInput(),
    parts.indentUnit.of("    "),
    parts.bracketMatching(),
    parts.closeBrackets(),
    parts.highlightSpecialChars(),
    ...pythonParts(parts),
    parts.syntaxHighlighting(colours(parts)),
    keymap.of([
      ...parts.closeBracketsKeymap,
      ...parts.historyKeymap,
      ...parts.searchKeymap,
      parts.indentWithTab,
      ...parts.defaultKeymap,
    ]),
    EditorView.contentAttributes.of({
      "aria-labelledby": label.id,
      "aria-describedby": help.id,
      spellcheck: "false",
      tabindex: "0",
    }),
    EditorView.domEventHandlers({ beforeinput: replaceSelected(parts), ...tabFocus }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) toField();
      if (isTyped(update)) update.view.setTabFocusMode(false);
    }),
  ];
}

const USES = ["input", "delete", "undo", "redo"];

// A window in the background keeps its focus: coming back to it is no walk through the page.
const tabFocus = {
  blur: (_event, editor) => {
    if (document.activeElement !== editor.contentDOM) editor.setTabFocusMode(true);
  },
  keydown: (event, editor) => {
    if (event.key === "Escape") editor.setTabFocusMode(true);
  },
  mousedown: (_event, editor) => editor.setTabFocusMode(false),
};

function isTyped(update) {
  return update.docChanged && update.transactions.some((one) => USES.some((use) => one.isUserEvent(use)));
}

function toField() {
  const text = view.state.doc.toString();
  if (text === code.value) return;
  code.value = text;
  code.dispatchEvent(new Event("input", { bubbles: true }));
}

// On paper a field is cut where its window ends: there the code stands as text.
const paper = document.querySelector("#code-on-paper");
addEventListener("beforeprint", () => {
  paper.textContent = code.value;
  paper.hidden = false;
});
addEventListener("afterprint", () => {
  paper.hidden = true;
});

// The first of the marks is where the code stopped, the others lead there.
function showMarks() {
  if (view === null) return;
  const { doc } = view.state;
  const there = marks.filter(([number]) => number >= 1 && number <= doc.lines);
  const diagnostics = there.map(([number, message, severity], index) => {
    const { from, to } = doc.line(number);
    return { from, to, severity: severity ?? (index ? "info" : "error"), message };
  });
  const first = diagnostics[0];
  view.dispatch(parts.setDiagnostics(view.state, diagnostics.sort((one, other) => one.from - other.from)));
  if (first) bringIntoSight(first.from);
}

// A verdict takes height from the editor, which may then hide the line that it names. Only the editor
// scrolls: CodeMirror's own scrollIntoView would move the page as well.
function bringIntoSight(place) {
  view.requestMeasure({
    read: ({ scrollDOM }) => {
      const { top, bottom, height } = view.lineBlockAt(place);
      const { scrollTop, clientHeight } = scrollDOM;
      const isSeen = top >= scrollTop && bottom <= scrollTop + clientHeight;
      return isSeen ? scrollTop : top - (clientHeight - height) / 2;
    },
    write: (scrollTop, { scrollDOM }) => {
      scrollDOM.scrollTop = scrollTop;
    },
  });
}

function mark(given) {
  const had = marks.length;
  marks = given;
  if (had || marks.length) showMarks();
}

function jump(number) {
  if (view !== null) {
    const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
    view.dispatch({ selection: { anchor: line.from }, scrollIntoView: true });
    view.focus();
    return;
  }
  const at = code.value.split("\n").slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  code.focus();
  code.setSelectionRange(at, at);
}

// A text that cannot be sent would only make the editor slow: nothing of it is taken.
function refuseHuge(event) {
  const length = (event.clipboardData ?? event.dataTransfer)?.getData("text/plain").length ?? 0;
  note.textContent = "";
  if (length <= MOST_CHARACTERS) return;
  event.preventDefault();
  event.stopPropagation();
  const told = length.toLocaleString("en-GB").replaceAll(",", "\u202f");
  note.textContent = `Nothing was pasted: the text has ${told} characters, and at most 20\u202f000 are allowed.`;
}

function toEditor() {
  if (code.value.length > EDITOR_HOLDS && view !== null) {
    choice.checked = true;
    return close();
  }
  const now = view?.state.doc.toString();
  if (view === null || now === code.value) return;
  view.dispatch({ changes: { from: 0, to: now.length, insert: code.value } });
}

// A part of the page that shows things in the editor gets it, now and when it is opened again.
const users = [];

function giveTo(user) {
  if (!users.includes(user)) users.push(user);
  if (view !== null) user(view, parts);
}

async function open() {
  if (code.value.length > EDITOR_HOLDS) throw new RangeError("too long for the editor");
  parts = await import("../vendor/codemirror-6.0.2/codemirror.js");
  const state = parts.EditorState.create({ doc: code.value, extensions: extensions() });
  view = new parts.EditorView({ state, parent: place });
  showMarks();
  for (const user of users) user(view, parts);
  view.setTabFocusMode(true);
  code.hidden = true;
  place.hidden = false;
  label.removeAttribute("for");
  document.querySelector("#tab-help").textContent =
    "Tab leaves the field. Once you type or click in it, Tab indents: press Esc, then Tab to leave.";
}

function close() {
  view?.destroy();
  view = null;
  code.hidden = false;
  place.hidden = true;
  label.htmlFor = code.id;
  document.querySelector("#tab-help").textContent = "Tab leaves the field; indent with spaces.";
}

async function change() {
  remember(choice.checked);
  if (choice.checked) {
    close();
    code.focus();
  } else {
    await open().then(() => view.focus(), keepPlain);
  }
}

function keepPlain() {
  choice.checked = true; // the plain field is still there
}

if (form && place) {
  choice.checked = prefersPlain();
  choice.closest("label").hidden = false;
  choice.addEventListener("change", change);
  code.addEventListener("input", toEditor);
  label.addEventListener("click", () => view?.focus());
  code.addEventListener("input", () => mark([]));
  code.addEventListener("marks", (event) => mark(event.detail));
  code.addEventListener("use-editor", (event) => giveTo(event.detail));
  code.addEventListener("jump", (event) => jump(event.detail));
  for (const way of ["paste", "drop"]) {
    document.querySelector(".code-form__field").addEventListener(way, refuseHuge, { capture: true });
  }
  if (!choice.checked) open().catch(keepPlain);
}
