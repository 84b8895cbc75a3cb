/** Where in the conversation one is: new messages are followed by who is at its end, and disturb nobody who reads above. */

import type { ReactiveController, ReactiveControllerHost } from "lit";
import { isAnswering, lastId, type Conversation } from "../conversation";

/** How far from its end the conversation may be scrolled and still count as being at the end. */
const NEAR_END_PX = 80;

const MARGIN_PX = 12;

export class Scrolling implements ReactiveController {
  isAtEnd = true;
  private last = 0;
  private sent = 0;
  private typing = false;
  private scroller: HTMLElement | undefined;
  /** The height below what was on top, before older messages came above it. */
  private below: number | undefined;

  constructor(
    private readonly host: ReactiveControllerHost & { readonly renderRoot: HTMLElement | DocumentFragment },
    private readonly conversation: () => Conversation | undefined,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const scroller = this.host.renderRoot.querySelector<HTMLElement>(".scroller") ?? undefined;
    const conversation = this.conversation();
    if (!scroller || !conversation) {
      this.scroller = undefined;
      return;
    }
    const appeared = scroller !== this.scroller;
    if (appeared) {
      this.scroller = scroller;
      scroller.addEventListener("scroll", this.scrolled, { passive: true });
    }
    const grown = lastId(conversation) > this.last;
    const wrote = conversation.outbox.length > this.sent;
    const dots = isAnswering(conversation) !== this.typing;
    this.last = lastId(conversation);
    this.sent = conversation.outbox.length;
    this.typing = isAnswering(conversation);
    if (appeared || wrote) this.toEnd();
    else if (this.below !== undefined && !grown) this.restorePlace(scroller);
    else if ((grown || dots) && this.isAtEnd) this.follow();
    this.scrolled();
  }

  toEnd(): void {
    if (this.scroller) this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  focus(): void {
    this.scroller?.focus({ preventScroll: true });
  }

  /** Brings the last of what matches into sight, once it is there. */
  show(selector: string): void {
    void this.host.updateComplete.then(() => {
      const found = this.scroller?.querySelectorAll(selector);
      found?.[found.length - 1]?.scrollIntoView({ block: "nearest" });
    });
  }

  /** Older messages are about to come above what is read. */
  keepPlace(): void {
    if (this.scroller) this.below = this.scroller.scrollHeight - this.scroller.scrollTop;
  }

  private restorePlace(scroller: HTMLElement): void {
    if (this.below === undefined) return;
    const before = scroller.scrollTop;
    scroller.scrollTop = scroller.scrollHeight - this.below;
    if (scroller.scrollTop !== before) this.below = undefined;
  }

  /** To the end, but never past the last question: a long answer is read from its beginning. */
  private follow(): void {
    if (!this.scroller) return;
    const turns = this.scroller.querySelectorAll<HTMLElement>(".turn.user");
    const question = turns[turns.length - 1];
    this.toEnd();
    if (!question) return;
    const above =
      this.scroller.getBoundingClientRect().top + MARGIN_PX - question.getBoundingClientRect().top;
    if (above > 0) this.scroller.scrollTop -= above;
  }

  private readonly scrolled = (): void => {
    if (!this.scroller) return;
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
    if (isAtEnd === this.isAtEnd) return;
    this.isAtEnd = isAtEnd;
    this.host.requestUpdate();
  };
}
