/** The box where a student writes. */

import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import { filled, type Words } from "../locale";
import { icon } from "./icon";

/** The counter shows itself when so many characters or fewer are left. */
const COUNTER_FROM = 200;
const MAX_HEIGHT_PX = 140;

/** Characters as the server counts them, an emoji being one. */
export const length = (text: string): number => [...text].length;

/** Enter sends; Shift+Enter is a new line, and the Enter that ends a composition in an input method is neither. */
export function isSendKey(event: KeyboardEvent): boolean {
  return event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229;
}

export function isSendable(text: string, maxChars: number): boolean {
  const size = length(text.trim());
  return size > 0 && size <= maxChars;
}

export class Composer implements ReactiveController {
  maxChars: number;
  private readonly input = createRef<HTMLTextAreaElement>();
  private text = "";

  constructor(
    private readonly host: ReactiveControllerHost,
    maxChars: number,
    private readonly onSend: (text: string) => void,
  ) {
    this.maxChars = maxChars;
    host.addController(this);
  }

  hostUpdated(): void {
    const box = this.input.value;
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, MAX_HEIGHT_PX)}px`;
  }

  focus(): void {
    // On a phone this would open the keyboard over the answer.
    if (matchMedia("(pointer: fine)").matches) this.input.value?.focus();
  }

  render(words: Words): TemplateResult {
    const left = this.maxChars - length(this.text.trim());
    return html`<form class="composer" @submit=${this.submit}>
      <div class="field">
        <textarea
          ${ref(this.input)}
          rows="1"
          autocomplete="off"
          enterkeyhint="send"
          placeholder=${words.placeholder}
          aria-label=${words.placeholder}
          aria-invalid=${String(left < 0)}
          aria-describedby="counter"
          @input=${this.typed}
          @keydown=${this.pressed}
        ></textarea>
        <button
          type="submit"
          class="send"
          title=${words.send}
          aria-label=${words.send}
          ?disabled=${!isSendable(this.text, this.maxChars)}
        >
          ${icon("send")}
        </button>
      </div>
      <p
        id="counter"
        class="counter ${left < 0 ? "over" : ""}"
        aria-live="polite"
        ?hidden=${left > COUNTER_FROM}
      >
        ${left > COUNTER_FROM ? nothing : filled(left < 0 ? words.over : words.left, Math.abs(left))}
      </p>
    </form>`;
  }

  private readonly typed = (): void => {
    this.text = this.input.value?.value ?? "";
    this.host.requestUpdate();
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    (event.target as HTMLTextAreaElement).form?.requestSubmit();
  };

  private readonly submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = this.text.trim();
    if (!isSendable(text, this.maxChars)) return;
    if (this.input.value) this.input.value.value = "";
    this.typed();
    this.onSend(text);
  };
}
