/** One script tag on any page: what its attributes say, and the floating chat that it adds. */

import { CovanChat } from "./element";

const TAG = "covan-chat";

/** Attributes of the script tag (without `data-`) that are handed on, and what they are called on the element. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  server: "server",
  title: "heading",
  language: "language",
  theme: "theme",
  position: "position",
  consentUrl: "consent-url",
};

/** The folder of a script's address: "https://chat.school.edu.vn" of "https://chat.school.edu.vn/widget.js?v=2". */
export function homeOf(script: string, page: string): string {
  try {
    return new URL(".", new URL(script, page)).href.replace(/\/+$/, "");
  } catch {
    return "";
  }
}

/** The script tag that is being run; a module is not told, and looks for itself. */
export function ownScript(): HTMLScriptElement | null {
  const { currentScript } = document;
  return currentScript instanceof HTMLScriptElement
    ? currentScript
    : document.querySelector<HTMLScriptElement>('script[src*="widget.js"]');
}

/** Adds a floating chat, unless the page has placed one itself or a second tag asks for the same. */
export function addFloating(settings: DOMStringMap): HTMLElement | undefined {
  if (document.querySelector(TAG)) return undefined;
  const chat = document.createElement(TAG);
  for (const [name, attribute] of Object.entries(ATTRIBUTES)) {
    const value = settings[name];
    if (value !== undefined) chat.setAttribute(attribute, value);
  }
  document.body.append(chat);
  return chat;
}

export function start(script: HTMLScriptElement | null): void {
  if (script?.src) CovanChat.home = homeOf(script.src, document.baseURI);
  // A second script tag, of a page's template and of the page, must not fail.
  if (!customElements.get(TAG)) customElements.define(TAG, CovanChat);
  if (!script) return;
  const add = (): void => void addFloating({ ...script.dataset });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", add, { once: true });
  else add();
}
