// What every editor of code has, made of the parts of CodeMirror: colours, Python, and typing over text.

export function colours({ HighlightStyle, tags }) {
  return HighlightStyle.define([
    { tag: [tags.keyword, tags.modifier, tags.bool, tags.null], class: "hl-k" },
    { tag: [tags.string, tags.special(tags.string)], class: "hl-s" },
    { tag: tags.number, class: "hl-m" },
    { tag: tags.comment, class: "hl-c" },
    { tag: [tags.function(tags.definition(tags.variableName)), tags.className], class: "hl-nf" },
  ]);
}

// Quotes are not closed: somebody who types the three that end a docstring would get more of them.
export function pythonParts(parts) {
  const python = parts.python();
  return [python.language.data.of({ closeBrackets: { brackets: ["(", "[", "{"] } }), python];
}

// Where text takes the place of other text, Chromium's own editing keeps the colours of that by inline
// styles, which the page's content security policy reports; this replaces it without them, after the
// editor's own handlers, which may put brackets around it.
export function replaceSelected(parts) {
  return (event, editor) => {
    const { from, to } = editor.state.selection.main;
    const text = event.data ?? "";
    if (event.inputType !== "insertText" || event.isComposing || (from === to && !text.includes("\n"))) return false;
    event.preventDefault();
    const typed = { userEvent: "input.type", scrollIntoView: true };
    const replaced = () => editor.state.update(editor.state.replaceSelection(text), typed);
    const handlers = editor.state.facet(parts.EditorView.inputHandler);
    if (!handlers.some((handle) => handle(editor, from, to, text, replaced))) editor.dispatch(replaced());
    return true;
  };
}
