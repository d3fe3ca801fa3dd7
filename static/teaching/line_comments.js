// A press on the number of a line puts it into the form of the comment, without loading the page. The
// number is a link that does the same without this module.

const form = document.querySelector("#write");
const line = form.elements.namedItem("line");
const numbers = [...document.querySelectorAll(".code__number")];

const mark = () => {
  for (const number of numbers) {
    if (number.textContent === line.value.trim()) number.setAttribute("aria-current", "true");
    else number.removeAttribute("aria-current");
  }
};

for (const number of numbers) {
  number.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    line.value = number.textContent;
    mark();
    form.elements.namedItem("text").focus();
  });
}
line.addEventListener("input", mark);
