/** The box where a student writes. */

import { element, icon, ICONS } from "./dom";
import type { Words } from "./locale";

/** The counter shows itself when so many characters or fewer are left. */
const COUNTER_FROM = 200;
const MAX_HEIGHT_PX = 160;

/** Characters as the server counts them, an emoji being one. */
export const length = (text: string): number => [...text].length;

/** Enter sends; Shift+Enter is a new line, and the Enter that ends a composition in an input method is neither. */
export function isSendKey(event: KeyboardEvent): boolean {
  return event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229;
}

export class Composer {
  readonly form: HTMLFormElement;
  private readonly input: HTMLTextAreaElement;
  private readonly button: HTMLButtonElement;
  private readonly counter: HTMLElement;
  private words: Words;
  private busy = false;
  maxChars: number;

  constructor(words: Words, maxChars: number, onSend: (text: string) => void) {
    this.words = words;
    this.maxChars = maxChars;
    this.input = element("textarea", {
      id: "question",
      rows: "1",
      autocomplete: "off",
      enterkeyhint: "send",
      "aria-describedby": "counter",
    });
    this.button = element("button", { type: "submit", class: "send" }, icon(ICONS.send));
    this.counter = element("p", { id: "counter", class: "counter", "aria-live": "polite" });
    this.form = element(
      "form",
      { class: "composer" },
      element("div", { class: "field" }, this.input, this.button),
      this.counter,
    );
    this.input.addEventListener("input", () => this.refresh());
    this.input.addEventListener("keydown", (event) => {
      if (!isSendKey(event)) return;
      event.preventDefault();
      this.form.requestSubmit();
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (!this.sendable(text)) return;
      this.input.value = "";
      this.refresh();
      onSend(text);
    });
    this.setWords(words);
  }

  setWords(words: Words): void {
    this.words = words;
    this.input.placeholder = words.placeholder;
    this.input.setAttribute("aria-label", words.placeholder);
    this.button.setAttribute("aria-label", words.send);
    this.button.title = words.send;
    this.refresh();
  }

  setBusy(busy: boolean): void {
    this.busy = busy;
    this.refresh();
  }

  focus(): void {
    // On a phone this would open the keyboard over the answer.
    if (matchMedia("(pointer: fine)").matches) this.input.focus();
  }

  private sendable(text: string): boolean {
    return !this.busy && text !== "" && length(text) <= this.maxChars;
  }

  private refresh(): void {
    const left = this.maxChars - length(this.input.value.trim());
    this.counter.hidden = left > COUNTER_FROM;
    this.counter.textContent = this.counter.hidden
      ? ""
      : (left < 0 ? this.words.over : this.words.left).replace("{n}", String(Math.abs(left)));
    this.counter.classList.toggle("over", left < 0);
    this.input.setAttribute("aria-invalid", String(left < 0));
    this.button.disabled = !this.sendable(this.input.value.trim());
    this.input.style.height = "auto";
    this.input.style.height = `${Math.min(this.input.scrollHeight, MAX_HEIGHT_PX)}px`;
  }
}
