// After an inline question was answered, focus goes to the reasons: a screen reader hears them, and
// the keyboard goes on from there. A lost connection is said beside the button.

const isQuestion = (element) => element?.matches?.("[data-inline-question]");

document.body.addEventListener("htmx:afterSettle", (event) => {
  const section = event.detail.elt;
  if (section?.classList?.contains("inline-question")) section.focus({ preventScroll: true });
});

function complain(event) {
  const form = event.detail.elt;
  if (!isQuestion(form)) return;
  const line = form.querySelector(".field__error") ?? form.insertBefore(document.createElement("p"), form.lastElementChild);
  line.className = "field__error";
  line.setAttribute("role", "alert");
  line.textContent = "Not sent. Your choice is still here: try again in a moment.";
}

document.body.addEventListener("htmx:sendError", complain);
document.body.addEventListener("htmx:responseError", complain);
