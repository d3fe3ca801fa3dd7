// The code field as an editor: colours, indentation, brackets. The textarea stays the form's field
// and is kept equal to it, so that drafts, shortcuts and sending know nothing of the editor.
// A switch gives the plain field back and is remembered.
//
// Somebody who walks through the page with Tab passes the editor like any other field: Tab leaves it
// until something was typed or clicked in it. From then on Tab indents, until Esc, which lets it leave
// again, or until the focus went elsewhere. CodeMirror's "tab focus mode" lets Tab and Shift+Tab
// through whatever the keymaps say; its own Esc does so for two seconds, too short to look around.

const form = document.querySelector("#code-form");
const code = document.querySelector("#id_code");
const label = document.querySelector('label[for="id_code"]');
const choice = document.querySelector("#editor-switch");
const place = document.querySelector("#editor");
const help = document.querySelector("#code-help");
const REMEMBERED = "ordinal:plain-field";

let view = null;

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

function colours({ HighlightStyle, tags }) {
  return HighlightStyle.define([
    { tag: [tags.keyword, tags.modifier, tags.bool, tags.null], class: "hl-k" },
    { tag: [tags.string, tags.special(tags.string)], class: "hl-s" },
    { tag: tags.number, class: "hl-m" },
    { tag: tags.comment, class: "hl-c" },
    { tag: [tags.function(tags.definition(tags.variableName)), tags.className], class: "hl-nf" },
  ]);
}

function extensions(parts) {
  const { EditorView, keymap } = parts;
  return [
    EditorView.cspNonce.of(document.querySelector("#editor-script").nonce),
    parts.lineNumbers(),
    parts.history(),
    parts.drawSelection(),
    parts.highlightActiveLine(),
    parts.highlightActiveLineGutter(),
    parts.indentOnInput(),
    parts.indentUnit.of("    "),
    parts.bracketMatching(),
    parts.closeBrackets(),
    parts.highlightSpecialChars(),
    parts.python(),
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
    EditorView.domEventHandlers({ beforeinput: replaceLines, ...tabFocus }),
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

// Over several lines Chromium's own editing joins them with inline styles, which the page's content
// security policy reports; this replaces them without it.
function replaceLines(event, editor) {
  const { from, to } = editor.state.selection.main;
  const lines = editor.state.doc.lineAt(from).number !== editor.state.doc.lineAt(to).number;
  const text = event.data ?? "";
  if (event.inputType !== "insertText" || event.isComposing || !(lines || text.includes("\n"))) return false;
  event.preventDefault();
  editor.dispatch(editor.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

function toField() {
  const text = view.state.doc.toString();
  if (text === code.value) return;
  code.value = text;
  code.dispatchEvent(new Event("input", { bubbles: true }));
}

function toEditor() {
  const now = view?.state.doc.toString();
  if (view === null || now === code.value) return;
  view.dispatch({ changes: { from: 0, to: now.length, insert: code.value } });
}

async function open() {
  const parts = await import("../vendor/codemirror-6.0.2/codemirror.js");
  const state = parts.EditorState.create({ doc: code.value, extensions: extensions(parts) });
  view = new parts.EditorView({ state, parent: place });
  view.setTabFocusMode(true);
  code.hidden = true;
  place.hidden = false;
  label.removeAttribute("for");
  document.querySelector("#tab-help").textContent =
    "Tab leaves the field until you type or click in it; then Tab indents, and Esc and then Tab leaves.";
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
    await open();
    view.focus();
  }
}

if (form && place) {
  choice.checked = prefersPlain();
  choice.closest("label").hidden = false;
  choice.addEventListener("change", change);
  code.addEventListener("input", toEditor);
  label.addEventListener("click", () => view?.focus());
  if (!choice.checked) {
    open().catch(() => {
      choice.checked = true; // the plain field is still there
    });
  }
}
