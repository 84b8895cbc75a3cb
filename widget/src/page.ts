/** The page: puts the parts together and leads a turn from the box to the answer. */

import { botBubble, typingDots, userBubble, type Actions } from "./bubbles";
import { Composer } from "./composer";
import {
  load,
  newConversation,
  save,
  type BotEntry,
  type Conversation,
  type UserEntry,
} from "./conversation";
import { element, icon, ICONS } from "./dom";
import { loadLanguage, saveLanguage, WORDS, type Language, type Words } from "./locale";
import { fetchSchool, send, SendError, type Turn } from "./transport";
import { welcome } from "./welcome";
import { parseSchool, type BotMessage, type Button, type School } from "./wire";

/** How far from its end the conversation may be scrolled and still count as being at the end. */
const NEAR_END_PX = 80;

const MARGIN_PX = 12;

export class Page implements Actions {
  private school: School = parseSchool(undefined);
  private language: Language;
  private conversation: Conversation;
  private busy = false;

  private readonly composer: Composer;
  private readonly header = element("header");
  private readonly greeting = element("div");
  private readonly log = element("ol", { class: "log", role: "log", "aria-live": "polite" });
  private readonly scroller = element("main", { class: "scroller", tabindex: "-1" }, this.greeting, this.log);
  private readonly toEnd = element(
    "button",
    { type: "button", class: "to-end", hidden: true },
    icon(ICONS.below),
  );
  private readonly offline = element("p", { class: "offline", role: "status", hidden: true });
  private readonly disclaimer = element("p", { class: "disclaimer" });
  private readonly question = element("dialog", { class: "question" });

  constructor(private readonly storage: Storage | undefined) {
    this.language = loadLanguage(storage);
    this.conversation = load(storage);
    this.composer = new Composer(this.words, this.school.maxQuestionChars, (text) => {
      void this.ask(text);
    });
    this.toEnd.addEventListener("click", () => this.scrollToEnd());
    this.scroller.addEventListener("scroll", () => {
      this.toEnd.hidden = this.isAtEnd();
    });
    for (const event of ["online", "offline"] as const) {
      window.addEventListener(event, () => {
        this.offline.hidden = navigator.onLine;
      });
    }
    this.offline.hidden = navigator.onLine;
  }

  mount(parent: HTMLElement): void {
    parent.append(
      this.header,
      this.scroller,
      element("footer", {}, this.toEnd, this.offline, this.composer.form, this.disclaimer),
      this.question,
    );
    this.render();
    this.scrollToEnd();
    this.composer.focus();
    void this.greet();
  }

  choose(entry: BotEntry, option: Button): void {
    if (this.busy) return;
    entry.chosen = option.payload;
    void this.deliver({
      from: "user",
      text: option.title,
      turn: { payload: option.payload },
      state: "sending",
    });
  }

  rate(entry: BotEntry, rating: Button): void {
    if (this.busy || entry.rated !== undefined) return;
    entry.rated = rating.payload;
    this.renderLog();
    send(this.conversation.sender, { payload: rating.payload }, this.language)
      .then((messages) => {
        // A plain thank-you stands beside the thumbs already; a question back ("what was wrong?") must be seen.
        this.append(messages.filter((message) => message.buttons.length > 0));
      })
      .catch(() => {
        delete entry.rated;
        this.renderLog();
      });
  }

  retry(entry: UserEntry): void {
    if (this.busy) return;
    this.conversation.entries = this.conversation.entries.filter((other) => other !== entry);
    void this.deliver({ from: "user", text: entry.text, turn: entry.turn, state: "sending" });
  }

  private get words(): Words {
    return WORDS[this.language];
  }

  private async greet(): Promise<void> {
    try {
      this.school = await fetchSchool();
    } catch {
      // The chat works without the school's name and shortcuts.
      return;
    }
    const atEnd = this.isAtEnd() && this.conversation.entries.length > 0;
    this.composer.maxChars = this.school.maxQuestionChars;
    this.render();
    if (atEnd) this.scrollToEnd();
  }

  private ask(text: string): Promise<void> {
    if (this.busy) return Promise.resolve();
    return this.deliver({ from: "user", text, turn: { message: text }, state: "sending" });
  }

  private async deliver(entry: UserEntry): Promise<void> {
    const { sender } = this.conversation;
    this.conversation.entries.push(entry);
    this.setBusy(true);
    this.renderLog();
    this.scrollToEnd();
    this.composer.focus();
    const messages = await this.answers(sender, entry, entry.turn);
    // A new conversation may have begun meanwhile: this answer is not part of it.
    if (this.conversation.sender !== sender) return;
    this.setBusy(false);
    this.append(messages);
    this.showFromQuestion();
  }

