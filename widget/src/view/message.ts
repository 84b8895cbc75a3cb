/**
 * How a message looks, by its author. Only what the bot and the house say is read as Markdown, and purified; what a person
 * has written is shown as the text it is.
 */

import { html, nothing, type TemplateResult } from "lit";
import { pressedOn, type Outgoing } from "../conversation";
import { timeOf } from "../dates";
import { reason } from "../locale";
import { renderMarkdown } from "../markdown";
import type { Message } from "../wire";
import { cards } from "./cards";
import type { View } from "./context";
import { icon } from "./icon";
import { rating } from "./rating";
import { sources } from "./sources";

/** A DocumentFragment is empty once it has been shown: one is made for each message, and its nodes kept. */
const rendered = new WeakMap<Message, Node[]>();

function markdown(message: Message): Node[] {
  const nodes = rendered.get(message) ?? [...renderMarkdown(message.text).childNodes];
  rendered.set(message, nodes);
  return nodes;
}

export function messageView(message: Message, view: View): TemplateResult {
  if (message.author === "student") return own(message.text, view);
  if (message.author === "advisor") return ofAdvisor(message, view);
  return ofBot(message, view);
}

function own(text: string, { words }: View): TemplateResult {
  return html`<div class="turn user">
    <span class="visually-hidden">${words.you}: </span>
    <p class="bubble" dir="auto" .textContent=${text}></p>
  </div>`;
}

function ofBot(message: Message, view: View): TemplateResult {
  const notice = message.author === "notice";
  return html`<div class="turn bot ${notice ? "notice" : ""}">
    <span class="avatar">${icon("cap")}</span>
    <div class="body">
      <span class="visually-hidden">${notice ? view.words.notice : view.words.bot}: </span>
      ${message.text ? html`<div class="bubble markdown" dir="auto">${markdown(message)}</div>` : nothing}
      ${cards(message.cards, view)} ${sources(message.citations, view)} ${options(message, view)}
      ${rating(message, view)}
    </div>
  </div>`;
}

function ofAdvisor(message: Message, view: View): TemplateResult {
  const { words, language } = view;
  return html`<div class="turn bot advisor">
    <span class="avatar">${icon("person")}</span>
    <div class="body">
      <p class="byline">
        <b>${message.by || words.advisor}</b>
        ${message.by ? html`<span class="badge">${words.advisor}</span>` : nothing}
        ${message.at ? html`<time>${timeOf(message.at, language)}</time>` : nothing}
      </p>
      <p class="bubble" dir="auto" .textContent=${message.text}></p>
      ${options(message, view)}
    </div>
  </div>`;
}

function options(message: Message, view: View): TemplateResult | typeof nothing {
  if (message.options.length === 0) return nothing;
  const pressed = pressedOn(view.conversation, message);
  return html`<div class="options" role="group" aria-label=${view.words.options}>
    ${message.options.map(
      (option) =>
        html`<button
          type="button"
          class="chip"
          ?disabled=${pressed !== undefined}
          aria-pressed=${pressed === undefined ? nothing : String(pressed === option.title)}
          .textContent=${option.title}
          @click=${() => view.actions.press(message, option)}
        ></button>`,
    )}
  </div>`;
}

/** Something on its way; nothing while a command of the menu is being sent. */
export function outgoingView(outgoing: Outgoing, view: View): TemplateResult | typeof nothing {
  const { words, actions } = view;
  const { state, title } = outgoing;
  const stuck = state === "waiting" || state === "failed";
  if ("command" in outgoing.content && !(stuck && title)) return nothing;
  return html`<div class="turn user ${state}">
    <span class="visually-hidden">${words.you}: </span>
    <p class="bubble" dir="auto" .textContent=${title}></p>
    ${
      stuck
        ? html`<div class="problem" role="alert">
            <p>${reason(words, outgoing.why)}</p>
            <div class="buttons">
              <button type="button" class="quiet" @click=${() => actions.drop(outgoing)}>
                ${words.discard}
              </button>
              <button type="button" class="retry" @click=${() => actions.retry(outgoing)}>
                ${words.retry}
              </button>
            </div>
          </div>`
        : html`<span class="visually-hidden">${words.sending}</span>`
    }
  </div>`;
}
