// After a button was pressed, begins reading at what was said about it. A page that is led to a place
// within it (`#place-...`) begins there instead.

const said = document.querySelector(".messages") ?? document.querySelector("main [role=alert]");

if (said && !location.hash) {
  said.tabIndex = -1;
  said.focus();
}
