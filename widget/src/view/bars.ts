/** Lines about the conversation as a whole: who speaks, and whether the server can be reached. */

import { html, nothing, type TemplateResult } from "lit";
import { filled } from "../locale";
import type { View } from "./context";
import { icon } from "./icon";

export function speakerBar({ conversation, words, actions }: View): TemplateResult | typeof nothing {
  const { advisor, by, quiet } = conversation.speaker;
  if (advisor === "none") return nothing;
  const says =
    advisor === "taken"
      ? filled(words.withAdvisor, by || words.anAdvisor)
      : quiet
        ? words.waitingAdvisor
        : words.waitingLater;
  return html`<div class="bar person">
    ${icon("person")}
    <p role="status">${says}</p>
    ${
      quiet
        ? html`<button type="button" @click=${() => actions.command("back_to_bot", words.backToBot)}>
            ${words.backToBot}
          </button>`
        : nothing
    }
  </div>`;
}

/** Always there, so that a screen reader tells what comes into it. */
export function connectionBar({ connection, words }: View): TemplateResult {
  const lost = connection === "lost" || !navigator.onLine;
  return html`<div class="bar trouble" role="status" ?hidden=${!lost}>
    ${lost ? html`<p>${navigator.onLine ? words.reconnecting : words.offline}</p>` : nothing}
  </div>`;
}
