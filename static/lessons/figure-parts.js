// What a figure shows besides its sliders, replaced together.

export async function decode(answer) {
  const picture = new Image(answer.width, answer.height);
  picture.alt = answer.alt;
  picture.dataset.part = "picture";
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(answer.svg)}`;
  await picture.decode();
  return picture;
}

export function replaceParts(parts, answer, picture) {
  if (picture) replacePicture(parts, picture);
  else parts.picture.setAttribute("aria-label", answer.alt);
  for (const name of ["title", "subtitle", "finding", "note"]) {
    if (parts[name].textContent !== answer[name]) parts[name].textContent = answer[name];
  }
  // Both come from the site's own templates, which escape what they are given.
  if (parts.card) parts.card.innerHTML = answer.card;
  if (answer.table !== null) parts.table.innerHTML = answer.table;
  parts.problem.hidden = true;
  parts.problem.textContent = "";
  for (const link of parts.canvas.closest("figure").querySelectorAll("[data-file]")) {
    link.href = answer.files[link.dataset.file];
  }
}

export function replacePicture(parts, picture) {
  if (parts.picture === picture) return;
  parts.picture.replaceWith(picture);
  parts.picture = picture;
}

// Told once the drag has settled; a screen reader would otherwise read every step of it.
export function announce(parts, answer) {
  if (parts.announce) parts.announce.textContent = answer.cursor;
}
