// Signing in, in another tab, changes the token of a form; the cookie always has the new one.

export function renewToken(form) {
  const cookies = document.cookie.split("; ").map((part) => part.split("="));
  const [, value] = cookies.find(([name]) => name === form.dataset.csrfCookie) ?? [];
  if (value) form.elements.csrfmiddlewaretoken.value = value;
}
