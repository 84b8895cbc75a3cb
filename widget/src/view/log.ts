/** The conversation from its first shown message to the dots of the next. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { isAnswering } from "../conversation";
import { dayOf, dayTitle } from "../dates";
import type { Message } from "../wire";
import type { View } from "./context";
import { icon } from "./icon";
import { messageView, outgoingView } from "./message";

export function log(view: View): TemplateResult {
  const { conversation, words, actions, isLoaded, connection } = view;
  const { messages, outbox, earlier } = conversation;
  const loading = !isLoaded && connection === "connecting" && outbox.length === 0;
  return html`<div
    class="scroller"
    part="conversation"
    tabindex="0"
    role="log"
    aria-live="polite"
    aria-label=${words.log}
    aria-busy=${String(loading)}
  >
    <div class="column">
      ${view.expired ? html`<p class="day">${words.expired}</p>` : nothing}
      ${
        earlier
          ? html`<button type="button" class="quiet earlier" @click=${() => actions.showEarlier()}>
              ${words.earlier}
            </button>`
          : nothing
      }
      ${repeat(
        messages,
        ({ id }) => id,
        (message, index) => html`${dayBefore(message, messages[index - 1], view)}${messageView(index, view)}`,
      )}
      ${repeat(
        outbox,
        ({ id }) => id,
        (outgoing) => outgoingView(outgoing, view),
      )}
      ${isAnswering(conversation) || loading ? dots(loading ? words.loading : words.typing) : nothing}
    </div>
  </div>`;
}

/** A conversation of one day needs no date; that of an advisor's late reply does. */
function dayBefore(
  message: Message,
  before: Message | undefined,
  view: View,
): TemplateResult | typeof nothing {
  const { now, words, language, conversation } = view;
  const first = conversation.messages[0];
  const severalDays = first !== undefined && dayOf(first.at) !== dayOf(now);
  if (!message.at || !severalDays || (before && dayOf(before.at) === dayOf(message.at))) return nothing;
  return html`<p class="day">${dayTitle(message.at, now, words, language)}</p>`;
}

function dots(label: string): TemplateResult {
  return html`<div class="turn bot typing">
    <span class="avatar">${icon("cap")}</span>
    <div class="body">
      <p class="bubble dots"><span class="visually-hidden">${label}</span><i></i><i></i><i></i></p>
    </div>
  </div>`;
}
