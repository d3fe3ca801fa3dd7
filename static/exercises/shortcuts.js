// Ctrl or Cmd with Enter in the code presses Check, with Shift Submit; Alt with Enter presses Run. Where
// nothing can be checked, as in the lab, all of them press Run.

const form = document.querySelector("#code-form");
const onApple = /Mac|iPhone|iPad/.test(navigator.platform);

function press(kind) {
  const named = (value) => form.querySelector(`button[name="kind"][value="${value}"]`);
  const button = named(kind) ?? named("run");
  button.click(); // not requestSubmit: htmx learns from the click which button it was
}

function onKey(event) {
  if (event.key !== "Enter" || event.isComposing) return;
  const hasModifier = onApple ? event.metaKey || event.ctrlKey : event.ctrlKey;
  if (event.altKey === hasModifier) return;
  event.preventDefault();
  event.stopPropagation(); // before the editor makes a new line of it
  if (!event.repeat) press(event.altKey ? "run" : event.shiftKey ? "submit" : "check");
}

function tellKeys() {
  const keys = form.querySelector(".code-form__keys");
  if (onApple) for (const key of keys.querySelectorAll("kbd.modifier")) key.textContent = "⌘";
  keys.hidden = false;
}

if (form) {
  tellKeys();
  const field = form.querySelector(".code-form__field");
  field.addEventListener("keydown", onKey, { capture: true });
}
