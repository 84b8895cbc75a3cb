import { describe, expect, it } from "vitest";
import {
  asked,
  beginsToSpeak,
  changed,
  dropped,
  EMPTY,
  erased,
  hasSpoken,
  isAnswering,
  lastId,
  loaded,
  loadedEarlier,
  next,
  pressedOn,
  questionOf,
  received,
  unread,
  type Conversation,
  type Outgoing,
} from "../src/conversation";
import { BOT_ALONE, type Message } from "../src/wire";

const message = (id: number, given: Partial<Message> = {}): Message => ({
  id,
  at: 0,
  author: "bot",
  act: undefined,
  by: "",
  text: `tin ${id}`,
  options: [],
  rateable: false,
  citations: [],
  cards: [],
  eventId: "",
  pressed: 0,
  replyTo: 0,
  used: { on: 0, title: "" },
  ...given,
});

const outgoing = (id: string, given: Partial<Outgoing> = {}): Outgoing => ({
  id,
  content: { text: id },
  title: id,
  on: 0,
  state: "sending",
  why: "",
  ...given,
});

const ids = (conversation: Conversation): number[] => conversation.messages.map(({ id }) => id);
const sent = (conversation: Conversation): string[] => conversation.outbox.map(({ id }) => id);
const history = (...messages: Message[]): { messages: Message[]; speaker: typeof BOT_ALONE } => ({
  messages,
  speaker: BOT_ALONE,
});

describe("what arrives", () => {
  it("is put in order, and each only once", () => {
    const conversation = [3, 1, 2, 3].reduce((so, id) => received(so, message(id)), EMPTY);
    expect(ids(conversation)).toEqual([1, 2, 3]);
    expect(lastId(conversation)).toBe(3);
  });

  it("takes the place of what was sent under its id, from whatever page", () => {
    const sending = asked(asked(EMPTY, outgoing("a")), outgoing("b"));
    expect(sent(received(sending, message(1, { author: "student", eventId: "a" })))).toEqual(["b"]);
  });

  it("ends the typing when it is an answer, and does not when it is the student's own", () => {
    const typing = { ...EMPTY, typing: true };
    expect(received(typing, message(1, { author: "student" })).typing).toBe(true);
    expect(received(typing, message(2)).typing).toBe(false);
  });

  it("shows that a button was taken which leaves no message of its own", () => {
    const pressed = asked(EMPTY, outgoing("a", { content: { option: "o" }, state: "accepted" }));
    expect(sent(received(pressed, message(1)))).toEqual([]);
    const typed = asked(EMPTY, outgoing("a", { state: "accepted" }));
    expect(sent(received(typed, message(1)))).toEqual(["a"]);
  });
});

describe("the dots", () => {
  const writing = { ...EMPTY, typing: true };

  it("are shown while an answer to the student is being written", () => {
    expect(isAnswering(writing)).toBe(false);
    expect(isAnswering(asked(writing, outgoing("a")))).toBe(true);
    expect(isAnswering(received(writing, message(1, { author: "student" })))).toBe(true);
  });

  it("are not while a person is to answer", () => {
    const speaker = { advisor: "taken", by: "Cô Lan", quiet: true } as const;
    expect(isAnswering({ ...asked(writing, outgoing("a")), speaker })).toBe(false);
  });
});

it("what is erased takes everything with it but what was not sent yet", () => {
  const before = [outgoing("a", { state: "accepted" }), outgoing("b", { state: "waiting" })].reduce(
    asked,
    received(EMPTY, message(1)),
  );
  const after = erased(before);
  expect(ids(after)).toEqual([]);
  expect(sent(after)).toEqual(["b"]);
});

describe("what is loaded", () => {
  it("replaces what the server no longer has", () => {
    const before = [1, 2, 3].reduce((so, id) => received(so, message(id)), EMPTY);
    expect(ids(loaded(before, history(message(2), message(3)), 50))).toEqual([2, 3]);
    expect(ids(loaded(before, history(), 50))).toEqual([]);
  });

  it("keeps what came in meanwhile, and older messages that were shown", () => {
    const before = [1, 2, 3, 4].reduce((so, id) => received(so, message(id)), EMPTY);
    const after = loaded(before, history(message(2), message(3)), 2);
    expect(ids(after)).toEqual([1, 2, 3, 4]);
  });

  it("says whether there is more before it", () => {
    expect(loaded(EMPTY, history(message(2), message(3)), 2).earlier).toBe(true);
    expect(loaded(EMPTY, history(message(2)), 2).earlier).toBe(false);
  });

  it("can be added before it", () => {
    const now = loaded(EMPTY, history(message(3), message(4)), 2);
    const more = loadedEarlier(now, [message(1), message(2)], 2);
    expect(ids(more)).toEqual([1, 2, 3, 4]);
    expect(more.earlier).toBe(true);
    expect(loadedEarlier(more, [], 2).earlier).toBe(false);
  });

  it("has what was sent by a page that was closed too early to see it", () => {
    const waiting = asked(EMPTY, outgoing("a", { state: "waiting" }));
    expect(sent(loaded(waiting, history(message(1, { author: "student", eventId: "a" })), 50))).toEqual([]);
  });
});

