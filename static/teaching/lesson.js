// Puts a block at the cursor of the step that was written in last, without a reload, and shows the
// line that a fault names. Without this, Insert saves the draft with the block at the step's end.

const form = document.querySelector("#writing");
const chosen = form?.querySelector("#block");
const into = form?.querySelector("#into");

form?.addEventListener("focusin", ({ target }) => {
  if (into && target.name?.startsWith("text-")) into.value = target.name.slice("text-".length);
});

// The text of the step that Into names: that in which somebody wrote last.
export function textToWrite() {
  return form.querySelector(`#text-${into.value}`);
}

function block() {
  const option = chosen.selectedOptions[0];
  const [name, view = ""] = option.value.split(":").slice(1).join(":").split("/");
  return option.parentElement.dataset.block.replaceAll("NAME", name).replaceAll("VIEW", view);
}

// A block begins and ends with an empty line around it.
export function insertBlock(field, text) {
  field.closest("details").open = true;
  const { selectionStart: start, selectionEnd: end, value } = field;
  const [before, after] = [value.slice(0, start), value.slice(end)];
  const breaks = /\n*$/.exec(before)[0].length;
  const lead = before ? "\n".repeat(Math.max(2 - breaks, 0)) : "";
  const tail = after && !after.startsWith("\n") ? "\n" : "";
  field.setRangeText(lead + text + tail, start, end, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

form?.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.value !== "insert") return;
  event.preventDefault();
  insertBlock(textToWrite(), block());
});

// Line 12 of a text: the fault's link selects it.
document.addEventListener("click", ({ target }) => {
  const link = target.closest(".teach-missing a[href^='#text-']");
  if (!link) return;
  const field = document.querySelector(link.hash);
  const place = /line (\d+):/i.exec(link.parentElement.textContent) ?? /line (\d+)$/.exec(link.textContent);
  const line = Number(place?.[1] ?? 1);
  field.closest("details").open = true;
  const lines = field.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(line - 4, 0);
});
