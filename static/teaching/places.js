// Orders a quiz's questions without a reload. Every button works without this: it then saves the
// draft and brings the page back where it was.

const list = document.querySelector("#places");
const form = document.querySelector("#writing");
const state = document.querySelector("#order-state");
const none = document.querySelector("#no-places");

const STEPS = { up: -1, down: 1 };

// Pools are numbered in their order, as they will be when the form comes back.
function rename(place, name) {
  const before = place.dataset.slug;
  for (const field of place.querySelectorAll("[name]")) {
    if (field.value === before) field.value = name;
    else if (field.name === "do") field.value = field.value.replace(before, name);
    else field.name = field.name.replace(before, name);
  }
  place.dataset.slug = name;
}

function settle(words) {
  let pools = 0;
  [...list.children].forEach((place, index) => {
    place.querySelector(".teach-place__number").textContent = `${index + 1}.`;
    if (!place.dataset.slug.startsWith("pool:")) return;
    pools += 1;
    rename(place, `pool:${pools}`);
  });
  none.hidden = list.children.length > 0;
  state.textContent = words;
  form.dispatchEvent(new Event("change", { bubbles: false }));
}

function move(place, step) {
  const places = [...list.children];
  const from = places.indexOf(place);
  const to = Math.min(Math.max(from + step, 0), places.length - 1);
  if (to < from) places[to].before(place);
  if (to > from) places[to].after(place);
  settle(`${place.dataset.words} is now number ${to + 1} of ${places.length}.`);
}

function remove(place) {
  const next = place.nextElementSibling ?? place.previousElementSibling;
  place.remove();
  settle(`${place.dataset.words} has been removed.`);
  (next ?? document.querySelector("#chosen")).focus();
}

// Numbers are written as they will be kept: 3,5 is 3.5.
list?.addEventListener("change", ({ target }) => {
  const number = target.inputMode ? Number(target.value.trim().replace(",", ".")) : NaN;
  if (target.value.trim() && Number.isFinite(number)) target.value = String(number);
});

list?.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const place = button?.closest(".teach-place");
  if (!place) return;
  event.preventDefault();
  const [act] = button.value.split(":");
  if (act === "remove") {
    remove(place);
  } else {
    move(place, STEPS[act]);
    button.focus();
  }
});

form?.addEventListener("putback", ({ detail }) => {
  const order = detail.filter(([name]) => name === "questions").map(([, slug]) => slug);
  const places = [...list.children].filter((place) => order.includes(place.dataset.slug));
  places.sort((a, b) => order.indexOf(a.dataset.slug) - order.indexOf(b.dataset.slug));
  list.replaceChildren(...places);
  settle("The order has been restored.");
});
