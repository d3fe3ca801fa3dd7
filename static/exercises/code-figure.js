// Opens the figure of an exercise with the learner's own numbers, once they ask for it. What draws is
// loaded then.

const section = document.querySelector("#code-figure");
const button = section?.querySelector("[data-open]");
let loading;

async function open(event) {
  event.preventDefault();
  loading ??= import("./code-figure-live.js").then(({ CodeFigure }) => new CodeFigure(section));
  try {
    (await loading).open();
  } catch (error) {
    console.warn(error);
    loading = undefined;
    section.querySelector("#code-figure-words").textContent = "Not loaded: no connection. Try again in a moment.";
  }
}

button?.addEventListener("click", open);
// Enter in a field of a form presses its first button: in a slider that would be Run.
section?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches("input, select")) event.preventDefault();
});
