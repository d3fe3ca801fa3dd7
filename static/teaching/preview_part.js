// A step as its lesson shows it, rendered by the server from a form that is not saved, for a part of
// this page: its text and figures, without what would be sent or answered.

import { addStyles } from "../site/other_page.js";

const PATIENCE_MS = 15000;
// What would be sent, or asks for the server once more, has its place on the Preview page.
const AWAY = ".listing__tools, .step__body > .notice, script, template";
export const WORDS = {
  signedOut: "No preview: you are signed out. What you type stays in this browser; sign in in another tab.",
  refused: "No preview: you are signed out, or may no longer write here. What you type stays in this browser.",
  gone: "No preview: this lesson has been discarded. What you type stays in this browser.",
  lost: "No preview: the connection is lost. It comes back by itself; what you type stays in this browser.",
  failed: "No preview: the server could not make it. It is tried again; what you type stays in this browser.",
};
const OF_STATUS = { 200: WORDS.signedOut, 401: WORDS.signedOut, 403: WORDS.refused, 404: WORDS.gone };

export class NoPreview extends Error {}

// Throws NoPreview with words, and what `fetch` throws.
export async function previewOf(form, data, signal) {
  const limits = [AbortSignal.timeout(PATIENCE_MS), ...(signal ? [signal] : [])];
  const headers = { "HX-Request": "true", Accept: "text/html" };
  const request = { method: "POST", body: data, headers, signal: AbortSignal.any(limits) };
  const answer = await fetch(form.dataset.preview, request);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (answer.ok && page.querySelector("[data-step-preview]")) return page;
  throw new NoPreview(OF_STATUS[answer.status] ?? WORDS.failed);
}

// The parts of the step's text, as elements of this page.
export async function importParts(page) {
  await addStyles(page);
  const step = page.querySelector(".step__body");
  for (const away of step?.querySelectorAll(AWAY) ?? []) away.remove();
  for (const screen of step?.querySelectorAll(".screen") ?? []) screen.classList.remove("screen--beside");
  for (const sent of step?.querySelectorAll("form, input, select, textarea, button") ?? []) {
    if (sent.closest("[data-figure]")) continue;
    if (sent.matches("form")) sent.inert = true;
    else sent.setAttribute("form", ""); // nothing of it belongs to the form around it
  }
  return [...(step?.children ?? [])].map((part) => document.importNode(part, true));
}

// A figure has no more room here than on a phone, and the page's address is not its own.
export function fit(figure) {
  figure.dataset.compact = "";
  figure.dataset.aside = "";
  for (const source of figure.querySelectorAll("source")) source.media = source.media.replace("(max-width: 40rem)", "all");
}

// Returns the figures' own objects, once they answer to their sliders.
export async function liven(figures) {
  if (!figures.length) return [];
  const { figureOf, liven: start } = await import("../lessons/figure.js"); // livens those that it meets
  return figures.map((figure) => figureOf(figure) ?? start(figure));
}
