// What htmx leaves to us: a verdict that is seen, a request that failed and is said or tried again.

const area = document.querySelector("#verdict");
const status = document.querySelector("#verdict-status");
const ASK_AGAIN_MS = 2000;
const calm = { block: "nearest", behavior: "auto" };

function refuse(title, advice) {
  const notice = document.createElement("div");
  notice.className = "notice notice--warn";
  const line = notice.appendChild(document.createElement("p"));
  line.appendChild(document.createElement("strong")).textContent = title;
  line.append(` ${advice}`);
  area.replaceChildren(notice);
  status.textContent = `${title} ${advice}`;
  notice.scrollIntoView(calm);
}

function isForm(element) {
  return element.id === "code-form";
}

function onFailure(event, title, advice) {
  const element = event.detail.elt;
  if (isForm(element)) {
    refuse(title, advice);
  } else if (element.classList.contains("verdict--waiting")) {
    setTimeout(() => window.htmx.trigger(element, "again"), ASK_AGAIN_MS);
  }
}

function onLostConnection(event) {
  onFailure(event, "Not sent: no connection.", "Your code is still here. Send it again in a moment.");
}

function onServerError(event) {
  const code = event.detail.xhr.status;
  if (code === 403) {
    onFailure(event, "Not sent: this page is too old.", "Your code is kept: load the page again and send it.");
  } else if (code === 413) {
    onFailure(event, "Not sent: this is too much.", "At most 20\u202f000 characters fit.");
  } else {
    onFailure(event, `Not sent: the site failed (${code}).`, "That was our fault. Your code is still here.");
  }
}

function onSwap(event) {
  const shown = area.firstElementChild;
  area.removeAttribute("aria-busy");
  if (shown && (isForm(event.detail.elt) || shown.dataset.verdict)) shown.scrollIntoView(calm);
}

if (area) {
  document.body.addEventListener("htmx:sendError", onLostConnection);
  document.body.addEventListener("htmx:timeout", onLostConnection);
  document.body.addEventListener("htmx:responseError", onServerError);
  document.body.addEventListener("htmx:afterSettle", onSwap);
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    if (isForm(event.detail.elt)) area.setAttribute("aria-busy", "true");
  });
}
