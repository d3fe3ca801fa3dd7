// Over a slow line a page is used before its scripts have come, and no event tells them what was typed
// or chosen by then. What a field held when the page was made is its default.

function atFirst(menu) {
  const marked = [...menu.options].findLastIndex((option) => option.defaultSelected);
  return marked === -1 && menu.options.length ? 0 : marked;
}

export function isUsed(field) {
  if (field.matches("[type=radio], [type=checkbox]")) return field.checked !== field.defaultChecked;
  if (field.matches("select")) return field.selectedIndex !== atFirst(field);
  return field.matches("input, textarea") && field.value !== field.defaultValue;
}
