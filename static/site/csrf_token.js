// Signing in, in another tab, changes the token of a form, or of a listing; the cookie always has the new one.

export function renewToken(form) {
  const cookies = document.cookie.split("; ").map((part) => part.split("="));
  const [, value] = cookies.find(([name]) => name === form.dataset.csrfCookie) ?? [];
  const field = form.querySelector("[name=csrfmiddlewaretoken]");
  if (value && field) field.value = value;
}
