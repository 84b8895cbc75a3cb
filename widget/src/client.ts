/** Leads a conversation with the server: the session, what comes in, what goes out; goes on by itself after any failure. */

import { Api, ApiError, PAGE } from "./api";
import {
  asked,
  changed,
  dropped,
  EMPTY,
  erased,
  lastId,
  loaded,
  loadedEarlier,
  next,
  received,
  type Content,
  type Conversation,
  type Outgoing,
} from "./conversation";
import type { Keep } from "./keep";
import type { Language } from "./locale";
import { readEvents, type StreamEvent } from "./stream";
import { parseMessage, parseSpeaker, type Message, type Option } from "./wire";

/** A session with less time left than this is renewed: of the server's 30 days, that is once a day. */
const RENEW_BELOW_MS = 29 * 24 * 3600 * 1000;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The server repeats that it is writing; after this long without, it no longer is. */
const TYPING_MS = 12_000;

/** A page that nobody looks at gives its connection back after so long: a visitor may hold only a few. */
const HIDDEN_MS = 120_000;

export type Connection = "closed" | "connecting" | "open" | "lost";

/** A random id. `randomUUID` exists in secure contexts only; a page on a campus network over plain HTTP is none. */
export function newId(source: Crypto = crypto): string {
  if (typeof source.randomUUID === "function") return source.randomUUID();
  return Array.from(source.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** How long to wait after so many failures in a row; `chance` from 0 to 1, so that not all students come back at once. */
export function pauseMs(failures: number, chance: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS) * (0.75 + chance / 2);
}

export class ChatClient {
  conversation: Conversation = EMPTY;
  connection: Connection = "closed";
  /** Whether the messages that the server has are here. */
  isLoaded = false;
  /** Whether the session before this one is gone, and its messages with it. */
  expired = false;

  private readonly api: Api;
  private live: AbortController | undefined;
  private opening: Promise<void> | undefined;
  private wantsGreeting = false;
  private isWatched = false;
  private pumping = false;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private typingTimer: ReturnType<typeof setTimeout> | undefined;
  private hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;

  constructor(
    server: string,
    /** Of the whole site: the session. */
    private readonly kept: Keep,
    /** Of this tab: what has not been sent yet. */
    private readonly tab: Keep,
    private language: Language,
    private readonly onChange: () => void,
  ) {
    this.api = new Api(server, () => this.kept.get("token"));
  }

  // --- life -----------------------------------------------------------------------------------------------------------

  /** Goes on with a conversation that this browser has begun earlier; asks nothing of the server when there is none. */
  resume(): void {
    addEventListener("online", this.wake);
    addEventListener("offline", this.lose);
    addEventListener("storage", this.followOtherTab);
    document.addEventListener("visibilitychange", this.followVisibility);
    this.conversation = { ...this.conversation, outbox: this.unsent() };
    if (this.kept.get("token") !== "") this.connect();
  }

  /** The student is looking at it: begins the conversation when there is none. */
  open(): void {
    this.isWatched = true;
    this.wantsGreeting = true;
    if (!this.live) this.connect();
    else if (this.isLoaded) this.greet();
  }

  close(): void {
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.lose);
    removeEventListener("storage", this.followOtherTab);
    document.removeEventListener("visibilitychange", this.followVisibility);
    this.disconnect();
    for (const timer of [this.retryTimer, this.typingTimer, this.hiddenTimer]) clearTimeout(timer);
  }

  // --- what a student does ----------------------------------------------------------------------------------------------

  say(text: string): void {
    this.ask({ text }, text);
  }

  press(message: Message, option: Option): void {
    this.ask({ option: option.id }, option.title, message.id);
  }

  /** Something of the menu; `title` is shown only when it cannot be sent. */
  command(command: string, title: string): void {
    this.ask({ command }, title);
  }

  /** Sends again what could not be sent. */
  retry(outgoing: Outgoing): void {
    this.update(changed(this.conversation, outgoing.id, { state: "sending", why: "" }));
    void this.pump();
  }

  drop(outgoing: Outgoing): void {
    this.update(dropped(this.conversation, outgoing.id));
  }

  /** Raises an ApiError. */
  async rate(message: Message, good: boolean, reason = ""): Promise<void> {
    await this.api.rate(message.id, good, reason);
  }

  /** Erases the conversation, on the server first, and begins another under a new name. Raises an ApiError. */
  async erase(): Promise<void> {
    if (this.kept.get("token") !== "") {
      try {
        await this.api.erase();
      } catch (error) {
        // An expired session can no longer be read by anybody, nor erased by us: the server forgets it in its time.
        if (!(error instanceof ApiError && error.code === "session_expired")) throw error;
      }
    }
    this.disconnect();
    this.kept.set("token", "");
    this.update({ ...EMPTY });
    this.isLoaded = false;
    this.wantsGreeting = this.isWatched;
    this.connect();
  }

  async showEarlier(): Promise<void> {
    const before = this.conversation.messages[0]?.id;
    if (before === undefined) return;
    const { messages } = await this.api.history(before);
    this.update(loadedEarlier(this.conversation, messages, PAGE));
  }

  speak(language: Language): void {
    this.language = language;
    // The bot answers in it too; when this cannot be told now, it goes by what the student writes.
    if (this.kept.get("token") !== "") void this.openSession().catch(() => undefined);
  }

  // --- in -------------------------------------------------------------------------------------------------------------

  private connect(): void {
    this.disconnect();
    const live = new AbortController();
    this.live = live;
    this.connection = "connecting";
    this.onChange();
    void this.stayConnected(live.signal);
  }

  private disconnect(): void {
    this.live?.abort();
    this.live = undefined;
    this.connection = "closed";
  }

  private async stayConnected(signal: AbortSignal): Promise<void> {
    this.failures = 0;
    while (!signal.aborted) {
      let wait = FIRST_PAUSE_MS;
      try {
        await this.haveSession();
        await this.load(signal);
        await this.listen(signal);
      } catch (error) {
        if (signal.aborted) return;
        wait = this.afterFailure(error);
      }
      await pause(wait, signal);
    }
  }

  /** How long to wait before the next try. */
  private afterFailure(error: unknown): number {
    if (error instanceof ApiError && error.code === "session_expired") {
      this.startOver();
      return 0;
    }
    if (error instanceof ApiError && error.code === "origin")
      console.warn(
        `Covan: ${location.origin} is not among the sites that may use this chat (COVAN_WEB_ORIGINS).`,
      );
    this.failures += 1;
    this.connection = "lost";
    this.update({ ...this.conversation, typing: false });
    const asked = error instanceof ApiError ? error.retryAfterMs : 0;
    return Math.max(asked, pauseMs(this.failures, Math.random()));
  }

  private async load(signal?: AbortSignal): Promise<void> {
    const history = await this.api.history();
    if (signal?.aborted) return;
    this.isLoaded = true;
    this.update(loaded(this.conversation, history, PAGE));
    this.greet();
    void this.pump();
  }

  private async listen(signal: AbortSignal): Promise<void> {
    await readEvents({
      url: `${this.api.base}/events?after=${lastId(this.conversation)}`,
      headers: this.api.headers(),
      signal,
      onOpen: () => {
        this.failures = 0;
        this.connection = "open";
        this.onChange();
      },
      onEvent: (event) => {
        if (!signal.aborted) this.hear(event);
      },
    });
  }

  private hear({ name, data }: StreamEvent): void {
    if (name === "message") {
      const message = parseMessage(data);
      if (message) this.update(received(this.conversation, message));
    } else if (name === "state") {
      this.update({ ...this.conversation, speaker: parseSpeaker(data) });
    } else if (name === "erased") {
      this.update(erased(this.conversation));
    } else if (name === "typing") {
      this.showTyping((data as { on?: unknown } | null | undefined)?.on === true);
    }
  }

  private showTyping(on: boolean): void {
    clearTimeout(this.typingTimer);
    if (on) this.typingTimer = setTimeout(() => this.showTyping(false), TYPING_MS);
    this.update({ ...this.conversation, typing: on });
  }

  // --- the session ------------------------------------------------------------------------------------------------------

  private async haveSession(): Promise<void> {
    const left = Number(this.kept.get("expires")) - Date.now();
    if (this.kept.get("token") === "" || left < RENEW_BELOW_MS) await this.openSession();
  }

  private openSession(): Promise<void> {
    this.opening ??= this.api
      .session(this.language)
      .then(({ token, expiresAt }) => {
        this.kept.set("token", token);
        this.kept.set("expires", String(expiresAt));
      })
      .finally(() => {
        this.opening = undefined;
      });
    return this.opening;
  }

  /** The session is no longer valid: another one, without its messages, but with what was to be sent. */
  private startOver(): void {
    this.kept.set("token", "");
    this.isLoaded = false;
    this.wantsGreeting = this.isWatched;
    this.expired = this.conversation.messages.length > 0;
    this.update({ ...EMPTY, outbox: this.conversation.outbox });
  }

  private greet(): void {
    const { messages, outbox } = this.conversation;
    if (!this.wantsGreeting || !this.isLoaded || messages.length > 0 || outbox.length > 0) return;
    this.wantsGreeting = false;
    this.command("start", "");
  }

  // --- out ------------------------------------------------------------------------------------------------------------

  private ask(content: Content, title: string, on = 0): void {
    this.expired = false;
    this.update(asked(this.conversation, { id: newId(), content, title, on, state: "sending", why: "" }));
    if (!this.live) this.connect();
    void this.pump();
  }

  /** Sends what is to be sent, one after the other. */
  private async pump(): Promise<void> {
    if (this.pumping || !this.isLoaded) return;
    this.pumping = true;
    clearTimeout(this.retryTimer);
    try {
      for (let out = next(this.conversation); out && this.isLoaded; out = next(this.conversation)) {
        if (!(await this.sent(out))) break;
      }
    } finally {
      this.pumping = false;
    }
  }

  /** Whether to go on with the next one. */
  private async sent(out: Outgoing): Promise<boolean> {
    try {
      await this.api.send(out.id, out.content);
      this.update(changed(this.conversation, out.id, { state: "accepted", why: "" }));
      return true;
    } catch (error) {
      const { code, final, retryAfterMs } = error instanceof ApiError ? error : new ApiError("network");
      if (code === "session_expired") {
        this.startOver();
        this.connect();
        return false;
      }
      this.update(changed(this.conversation, out.id, { state: final ? "failed" : "waiting", why: code }));
      if (final) return true;
      this.retryTimer = setTimeout(() => void this.pump(), Math.max(retryAfterMs, pauseMs(2, Math.random())));
      return false;
    }
  }

  private unsent(): Outgoing[] {
    try {
      const kept = JSON.parse(this.tab.get("outbox") || "[]") as Outgoing[];
      return kept.filter((each) => typeof each.id === "string" && typeof each.title === "string");
    } catch {
      return [];
    }
  }

  // --- what happens around --------------------------------------------------------------------------------------------

  private readonly wake = (): void => {
    if (this.live || this.conversation.outbox.length > 0) this.connect();
  };

  private readonly lose = (): void => {
    if (!this.live) return;
    this.live.abort();
    this.connection = "lost";
    this.update({ ...this.conversation, typing: false });
  };

  private readonly followOtherTab = (event: StorageEvent): void => {
    if (!this.kept.isAbout(event, "token") || event.oldValue === event.newValue) return;
    // The same session under a new token goes on as it is; whether it is, only the server knows.
    const token = this.kept.get("token");
    this.disconnect();
    this.isLoaded = false;
    if (token === "") this.update({ ...EMPTY });
    else this.connect();
  };

  private readonly followVisibility = (): void => {
    clearTimeout(this.hiddenTimer);
    if (document.hidden) {
      this.hiddenTimer = setTimeout(() => this.disconnect(), HIDDEN_MS);
    } else if (!this.live && this.kept.get("token") !== "") {
      this.connect();
    }
  };

  private update(conversation: Conversation): void {
    const before = this.conversation;
    this.conversation = conversation;
    if (before.outbox !== conversation.outbox) {
      const unsent = conversation.outbox.filter(({ state }) => state !== "accepted");
      this.tab.set("outbox", unsent.length > 0 ? JSON.stringify(unsent) : "");
    }
    this.onChange();
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
