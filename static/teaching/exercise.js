// The fields of an exercise's code as editors, each when its part is opened, and the lines that
// faults name. Ctrl+Enter proves. Every field stays the form's own and is kept equal to its editor:
// without this script the fields are plain.

import { colours, pythonParts, replaceSelected } from "../exercises/editor_parts.js";

const form = document.querySelector("#writing");
const EDITOR_HOLDS = 100000; // characters; beyond, the editor takes seconds for each key
const views = new Map();
let parts = null;

// Lines are those of the file, in which a header stands above the field's text.
function extensions(field, label) {
  const { EditorView, keymap } = parts;
  const above = Number(field.parentElement.dataset.linesAbove);
  return [
    EditorView.cspNonce.of(document.querySelector("script[nonce]").nonce),
    parts.lineNumbers({ formatNumber: (number) => String(number + above) }),
    parts.history(),
    parts.drawSelection(),
    parts.indentOnInput(),
    parts.indentUnit.of("    "),
    parts.bracketMatching(),
    parts.closeBrackets(),
    ...pythonParts(parts),
    parts.syntaxHighlighting(colours(parts)),
    keymap.of([...parts.closeBracketsKeymap, ...parts.historyKeymap, ...parts.searchKeymap, ...parts.defaultKeymap]),
    EditorView.contentAttributes.of({ "aria-labelledby": label.id, spellcheck: "false", tabindex: "0" }),
    EditorView.domEventHandlers({ beforeinput: replaceSelected(parts) }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return;
      field.value = state.doc.toString();
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }),
  ];
}

async function open(field) {
  if (views.has(field) || field.value.length > EDITOR_HOLDS) return;
  if (matchMedia("(pointer: coarse)").matches) return; // a phone's own field serves better there
  views.set(field, null);
  parts ??= await import("../vendor/codemirror-6.0.2/codemirror.js");
  const label = document.querySelector(`label[for="${field.id}"]`);
  const place = document.createElement("div");
  place.className = "code-form__editor teach-step__editor";
  const state = parts.EditorState.create({ doc: field.value, extensions: extensions(field, label) });
  const view = new parts.EditorView({ state, parent: place });
  field.after(place);
  field.hidden = true;
  label.addEventListener("click", () => view.focus());
  // What else writes into the field, such as a text that this browser kept.
  field.addEventListener("input", () => {
    const now = view.state.doc.toString();
    if (now !== field.value) view.dispatch({ changes: { from: 0, to: now.length, insert: field.value } });
  });
  views.set(field, view);
}

async function openIn(part) {
  await Promise.all([...part.querySelectorAll("[data-code] > textarea")].map(open)).catch(() => {});
}

function select(field, line) {
  const view = views.get(field);
  if (view) {
    const { from, to } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
    view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
    view.focus();
    return;
  }
  const lines = field.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  field.focus();
  if (line < 1 || !field.matches("textarea")) return;
  field.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(line - 4, 0);
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest(".teach-missing a[href^='#']");
  const field = link && document.querySelector(link.hash);
  const part = field?.closest("details");
  if (!part) return;
  event.preventDefault();
  part.open = true;
  await openIn(part);
  select(field, Number(link.dataset.line ?? 0));
});

form?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.stopPropagation();
  form.requestSubmit(form.querySelector("button[value=prove]"));
}, { capture: true });

for (const part of form?.querySelectorAll("details") ?? []) {
  part.addEventListener("toggle", () => part.open && openIn(part));
  if (part.open) openIn(part);
}
