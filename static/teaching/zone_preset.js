// The time zone of a new class is that of the reader's browser, unless another one was chosen already.
// Where no script runs the list says UTC.

const list = document.querySelector("select[data-other-names]");

function preset(options, otherNames) {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const name = otherNames[zone] ?? zone; // browsers say Asia/Calcutta, the list Asia/Kolkata
  return [...options].find(({ value }) => value === name);
}

if (list?.selectedOptions[0]?.defaultSelected) {
  const found = preset(list.options, JSON.parse(list.dataset.otherNames));
  if (found) found.selected = true;
}
