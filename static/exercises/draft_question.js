// Two drafts of one exercise: which one goes on? Asked beside the field; one may write on meanwhile.

const box = document.querySelector("#draft-question");

export function isAsking() {
  return !box.hidden;
}

// `about` says where the other one comes from; `mine` and `theirs` are called with the answer.
export function ask({ about, other, keep, take, mine, theirs }) {
  box.querySelector("#draft-question-about").textContent = about;
  box.querySelector("#draft-question-code").textContent = other;
  const answer = (button, label, react) => {
    button.textContent = label;
    button.onclick = () => {
      box.hidden = true;
      react();
    };
  };
  answer(box.querySelector("#draft-keep"), keep, mine);
  answer(box.querySelector("#draft-take"), take, theirs);
  box.hidden = false;
}
