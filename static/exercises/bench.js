// The workbench. On a wide screen task, code and result stand in panes beside each other, by style
// alone. On a narrow one they become tabs: one of them is shown, and a result opens its own.
//
// A pane that is hidden takes the focus with it, so a reader in it is led to the tab that opens.

const bench = document.querySelector("#bench");
const narrow = matchMedia("(max-width: 74.99rem)");
const list = bench?.querySelector('[role="tablist"]');
const tabs = [...(list?.querySelectorAll('[role="tab"]') ?? [])];

function paneOf(tab) {
  return document.getElementById(tab.getAttribute("aria-controls"));
}

function select(chosen, { focus = false } = {}) {
  const lost = tabs.some((tab) => tab !== chosen && paneOf(tab).contains(document.activeElement));
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    paneOf(tab).toggleAttribute("data-away", !isChosen);
    if (isChosen) tab.classList.remove("bench__tab--new");
  }
  if (narrow.matches && (focus || lost)) chosen.focus({ preventScroll: true });
}

// What is inside a pane that is away is shown: "result", or the pane of an address such as #id_code.
export function openPane(name) {
  const chosen = tabs.find((tab) => paneOf(tab).id === name);
  if (!chosen || !narrow.matches) return;
  select(chosen);
  if (bench.getBoundingClientRect().top < 0) bench.scrollIntoView();
}

// A pane to which something came while another is read: its tab says so.
export function announce(name) {
  const tab = tabs.find((one) => paneOf(one).id === name);
  if (tab) tab.classList.toggle("bench__tab--new", tab.getAttribute("aria-selected") !== "true");
}

export function hasTabs() {
  return bench !== null && narrow.matches;
}

// Whether the panes stand beside each other, each scrolling by itself.
export function isBeside() {
  return bench !== null && matchMedia("(min-width: 75rem) and (min-height: 40rem)").matches;
}

function openPaneOf(hash) {
  const aim = hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
  const pane = aim && aim.closest(".bench__pane");
  if (pane) openPane(pane.id);
  return pane ? aim : null;
}

// A list of tabs follows clicks and the keys that move in it.
export function listenToTabs(list, tabs, select) {
  list.addEventListener("click", (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab) select(tab);
  });
  list.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    const now = tabs.indexOf(event.target);
    const ends = { Home: 0, End: tabs.length - 1 };
    const next = event.key in ends ? ends[event.key] : (now + steps[event.key] + tabs.length) % tabs.length;
    if (!(next >= 0)) return;
    event.preventDefault();
    select(tabs[next], { focus: true });
  });
}

// Only tabs have panels: beside each other the panes are regions of the page. There they scroll by
// themselves, so the keyboard stops at each; a panel scrolls with the page, and would begin behind the tabs.
function arrange() {
  list.hidden = !narrow.matches;
  bench.classList.toggle("bench--tabs", narrow.matches);
  for (const tab of tabs) {
    const pane = paneOf(tab);
    const role = narrow.matches ? "tabpanel" : pane.localName === "section" ? null : "region";
    if (role) pane.setAttribute("role", role);
    else pane.removeAttribute("role");
    if (pane.localName !== "section") pane.tabIndex = narrow.matches ? -1 : 0;
  }
}

if (bench) {
  listenToTabs(list, tabs, select);
  select(tabs[document.querySelector("#code-form").dataset.cameFrom ? 1 : 0]);
  arrange();
  narrow.addEventListener("change", arrange);
  openPaneOf(location.hash);
  window.addEventListener("hashchange", () => openPaneOf(location.hash)?.focus());
}
