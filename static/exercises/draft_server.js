// Saving a draft on the server. The answer is one of {saved}, {conflict} with the draft that stands in
// the way, {refused} with a reason, or {lost}: no answer came, and it is worth trying again.

const MOST_CHARACTERS = 20000;

export async function saveOnServer(form, { code, basedOn, insteadOf = "" }, { leaving = false } = {}) {
  if (code.length > MOST_CHARACTERS) {
    return { refused: "It is too long: the site saves at most 20\u202f000 characters." };
  }
  const data = new FormData();
  data.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  data.set("opened_by", form.elements.opened_by?.value ?? "");
  data.set("code", code);
  data.set("based_on", basedOn);
  data.set("instead_of", insteadOf);
  let response;
  try {
    const options = { method: "POST", body: data, credentials: "same-origin" };
    // A browser refuses to finish large requests after the page is gone; this browser's copy remains.
    if (leaving) options.keepalive = true;
    response = await fetch(form.dataset.draftAddress, options);
  } catch {
    return { lost: true };
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok && "token" in answer) return { saved: answer }; // "" where nothing was worth keeping
  if (response.status === 409 && answer.token) return { conflict: answer };
  if (response.status >= 500 || response.status === 429) return { lost: true };
  return { refused: answer.message ?? "This page is too old to save it on the site: reload it." };
}