describe("what is sent", () => {
  it("goes in order, past what was refused", () => {
    let conversation = asked(asked(asked(EMPTY, outgoing("a")), outgoing("b")), outgoing("c"));
    conversation = changed(conversation, "a", { state: "failed", why: "too_large" });
    expect(next(conversation)?.id).toBe("b");
    conversation = changed(conversation, "b", { state: "accepted" });
    expect(next(conversation)?.id).toBe("c");
    expect(sent(dropped(conversation, "a"))).toEqual(["b", "c"]);
  });

  it("is forgotten once accepted when it is a command, which leaves no message", () => {
    const conversation = asked(EMPTY, outgoing("a", { content: { command: "start" } }));
    expect(sent(changed(conversation, "a", { state: "accepted" }))).toEqual([]);
  });
});

describe("a button", () => {
  const question = message(1, { options: [{ title: "Khóa 47", id: "o1" }] });
  const shown = received(EMPTY, question);

  it("is pressed once its message is on the way or has come back", () => {
    expect(pressedOn(shown, question)).toBeUndefined();
    const pressing = asked(shown, outgoing("a", { on: 1, title: "Khóa 47", content: { option: "o1" } }));
    expect(pressedOn(pressing, question)).toBe("Khóa 47");
    const back = received(
      pressing,
      message(2, { author: "student", text: "Khóa 47", eventId: "a", pressed: 1 }),
    );
    expect(pressedOn(back, question)).toBe("Khóa 47");
  });

  it("can be pressed again when it was refused", () => {
    const refused = asked(shown, outgoing("a", { on: 1, state: "failed", content: { option: "o1" } }));
    expect(pressedOn(refused, question)).toBeUndefined();
  });
});

it("what is unread is what others said since", () => {
  const conversation = [
    message(1),
    message(2, { author: "student" }),
    message(3, { author: "advisor" }),
  ].reduce(received, EMPTY);
  expect(unread(conversation, 0)).toBe(2);
  expect(unread(conversation, 1)).toBe(1);
  expect(unread(conversation, 3)).toBe(0);
});

it("who has only opened the chat has not spoken", () => {
  const greeted = received(asked(EMPTY, outgoing("a", { content: { command: "start" } })), message(1));
  expect(hasSpoken(greeted)).toBe(false);
  expect(hasSpoken(asked(greeted, outgoing("b")))).toBe(true);
});

describe("a reply", () => {
  const student = (id: number): Message => message(id, { author: "student" });
  const reply = (id: number, replyTo: number): Message => message(id, { replyTo });

  it("names its question when other words of the student's stand in between, and once", () => {
    const messages = [student(1), student(2), reply(3, 1), reply(4, 1), reply(5, 2)];
    expect(messages.map((_, index) => questionOf(messages, index)?.id)).toEqual([
      undefined,
      undefined,
      1,
      undefined,
      undefined,
    ]);
  });

  it("names none that has been erased or that is not known", () => {
    const messages = [student(2), reply(3, 1), reply(4, 0)];
    expect(messages.map((_, index) => questionOf(messages, index))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is said by somebody: at first, after another, and later again", () => {
    const messages = [
      student(1),
      message(2),
      message(3),
      message(4, { at: 10 * 60_000 }),
      message(5, { author: "advisor", by: "Cô Lan", at: 10 * 60_000 }),
    ];
    expect(messages.map((_, index) => beginsToSpeak(messages, index))).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
  });
});

it("a button whose words were typed is marked like a pressed one", () => {
  const asks = message(1, { options: [{ title: "Khóa 50", id: "a" }] });
  const reply = message(3, { used: { on: 1, title: "Khóa 50" } });
  const said = [asks, message(2, { author: "student", text: "50" }), reply];
  expect(pressedOn({ ...EMPTY, messages: said }, asks)).toBe("Khóa 50");
  expect(pressedOn({ ...EMPTY, messages: said.slice(0, 2) }, asks)).toBeUndefined();
});
