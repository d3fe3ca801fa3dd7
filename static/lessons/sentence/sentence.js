// The sentences of a step, made live.

import { Sentence } from "./live-sentence.js";

for (const root of document.querySelectorAll("[data-sentence]")) new Sentence(root);
