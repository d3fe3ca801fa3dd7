// Without cookies nothing can be sent, and trying again never helps: said at once, where there is a form.

export const BLOCKED = "This browser blocks cookies for this site. Allow them, then reload the page.";

export function blocked() {
  return !navigator.cookieEnabled;
}

if (blocked() && document.querySelector("main form[method=post]")) {
  const line = document.createElement("p");
  line.className = "notice notice--warn";
  line.setAttribute("role", "alert");
  line.textContent = `Nothing can be sent from this page. ${BLOCKED}`;
  document.querySelector("main").prepend(line);
}
