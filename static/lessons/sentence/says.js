// What is said of a sentence's numbers. The readings and the note of equal rows are those of
// quizzes/lessons/sentence/picture.py, whose words the page has before this runs.

const UNSEEN = 0.005; // a change that two decimals do not show

export function signed(value) {
  const text = Math.abs(value).toFixed(2);
  return value < 0 && Number(text) ? `−${text}` : text;
}

// A word that stands in the sentence more than once is named with its position, counted from 0.
export function nameOf(words, place) {
  const isAlone = words.filter((word) => word === words[place]).length === 1;
  return isAlone ? `“${words[place]}”` : `“${words[place]}” (position ${place})`;
}

export function sayWeight(words, { weights }, row, column, causal) {
  const [from, to] = [row, column].map((place) => nameOf(words, place));
  if (causal && column > row) return `${from} does not see ${to}, which comes later`;
  return `${from} gives ${weights[row][column].toFixed(2)} of its attention to ${row === column ? "itself" : to}`;
}

export function sayNumber(words, { outputs }, row, column) {
  return `Number ${column + 1} of the output of ${nameOf(words, row)}: ${signed(outputs[row][column])}`;
}

// The word that is read first: it shares its attention most evenly.
export function firstRead({ weights }) {
  const most = weights.map((row) => Number(Math.max(...row).toFixed(6)));
  return most.indexOf(Math.min(...most));
}

// The word that another one looks at most, besides itself.
export function favourite({ weights }, row) {
  const others = weights[row].map((_, column) => column).filter((column) => column !== row);
  return others.reduce((best, column) => (weights[row][column] > weights[row][best] ? column : best), others[0]);
}

export function sayShares(words, attention, row) {
  const column = favourite(attention, row);
  const said = sayWeight(words, attention, row, row);
  const share = attention.weights[row][column];
  return share < UNSEEN ? said : `${said}, ${share.toFixed(2)} to ${nameOf(words, column)}`;
}

export function placesOfTwins(words) {
  const lowered = words.map((word) => word.toLowerCase());
  const first = lowered.find((word) => lowered.filter((other) => other === word).length > 1);
  return lowered.flatMap((word, place) => (word === first ? [place] : []));
}

export function noteOf(words, values, look) {
  const places = placesOfTwins(words);
  if (!places.length) return "";
  const spread = Math.max(
    ...places.flatMap((left) => places.map((right) => largestChange([values[left]], [values[right]]))),
  );
  const of = look === "arcs" ? "The weights for each" : `The ${places.length} rows of`;
  const change = spread < UNSEEN ? "are equal" : `differ by up to ${spread.toFixed(2)}`;
  return `${of} “${words[places[0]]}” ${change}.`;
}

export function largestChange(before, after) {
  return Math.max(...before.flatMap((row, at) => row.map((value, column) => Math.abs(value - after[at][column]))));
}

// `change` is the largest of any number; `cause` names what has to do with places, "" where nothing has.
export function sayChange(change, { isOutputs, cause, isSame }) {
  if (isSame) return "The sentence reads as before: nothing has changed.";
  if (change < UNSEEN)
    return isOutputs
      ? "Every output has moved with its word; none has changed."
      : "Every weight has moved with its words; none has changed.";
  return `${cause}, ${isOutputs ? "outputs" : "weights"} change by up to ${change.toFixed(2)} compared with the order before.`;
}
