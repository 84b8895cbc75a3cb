/** `<covan-chat>`: the chat as one element, floating above a page or filling its place in it. */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import { Api } from "./api";
import { ChatClient } from "./client";
import { hasSpoken, lastId, unread } from "./conversation";
import { Keep, storageOf } from "./keep";
import { filled, languageOf, WORDS, type Language, type Words } from "./locale";
import { messages } from "./style/messages";
import { panel } from "./style/panel";
import { theme } from "./style/theme";
import { connectionBar, speakerBar } from "./view/bars";
import { Composer } from "./view/composer";
import type { Rating, Theme, View } from "./view/context";
import { header } from "./view/header";
import { icon } from "./view/icon";
import { log } from "./view/log";
import { reasonText } from "./view/rating";
import { Scrolling } from "./view/scrolling";
import { DEFAULT_MAX_QUESTION_CHARS, parseSchool, webAddress, type School } from "./wire";

/** A floating panel fills a screen that is narrower than this, or lower. */
const SMALL = "(max-width: 480px), (max-height: 480px)";
/** A page of its own loses its margins below this width. */
const NARROW_PAGE = "(max-width: 640px)";
const DARK = "(prefers-color-scheme: dark)";

export class CovanChat extends LitElement {
  static override styles = [theme, panel, messages];

  static override properties = {
    server: {},
    mode: { reflect: true },
    language: {},
    heading: {},
    theme: {},
    position: {},
    consentUrl: { attribute: "consent-url" },
    open: { type: Boolean, reflect: true },
    menuOpen: { state: true },
    eraseFailed: { state: true },
  };

  /** Where the chat is served, such as https://chat.school.edu.vn; by default where this script came from. */
  declare server: string;
  declare mode: "float" | "page";
  /** The language to begin with; a student's own choice comes first. */
  declare language: string;
  /** What stands above the conversation; by default the school's name, as the server has it. */
  declare heading: string;
  declare theme: Theme;
  /** The corner of a floating launcher. */
  declare position: "right" | "left";
  declare consentUrl: string;
  declare open: boolean;

  declare private menuOpen: boolean;
  declare private eraseFailed: boolean;

  /** Where the script of this element came from. */
  static home = "";

  private client: ChatClient | undefined;
  private kept = new Keep("", undefined);
  private school: School = parseSchool(undefined);
  private ratings = new Map<number, Rating>();
  private asksSchool = false;

  private readonly composer = new Composer(this, DEFAULT_MAX_QUESTION_CHARS, (text) => {
    this.client?.say(text);
  });
  private readonly scrolling = new Scrolling(this, () => this.client?.conversation);
  private readonly panel = createRef<HTMLElement>();
  private readonly launcher = createRef<HTMLButtonElement>();
  private readonly confirm = createRef<HTMLDialogElement>();
  private readonly media = [matchMedia(SMALL), matchMedia(NARROW_PAGE), matchMedia(DARK)] as const;

  constructor() {
    super();
    this.server = "";
    this.mode = "float";
    this.language = "";
    this.heading = "";
    this.theme = "auto";
    this.position = "right";
    this.consentUrl = "";
    this.open = false;
    this.menuOpen = false;
    this.eraseFailed = false;
  }

  // --- life -----------------------------------------------------------------------------------------------------------

