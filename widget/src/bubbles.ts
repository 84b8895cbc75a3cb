/** How entries of the conversation look: bubbles, options, ratings, source cards. */

import type { BotEntry, UserEntry } from "./conversation";
import { element, icon, ICONS } from "./dom";
import type { Words } from "./locale";
import { renderMarkdown } from "./markdown";
import { ratingOf, type Button, type Citation } from "./wire";

/** More sources than these are folded away: an answer must not drown in its footnotes. */
const SOURCES_SHOWN = 2;

export interface Actions {
  choose(entry: BotEntry, option: Button): void;
  rate(entry: BotEntry, rating: Button): void;
  retry(entry: UserEntry): void;
}

/** "Quy định … (số 512/QĐ-ĐHSL), Điều 4, khoản 1" */
export function sourceLine(citation: Citation, words: Words): string {
  const number = citation.number ? ` (${words.number} ${citation.number})` : "";
  const locator = citation.locator ? `, ${citation.locator}` : "";
  return `${citation.title}${number}${locator}`;
}

export function userBubble(entry: UserEntry, words: Words, actions: Actions): HTMLElement {
  const turn = element(
    "li",
    { class: `turn user ${entry.state}` },
    element("span", { class: "visually-hidden" }, `${words.you}: `),
    element("p", { class: "bubble" }, entry.text),
  );
  if (entry.state === "failed") {
    turn.append(
      element(
        "div",
        { class: "problem", role: "alert" },
        element("p", {}, entry.problem ?? words.notSent),
        element("button", { type: "button", class: "retry", click: () => actions.retry(entry) }, words.retry),
      ),
    );
  }
  return turn;
}

export function botBubble(entry: BotEntry, words: Words, actions: Actions): HTMLElement {
  const body = element("div", { class: "body" });
  if (entry.text) {
    const bubble = element("div", { class: "bubble markdown" });
    bubble.append(renderMarkdown(entry.text));
    body.append(bubble);
  }
  if (entry.citations.length > 0) body.append(sources(entry.citations, words));
  if (entry.buttons.length > 0) body.append(options(entry, words, actions));
  if (entry.feedback.length > 0) body.append(rating(entry, words, actions));
  return element(
    "li",
    { class: "turn bot" },
    element("span", { class: "avatar" }, icon(ICONS.cap)),
    element("span", { class: "visually-hidden" }, `${words.bot}: `),
    body,
  );
}

export function typingDots(words: Words): HTMLElement {
  return element(
    "li",
    { class: "turn bot typing" },
    element("span", { class: "avatar" }, icon(ICONS.cap)),
    element(
      "div",
      { class: "body" },
      element(
        "p",
        { class: "bubble dots" },
        element("span", { class: "visually-hidden" }, words.typing),
        ...[1, 2, 3].map(() => element("i", { "aria-hidden": "true" })),
      ),
    ),
  );
}

function sources(citations: Citation[], words: Words): HTMLElement {
  const cards = citations.map((citation) => element("li", {}, sourceCard(citation, words)));
  const list = element(
    "ul",
    { class: "sources", "aria-label": words.sources },
    ...cards.slice(0, SOURCES_SHOWN),
  );
  const rest = cards.slice(SOURCES_SHOWN);
  if (rest.length > 0) {
    list.append(
      element(
        "li",
        {},
        element(
          "details",
          { class: "more" },
          element("summary", {}, words.moreSources.replace("{n}", String(rest.length))),
          element("ul", { class: "sources" }, ...rest),
        ),
      ),
    );
  }
  return list;
}

function sourceCard(citation: Citation, words: Words): HTMLElement {
  const heading = [
    icon(ICONS.document),
    element(
      "span",
      { class: "source-line" },
      element("b", {}, `${words.source}: `),
      sourceLine(citation, words),
    ),
  ];
  const link = citation.url
    ? [
        element(
          "a",
          { class: "source-link", href: citation.url, target: "_blank", rel: "noopener noreferrer" },
          words.openDocument,
        ),
      ]
    : [];
  if (!citation.quote)
    return element("div", { class: "source" }, element("div", { class: "summary" }, ...heading), ...link);
  return element(
    "details",
    { class: "source" },
    element("summary", { class: "summary" }, ...heading),
    element("blockquote", {}, citation.quote),
    ...link,
  );
}

function options(entry: BotEntry, words: Words, actions: Actions): HTMLElement {
  const used = entry.chosen !== undefined;
  return element(
    "div",
    { class: "options", role: "group", "aria-label": words.options },
    ...entry.buttons.map((button) =>
      element(
        "button",
        {
          type: "button",
          class: entry.chosen === button.payload ? "chip chosen" : "chip",
          disabled: used,
          "aria-pressed": String(entry.chosen === button.payload),
          click: () => actions.choose(entry, button),
        },
        button.title,
      ),
    ),
  );
}

function rating(entry: BotEntry, words: Words, actions: Actions): HTMLElement {
  const rated = entry.rated !== undefined;
  const prompt = entry.feedbackPrompt ?? words.feedback;
  return element(
    "div",
    { class: "rating", role: "group", "aria-label": prompt },
    ...entry.feedback.map((button) =>
      element(
        "button",
        {
          type: "button",
          class: entry.rated === button.payload ? "thumb chosen" : "thumb",
          title: button.title,
          "aria-label": button.title,
          "aria-pressed": String(entry.rated === button.payload),
          disabled: rated,
          click: () => actions.rate(entry, button),
        },
        icon(ratingOf(button) === "good" ? ICONS.up : ICONS.down),
      ),
    ),
    element("span", { class: "thanks", "aria-live": "polite" }, rated ? words.rated : prompt),
  );
}
