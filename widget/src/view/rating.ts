/** What a student thinks of an answer: a thumb, and when it is down, why. */

import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../locale";
import type { Message } from "../wire";
import type { Rating, View } from "./context";
import { icon } from "./icon";

export const MAX_REASON_CHARS = 500;

/** The core's own names of reasons, as on the other channels. */
const REASONS: readonly [string, keyof Words][] = [
  ["wrong", "whyWrong"],
  ["incomplete", "whyIncomplete"],
  ["not_asked", "whyNotAsked"],
  ["unclear", "whyUnclear"],
];

/** "incomplete: thiếu mức cho hệ vừa làm vừa học" */
export const reasonText = (chosen: string, typed: string): string =>
  [chosen, typed.trim()].filter(Boolean).join(": ").slice(0, MAX_REASON_CHARS);

export function rating(message: Message, view: View): TemplateResult | typeof nothing {
  if (!message.rateable) return nothing;
  const { words, ratings } = view;
  const given = ratings.get(message.id);
  return html`<div class="rating" role="group" aria-label=${words.feedback}>
      ${thumb(true, message, given, view)} ${thumb(false, message, given, view)}
      <span class="thanks" role="status"
        >${given?.failed ? words.ratingFailed : given && !given.asking ? words.rated : nothing}</span
      >
    </div>
    ${given?.asking ? reasons(message, given, view) : nothing}`;
}

function thumb(good: boolean, message: Message, given: Rating | undefined, view: View): TemplateResult {
  const { words, actions } = view;
  const title = good ? words.good : words.bad;
  const chosen = given?.good === good && !given.failed;
  return html`<button
    type="button"
    class="thumb"
    title=${title}
    aria-label=${title}
    aria-pressed=${chosen}
    @click=${() => actions.rate(message, good)}
  >
    ${icon(good ? "up" : "down")}
  </button>`;
}

function reasons(message: Message, given: Rating, { words, actions }: View): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const typed = (event.target as HTMLFormElement).querySelector("input")?.value ?? "";
    actions.giveReason(message, typed);
  };
  return html`<form class="reasons" aria-label=${words.why} @submit=${submit}>
    <p>${words.why}</p>
    <div class="options">
      ${REASONS.map(
        ([name, title]) =>
          html`<button
            type="button"
            class="chip"
            aria-pressed=${given.chosen === name}
            @click=${() => actions.chooseReason(message, given.chosen === name ? "" : name)}
          >
            ${words[title]}
          </button>`,
      )}
    </div>
    <input
      type="text"
      maxlength=${MAX_REASON_CHARS - 20}
      placeholder=${words.whyText}
      aria-label=${words.whyText}
    />
    <div class="buttons">
      <button type="button" class="quiet" @click=${() => actions.giveReason(message, undefined)}>
        ${words.whySkip}
      </button>
      <button type="submit" class="strong">${words.whySend}</button>
    </div>
  </form>`;
}
