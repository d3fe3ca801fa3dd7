// Over a slow line a page is used before its scripts have come, and no event tells them what was typed
// or chosen by then. What a field held when the page was made is its default.

const atFirst = (menu) => Math.max([...menu.options].findIndex((option) => option.defaultSelected), 0);

export function isUsed(field) {
  if (field.matches("[type=radio], [type=checkbox]")) return field.checked !== field.defaultChecked;
  if (field.matches("select")) return field.selectedIndex !== atFirst(field);
  return field.matches("input, textarea") && field.value !== field.defaultValue;
}