  override connectedCallback(): void {
    super.connectedCallback();
    const server = (this.server || CovanChat.home).replace(/\/+$/, "");
    this.kept = new Keep(server, storageOf("localStorage"));
    this.client = new ChatClient(
      server,
      this.kept,
      new Keep(server, storageOf("sessionStorage")),
      this.spoken,
      () => this.requestUpdate(),
    );
    for (const query of this.media) query.addEventListener("change", this.redraw);
    visualViewport?.addEventListener("resize", this.followKeyboard);
    visualViewport?.addEventListener("scroll", this.followKeyboard);
    document.addEventListener("click", this.closeMenuOutside);
    for (const event of ["online", "offline"]) addEventListener(event, this.redraw);
    this.client.resume();
    if (this.isShown) this.begin(server);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const query of this.media) query.removeEventListener("change", this.redraw);
    visualViewport?.removeEventListener("resize", this.followKeyboard);
    visualViewport?.removeEventListener("scroll", this.followKeyboard);
    document.removeEventListener("click", this.closeMenuOutside);
    for (const event of ["online", "offline"]) removeEventListener(event, this.redraw);
    this.client?.close();
  }

  /** Opens the panel, as the launcher does. */
  show(): void {
    this.open = true;
  }

  /** Closes the panel, as Escape does. */
  hide(): void {
    this.open = false;
  }

  protected override willUpdate(): void {
    if (this.isShown && this.client && !document.hidden) {
      const last = lastId(this.client.conversation);
      if (last > this.readUpTo) this.kept.set("read", String(last));
    }
  }

  protected override updated(changed: PropertyValues<this>): void {
    this.showPanel();
    if (changed.has("open") && this.mode === "float") {
      if (this.open) {
        this.begin((this.server || CovanChat.home).replace(/\/+$/, ""));
        this.panel.value?.focus();
        this.composer.focus();
        this.followKeyboard();
      } else if (changed.get("open") === true) {
        this.launcher.value?.focus();
      }
      this.dispatchEvent(new CustomEvent(this.open ? "covan-open" : "covan-close", { bubbles: true }));
    }
  }

  /** The student looks at it for the first time. */
  private begin(server: string): void {
    this.client?.open();
    if (this.asksSchool) return;
    this.asksSchool = true;
    new Api(server, () => "").school().then(
      (school) => {
        this.school = school;
        this.composer.maxChars = school.maxQuestionChars;
        this.requestUpdate();
      },
      // The chat works without the school's name.
      () => undefined,
    );
  }

  // --- what it looks like ---------------------------------------------------------------------------------------------

  protected override render(): TemplateResult {
    const page = this.mode === "page";
    const view = this.view;
    const classes = ["root", page ? "page" : "float", this.isSmall && "small", this.isDark && "dark"];
    if (this.position === "left") classes.push("left");
    return html`<section
      class=${classes.filter(Boolean).join(" ")}
      lang=${view.language}
      aria-label=${view.words.title}
      @keydown=${this.pressed}
    >
      ${
        page
          ? html`<section class="panel" ${ref(this.panel)} aria-label=${this.titles[0]}>
              ${this.inside(view)}
            </section>`
          : html`<dialog
                class="panel"
                tabindex="-1"
                ${ref(this.panel)}
                aria-label=${this.titles[0]}
                @cancel=${this.cancelled}
              >
                ${this.open ? this.inside(view) : nothing}
              </dialog>
              ${this.launcherView(view)}`
      }
      ${this.confirmView(view.words)}
    </section>`;
  }

  private inside(view: View): TemplateResult {
    const { words } = view;
    const [title, subtitle] = this.titles;
    const privacy = this.privacy;
    return html`${header({
        words,
        title,
        subtitle,
        theme: this.chosenTheme,
        privacy: this.privacy,
        canClose: this.mode === "float",
        menuOpen: this.menuOpen,
        toggleMenu: () => this.toggleMenu(),
        close: () => this.hide(),
        command: (command, name) => this.fromMenu(() => this.client?.command(command, name)),
        askToErase: () => this.fromMenu(() => this.confirm.value?.showModal()),
        switchLanguage: () => this.fromMenu(() => this.switchLanguage()),
        setTheme: (chosen) => this.setTheme(chosen),
      })}
      <div class="bars">${connectionBar(view)}${speakerBar(view)}</div>
      ${log(view)}
      <footer part="footer">
        <div class="writing">
          <button
            type="button"
            class="to-end"
            title=${words.toBottom}
            aria-label=${words.toBottom}
            ?hidden=${this.scrolling.isAtEnd}
            @click=${() => this.scrolling.toEnd()}
          >
            ${icon("below")}
          </button>
          ${this.composer.render(words)}
        </div>
        ${
          hasSpoken(view.conversation)
            ? nothing
            : html`<p class="consent">
                ${words.consent}
                ${
                  privacy
                    ? html`<a href=${privacy} target="_blank" rel="noopener noreferrer">${words.privacy}</a>`
                    : nothing
                }
              </p>`
        }
      </footer>`;
  }

  private launcherView({ words, conversation }: View): TemplateResult {
    const count = this.open ? 0 : unread(conversation, this.readUpTo);
    const label = this.open ? words.close : count > 0 ? filled(words.openUnread, count) : words.open;
    return html`<button
      type="button"
      class="launcher"
      part="launcher"
      ${ref(this.launcher)}
      aria-expanded=${String(this.open)}
      aria-label=${label}
      title=${label}
      @click=${() => {
        this.open = !this.open;
      }}
    >
      ${icon(this.open ? "minimise" : "chat")}
      ${count > 0 ? html`<span class="count" aria-hidden="true">${Math.min(count, 99)}</span>` : nothing}
    </button>`;
  }

  private confirmView(words: Words): TemplateResult {
    return html`<dialog class="confirm" ${ref(this.confirm)} aria-label=${words.erase} @cancel=${stop}>
      <p>${words.eraseAsk}</p>
      ${this.eraseFailed ? html`<p class="failed" role="alert">${words.eraseFailed}</p>` : nothing}
      <div class="buttons">
        <button type="button" class="quiet" @click=${() => this.closeConfirm()}>${words.eraseNo}</button>
        <button type="button" class="strong danger" @click=${() => void this.erase()}>
          ${words.eraseYes}
        </button>
      </div>
    </dialog>`;
  }

  private get view(): View {
    const client = this.client;
    if (!client) throw new Error("drawn before it was connected");
    const { conversation, connection, isLoaded, expired } = client;
    return {
      conversation,
      connection,
      isLoaded,
      expired,
      words: this.words,
      language: this.spoken,
      now: Date.now(),
      ratings: this.ratings,
      actions: {
        press: (message, option) => {
          client.press(message, option);
          this.keepFocus();
        },
        rate: (message, good) => {
          this.setRating(message.id, { good, asking: !good, chosen: "", failed: false });
          if (!good) this.scrolling.show(".reasons");
          void client.rate(message, good).catch(() => this.ratingFailed(message.id));
        },
        chooseReason: (message, chosen) => {
          const given = this.ratings.get(message.id);
          if (given) this.setRating(message.id, { ...given, chosen });
        },
        giveReason: (message, typed) => {
          const given = this.ratings.get(message.id);
          if (!given) return;
          this.setRating(message.id, { ...given, asking: false });
          this.keepFocus();
          const why = typed === undefined ? "" : reasonText(given.chosen, typed);
          if (why) void client.rate(message, given.good, why).catch(() => this.ratingFailed(message.id));
        },
        retry: (outgoing) => {
          client.retry(outgoing);
          this.keepFocus();
        },
        drop: (outgoing) => {
          client.drop(outgoing);
          this.keepFocus();
        },
        command: (command, title) => {
          client.command(command, title);
          this.keepFocus();
        },
        showEarlier: () => {
          this.scrolling.keepPlace();
          void client.showEarlier().catch(() => undefined);
        },
      },
    };
  }

  /** What stands above the conversation, and the smaller line below it. */
  private get titles(): [string, string] {
    const school = (this.spoken === "en" && this.school.nameEn) || this.school.name;
    const title = this.heading || school;
    return title ? [title, this.words.title] : [this.words.title, ""];
  }

  private get privacy(): string {
    return webAddress(this.consentUrl) || this.school.consentUrl;
  }

  private get words(): Words {
    return WORDS[this.spoken];
  }

  private get spoken(): Language {
    return (
      languageOf(this.kept.get("language")) ??
      languageOf(this.language) ??
      languageOf(document.documentElement.lang) ??
      "vi"
    );
  }

  private get chosenTheme(): Theme {
    const chosen = this.kept.get("theme") || this.theme;
    return chosen === "light" || chosen === "dark" ? chosen : "auto";
  }

  private get isDark(): boolean {
    const chosen = this.chosenTheme;
    return chosen === "auto" ? this.media[2].matches : chosen === "dark";
  }

  private get isSmall(): boolean {
    return this.mode === "page" ? this.media[1].matches : this.media[0].matches;
  }

  private get isShown(): boolean {
    return this.mode === "page" || this.open;
  }

  private get readUpTo(): number {
    return Number(this.kept.get("read")) || 0;
  }

  // --- what a student does --------------------------------------------------------------------------------------------

  private switchLanguage(): void {
    const language = this.spoken === "vi" ? "en" : "vi";
    this.kept.set("language", language);
    this.client?.speak(language);
    this.requestUpdate();
  }

  private setTheme(chosen: Theme): void {
    // "As the device" is a choice too, also where the page asks for another theme.
    this.kept.set("theme", chosen);
    this.requestUpdate();
  }

  private setRating(id: number, rating: Rating): void {
    this.ratings = new Map(this.ratings).set(id, rating);
    this.requestUpdate();
  }

  private ratingFailed(id: number): void {
    const given = this.ratings.get(id);
    if (given) this.setRating(id, { ...given, asking: false, failed: true });
  }

  private async erase(): Promise<void> {
    try {
      await this.client?.erase();
    } catch {
      this.eraseFailed = true;
      return;
    }
    this.ratings = new Map();
    this.kept.set("read", "");
    this.closeConfirm();
    this.composer.focus();
  }

  private closeConfirm(): void {
    this.eraseFailed = false;
    this.confirm.value?.close();
  }

  private toggleMenu(): void {
    this.menuOpen = !this.menuOpen;
    if (this.menuOpen)
      void this.updateComplete.then(() =>
        this.renderRoot.querySelector<HTMLElement>("#menu button")?.focus(),
      );
  }

  private fromMenu(action: () => void): void {
    this.closeMenu();
    action();
  }

  private closeMenu(): void {
    if (!this.menuOpen) return;
    this.menuOpen = false;
    this.renderRoot.querySelector<HTMLElement>("#menu-button")?.focus();
  }

  /** What was pressed may be gone by now, and the focus with it. */
  private keepFocus(): void {
    void this.updateComplete.then(() => {
      this.composer.focus();
      if (!this.shadowRoot?.activeElement) this.scrolling.focus();
    });
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && !this.confirm.value?.open) {
      if (this.menuOpen) this.closeMenu();
      else if (this.mode === "float") this.hide();
      event.preventDefault();
    }
    // A shortcut of the page's, such as "/" for its search, is not for what is written here.
    event.stopPropagation();
  };

  /** Escape on a phone's panel, and its "back": the panel is closed as everywhere, so that the launcher knows. */
  private readonly cancelled = (event: Event): void => {
    event.preventDefault();
    if (this.menuOpen) this.closeMenu();
    else this.hide();
  };

  private readonly closeMenuOutside = (event: MouseEvent): void => {
    const path = event.composedPath();
    const inside = ["menu", "menu-button"].some((id) =>
      path.some((node) => node instanceof Element && node.id === id),
    );
    if (this.menuOpen && !inside) this.menuOpen = false;
  };

  private readonly redraw = (): void => this.requestUpdate();

  // --- where it is ----------------------------------------------------------------------------------------------------

  /** On a phone the panel is modal: what is behind it cannot be seen, and so must not be reached. */
  private showPanel(): void {
    const dialog = this.panel.value;
    if (!(dialog instanceof HTMLDialogElement)) return;
    const modal = dialog.matches(":modal");
    if (dialog.open && (!this.open || modal !== this.isSmall)) dialog.close();
    if (!this.open || dialog.open) return;
    if (this.isSmall) dialog.showModal();
    else dialog.show();
  }

  private readonly followKeyboard = (): void => {
    const seen = visualViewport;
    const style = this.panel.value?.style;
    if (!seen || !style) return;
    style.setProperty("--seen-height", `${seen.height}px`);
    style.setProperty("--seen-top", `${seen.offsetTop}px`);
  };
}

/** A dialog's own closing must not close the panel around it. */
function stop(event: Event): void {
  event.stopPropagation();
}
