// Columns that would be too narrow beside one of another kind are grouped: posenc/column_kinds.py.

import facts from "./facts.js";
import { groupColumns } from "./numbers/column-kinds.js";

const { NARROWEST_IN_TURN } = facts.column_kinds;

// The columns whose kind differs from that of the column before.
export function kindStarts(kinds) {
  const starts = [];
  for (let one = 1; one < kinds.length; one += 1) {
    if (kinds[one] !== kinds[one - 1]) starts.push(one);
  }
  return starts;
}

export function columnsFor(data, width) {
  const { kinds } = data;
  const different = new Set(kinds).size;
  if (different < 2 || kindStarts(kinds).length < different) return data;
  if (width >= NARROWEST_IN_TURN * kinds.length) return data;
  return groupColumns(data);
}

export function noteOfGroups(asked, drawn) {
  if (drawn === asked) return "";
  const words = [...new Set(drawn.kinds)].join(", then all ");
  return `To fit the width, the columns are grouped: all ${words}.`;
}
