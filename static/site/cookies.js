// Without cookies nothing can be sent, and trying again never helps: said at once, where there is a form.

const BLOCKED = "This browser blocks cookies for this site. Allow them, then reload the page.";

export function blocked() {
  return !navigator.cookieEnabled;
}

// Why nothing that this page sends is taken, however often it is sent; "" where it may be.
export function hindrance() {
  if (blocked()) return BLOCKED;
  return document.querySelector(".view-as")
    ? "Nothing can be sent while you view as a student. Go back to your own view first."
    : "";
}

if (blocked() && document.querySelector("main form[method=post]")) {
  const line = document.createElement("p");
  line.className = "notice notice--warn";
  line.setAttribute("role", "alert");
  line.textContent = `Nothing can be sent from this page. ${BLOCKED}`;
  document.querySelector("main").prepend(line);
}