  private async answers(sender: string, entry: UserEntry, turn: Turn): Promise<BotMessage[]> {
    try {
      const messages = await send(sender, turn, this.language);
      entry.state = "sent";
      return messages;
    } catch (error) {
      entry.state = "failed";
      if (error instanceof SendError && error.shown) entry.problem = error.shown;
      return [];
    }
  }

  private append(messages: BotMessage[]): void {
    this.conversation.entries.push(...messages.map((message): BotEntry => ({ from: "bot", ...message })));
    this.renderLog();
  }

  private setBusy(busy: boolean): void {
    this.busy = busy;
    this.composer.setBusy(busy);
  }

  private startAnew(): void {
    this.conversation = newConversation();
    this.setBusy(false);
    this.render();
    this.scroller.scrollTop = 0;
    this.composer.focus();
  }

  private askToStartAnew(): void {
    if (this.conversation.entries.length === 0) return this.startAnew();
    const { words, question } = this;
    question.replaceChildren(
      element("p", {}, words.newConversationAsk),
      element(
        "form",
        { method: "dialog" },
        element("button", { class: "quiet", value: "" }, words.cancel),
        element("button", { class: "strong", click: () => this.startAnew() }, words.confirm),
      ),
    );
    question.showModal();
  }

  private switchLanguage(): void {
    this.language = this.language === "vi" ? "en" : "vi";
    saveLanguage(this.storage, this.language);
    this.render();
  }

  private render(): void {
    const { words, language, school } = this;
    const name = (language === "en" && school.nameEn) || school.name;
    document.documentElement.lang = language;
    document.title = name ? `${words.title} · ${name}` : words.title;
    this.header.replaceChildren(
      element("span", { class: "avatar" }, icon(ICONS.cap)),
      element(
        "div",
        { class: "names" },
        element("h1", {}, name || words.title),
        element("p", {}, name ? words.title : ""),
      ),
      element(
        "button",
        {
          type: "button",
          class: "quiet",
          lang: language === "vi" ? "en" : "vi",
          click: () => this.switchLanguage(),
        },
        words.switchLanguage,
      ),
      element(
        "button",
        {
          type: "button",
          class: "quiet new",
          title: words.newConversation,
          "aria-label": words.newConversation,
          click: () => this.askToStartAnew(),
        },
        icon(ICONS.add),
        element("span", {}, words.newConversation),
      ),
    );
    this.greeting.replaceChildren(welcome(school, words, language, (question) => void this.ask(question)));
    this.log.setAttribute("aria-label", words.log);
    this.toEnd.setAttribute("aria-label", words.toBottom);
    this.toEnd.title = words.toBottom;
    this.offline.textContent = words.offline;
    this.disclaimer.textContent = words.disclaimer;
    this.composer.setWords(words);
    this.renderLog();
  }

  /** Nodes of entries that look as before stay in place, so that a screen reader is told of what is new only. */
  private readonly shown: { looks: string; node: HTMLElement }[] = [];

  private renderLog(): void {
    save(this.storage, this.conversation);
    const wanted = this.conversation.entries.map((entry) => ({
      looks: `${this.language}${JSON.stringify(entry)}`,
      make: () =>
        entry.from === "user" ? userBubble(entry, this.words, this) : botBubble(entry, this.words, this),
    }));
    if (this.busy) wanted.push({ looks: "typing", make: () => typingDots(this.words) });
    wanted.forEach(({ looks, make }, index) => {
      const before = this.shown[index];
      if (before?.looks === looks) return;
      const node = make();
      if (before) before.node.replaceWith(node);
      else this.log.append(node);
      this.shown[index] = { looks, node };
    });
    for (const { node } of this.shown.splice(wanted.length)) node.remove();
  }

  private isAtEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  }

  private scrollToEnd(): void {
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  /** To the end, but never past the question: a long answer is read from its beginning. */
  private showFromQuestion(): void {
    const questions = this.log.querySelectorAll<HTMLElement>(".turn.user");
    const last = questions[questions.length - 1];
    this.scrollToEnd();
    if (!last) return;
    const above = this.scroller.getBoundingClientRect().top + MARGIN_PX - last.getBoundingClientRect().top;
    if (above > 0) this.scroller.scrollTop -= above;
  }
}
