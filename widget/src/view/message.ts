/**
 * How a message looks, by its author. What the school says, through the bot or an advisor, is read as Markdown, and
 * purified; what the student has written is shown as the text it is.
 */

import { html, nothing, type TemplateResult } from "lit";
import { telephone } from "../address";
import { beginsToSpeak, pressedOn, questionOf, type Outgoing } from "../conversation";
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
  const known = rendered.get(message);
  if (known) return known;
  const fragment = renderMarkdown(message.text);
  if (message.act === "hand_over") numbersAsButtons(fragment);
  const nodes = [...fragment.childNodes];
  rendered.set(message, nodes);
  return nodes;
}

/** A number in bold, where a student is led to people, is there to be called: "**115** (cấp cứu)". */
function numbersAsButtons(fragment: DocumentFragment): void {
  for (const strong of fragment.querySelectorAll("strong")) {
    const number = strong.textContent.trim();
    if (!/^[\d ]+$/.test(number) || !telephone(number)) continue;
    const call = document.createElement("a");
    call.className = "call";
    call.href = telephone(number);
    call.textContent = number;
    strong.replaceWith(call);
  }
}

export function messageView(index: number, view: View): TemplateResult | typeof nothing {
  const message = view.conversation.messages[index];
  if (!message) return nothing;
  const begins = beginsToSpeak(view.conversation.messages, index);
  if (message.author === "student") return own(message, begins, view);
  if (message.author === "advisor") return ofAdvisor(message, begins, view);
  return ofBot(message, begins, questionOf(view.conversation.messages, index), view);
}

function own(message: Message, begins: boolean, view: View): TemplateResult {
  return html`<div class="turn user">
    ${byline(view.words.you, message, begins, view)}
    <p class="bubble" dir="auto" .textContent=${message.text}></p>
  </div>`;
}

/** Who speaks and when, above the first of several messages; a screen reader is told who at each. */
function byline(name: string, { at }: Message, begins: boolean, { language }: View): TemplateResult {
  if (!begins) return html`<span class="visually-hidden">${name}: </span>`;
  return html`<p class="byline">
    <span>${name}</span
    >${at ? html`<time datetime=${new Date(at).toISOString()}>${timeOf(at, language)}</time>` : nothing}
  </p>`;
}

/** Of a question that is quoted above its answer, so many characters are enough to know it by. */
const QUOTED_CHARS = 90;

function quoted(question: Message | undefined, { words }: View): TemplateResult | typeof nothing {
  if (!question?.text) return nothing;
  const text = question.text.replace(/\s+/g, " ");
  const short = text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS).trimEnd()}…` : text;
  return html`<p class="reply-to" dir="auto">
    <span class="visually-hidden">${words.replyTo}: </span>${short}
  </p>`;
}

function ofBot(message: Message, begins: boolean, question: Message | undefined, view: View): TemplateResult {
  const notice = message.author === "notice";
  return html`<div class="turn bot ${notice ? "notice" : ""}">
    <span class="avatar">${icon("cap")}</span>
    <div class="body">
      ${byline(notice ? view.words.notice : view.words.bot, message, begins, view)} ${quoted(question, view)}
      ${message.text ? html`<div class="bubble markdown" dir="auto">${markdown(message)}</div>` : nothing}
      ${cards(message.cards, view)} ${sources(message.citations, view)} ${options(message, view)}
      ${rating(message, view)}
    </div>
  </div>`;
}

function ofAdvisor(message: Message, begins: boolean, view: View): TemplateResult {
  const { words, language } = view;
  return html`<div class="turn bot advisor">
    <span class="avatar">${icon("person")}</span>
    <div class="body">
      ${
        begins
          ? html`<p class="byline">
              <b>${message.by || words.advisor}</b>
              ${message.by ? html`<span class="badge">${words.advisor}</span>` : nothing}
              ${message.at ? html`<time>${timeOf(message.at, language)}</time>` : nothing}
            </p>`
          : html`<span class="visually-hidden">${message.by || words.advisor}: </span>`
      }
      ${message.text ? html`<div class="bubble markdown" dir="auto">${markdown(message)}</div>` : nothing}
      ${sources(message.citations, view)} ${options(message, view)}
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
          @click=${() => view.actions.press(message, option)}
        >
          ${pressed === option.title ? icon("check") : nothing}<span>${option.title}</span>
        </button>`,
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
