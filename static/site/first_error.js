// After a form was refused the keyboard begins at the first field to mend. Django marks each with
// aria-invalid; without a script the title and the alerts say the same.

document.querySelector("main form [aria-invalid='true']")?.focus();
