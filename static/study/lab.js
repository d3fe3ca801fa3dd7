// A Run that waits: its page is loaded again when the site says so.

const waiting = document.querySelector("#result [data-ask]");
if (waiting) {
  setTimeout(() => location.replace(`${waiting.dataset.ask}#result`), Number(waiting.dataset.askAfterMs));
}
