/** The head of the panel: whose chat it is, and what can be done with it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../locale";
import type { Theme } from "./context";
import { icon } from "./icon";

export interface Header {
  words: Words;
  title: string;
  subtitle: string;
  theme: Theme;
  /** An address, or empty. */
  privacy: string;
  canClose: boolean;
  menuOpen: boolean;
  toggleMenu(): void;
  close(): void;
  command(command: string, title: string): void;
  askToErase(): void;
  switchLanguage(): void;
  setTheme(theme: Theme): void;
}

export function header(head: Header): TemplateResult {
  const { words, menuOpen } = head;
  return html`<header part="header">
    <span class="avatar">${icon("cap")}</span>
    <div class="names">
      ${head.canClose ? html`<h2>${head.title}</h2>` : html`<h1>${head.title}</h1>`}
      ${head.subtitle ? html`<p>${head.subtitle}</p>` : nothing}
    </div>
    <button
      type="button"
      class="tool language"
      lang=${words.switchLanguageShort.toLowerCase()}
      title=${words.switchLanguage}
      aria-label="${words.switchLanguageShort}: ${words.switchLanguage}"
      @click=${() => head.switchLanguage()}
    >
      ${words.switchLanguageShort}
    </button>
    <button
      type="button"
      class="tool"
      id="menu-button"
      title=${words.menu}
      aria-label=${words.menu}
      aria-expanded=${String(menuOpen)}
      aria-controls="menu"
      @click=${() => head.toggleMenu()}
    >
      ${icon("menu")}
    </button>
    ${
      head.canClose
        ? html`<button
            type="button"
            class="tool"
            title=${words.close}
            aria-label=${words.close}
            @click=${() => head.close()}
          >
            ${icon("close")}
          </button>`
        : nothing
    }
    <div id="menu" class="menu" ?hidden=${!menuOpen}>${menuOpen ? menu(head) : nothing}</div>
  </header>`;
}

function menu(head: Header): TemplateResult {
  const { words, theme, privacy } = head;
  const themes: [Theme, string][] = [
    ["auto", words.themeAuto],
    ["light", words.themeLight],
    ["dark", words.themeDark],
  ];
  return html`
    <button type="button" @click=${() => head.command("profile", words.myProfile)}>${words.myProfile}</button>
    <button type="button" @click=${() => head.command("advisor", words.talkToPerson)}>
      ${words.talkToPerson}
    </button>
    <button type="button" @click=${() => head.switchLanguage()}>${words.switchLanguage}</button>
    <div class="themes" role="group" aria-label=${words.theme}>
      ${themes.map(
        ([name, title]) =>
          html`<button
            type="button"
            aria-pressed=${String(theme === name)}
            @click=${() => head.setTheme(name)}
          >
            ${title}
          </button>`,
      )}
    </div>
    ${privacy ? html`<a href=${privacy} target="_blank" rel="noopener noreferrer">${words.privacy}</a>` : nothing}
    <button type="button" class="danger" @click=${() => head.askToErase()}>${words.erase}</button>
  `;
}
