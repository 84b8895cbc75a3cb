import { describe, expect, it } from "vitest";
import {
  BOT_ALONE,
  parseHistory,
  parseMessage,
  parseSchool,
  parseSession,
  parseSpeaker,
  webAddress,
} from "../src/wire";

const SAID = {
  id: 7,
  at: 1_800_000_000.5,
  author: "bot",
  act: "answer",
  by: "",
  text: "Bậc 3 (B1).",
  options: [{ title: "Khóa 47–49", id: "Zk3_a-9QxY12" }],
  thumbs: { good: { title: "👍", id: "g" }, bad: { title: "👎", id: "b" } },
  citations: [
    {
      document_id: "chuan-ngoai-ngu",
      title: "Quy định chuẩn ngoại ngữ",
      number: "512/QĐ-ĐHSL",
      locator: "Điều 4, khoản 1",
      quote: "Sinh viên phải đạt bậc 3.",
      url: "https://www.daihocsaola.example/512.pdf",
      page: 3,
    },
  ],
  cards: [
    { kind: "contact", name: "Phòng Đào tạo", phone: "0292 383 1530", email: "dt@daihocsaola.example" },
    { kind: "link", title: "", url: "https://sv.daihocsaola.example/" },
    { kind: "deadline", text: "Nộp đơn", date: "2031-06-30T00:00:00+07:00" },
  ],
  facts: { event_id: "", tier: "faq", reply_to: 6, used_on: 5, used: "Khóa 50" },
};

describe("a message", () => {
  it("is read whole", () => {
    expect(parseMessage(SAID)).toEqual({
      id: 7,
      at: 1_800_000_000_500,
      author: "bot",
      act: "answer",
      by: "",
      text: "Bậc 3 (B1).",
      options: [{ title: "Khóa 47–49", id: "Zk3_a-9QxY12" }],
      rateable: true,
      citations: [
        {
          title: "Quy định chuẩn ngoại ngữ",
          number: "512/QĐ-ĐHSL",
          locator: "Điều 4, khoản 1",
          quote: "Sinh viên phải đạt bậc 3.",
          url: "https://www.daihocsaola.example/512.pdf",
          page: 3,
        },
      ],
      cards: [
        {
          kind: "contact",
          name: "Phòng Đào tạo",
          phone: "0292 383 1530",
          email: "dt@daihocsaola.example",
          address: "",
          mapUrl: "",
          hours: "",
          note: "",
        },
        { kind: "link", title: "https://sv.daihocsaola.example/", url: "https://sv.daihocsaola.example/" },
        { kind: "deadline", text: "Nộp đơn", date: "2031-06-30", isBefore: false },
      ],
      eventId: "",
      pressed: 0,
      replyTo: 6,
      used: { on: 5, title: "Khóa 50" },
    });
  });

  it.each([
    undefined,
    null,
    "x",
    [],
    {},
    { ...SAID, id: 0 },
    { ...SAID, id: "7" },
    { ...SAID, author: "admin" },
  ])("of a wrong shape is left out: %j", (value) => {
    expect(parseMessage(value)).toBeUndefined();
  });

  it("loses the parts that do not fit, and keeps the others", () => {
    const message = parseMessage({
      ...SAID,
      text: 3,
      at: "now",
      options: [{ title: "a" }, { id: "b" }, null, { title: "c", id: "d" }],
      thumbs: null,
      citations: [{ document_id: "d", url: "javascript:alert(1)" }, { title: "" }, 7],
      cards: [
        { kind: "contact", name: "" },
        { kind: "link", title: "x", url: "javascript:alert(1)" },
        { kind: "deadline", text: "x", date: "soon" },
        { kind: "unknown" },
      ],
      facts: { event_id: 3, pressed: -1 },
    });
    expect(message).toMatchObject({
      text: "",
      at: 0,
      options: [{ title: "c", id: "d" }],
      rateable: false,
      citations: [{ title: "d", url: "" }],
      cards: [],
      eventId: "",
      pressed: 0,
    });
  });
});

describe("who speaks", () => {
  it("is a person when the server says so", () => {
    expect(parseSpeaker({ with_advisor: "taken", by: "Cô Lan", quiet: true })).toEqual({
      advisor: "taken",
      by: "Cô Lan",
      quiet: true,
    });
  });

  it.each([null, {}, { with_advisor: "closed" }, { with_advisor: null, quiet: true }])(
    "is the bot otherwise: %j",
    (value) => {
      expect(parseSpeaker(value)).toEqual(BOT_ALONE);
    },
  );
});

it("a history keeps what it understands", () => {
  const history = parseHistory({ messages: [SAID, { id: 8 }, "x"], state: { with_advisor: "waiting" } });
  expect(history.messages.map(({ id }) => id)).toEqual([7]);
  expect(history.speaker).toEqual({ advisor: "waiting", by: "", quiet: false });
  expect(parseHistory("<html>")).toEqual({ messages: [], speaker: BOT_ALONE });
});

it("a session without a token is none", () => {
  expect(parseSession({ token: "t", expires_at: 5 })).toEqual({ token: "t", expiresAt: 5000 });
  expect(parseSession({ expires_at: 5 })).toBeUndefined();
});

it("the school may be missing", () => {
  expect(parseSchool({ name: "Trường", name_en: "School", max_question_chars: 500 })).toEqual({
    name: "Trường",
    nameEn: "School",
    maxQuestionChars: 500,
    consentUrl: "",
  });
  expect(parseSchool(undefined).maxQuestionChars).toBe(2000);
});

describe("addresses", () => {
  it("are kept when they lead to a page", () => {
    expect(webAddress("https://www.daihocsaola.example/a?b=1")).toBe("https://www.daihocsaola.example/a?b=1");
  });

  it.each(["javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "quy-dinh.pdf", "", 3, null])(
    "are dropped: %j",
    (value) => {
      expect(webAddress(value)).toBe("");
    },
  );
});
