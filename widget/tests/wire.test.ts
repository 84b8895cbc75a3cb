import { describe, expect, it } from "vitest";
import { parseMessages, parseSchool, ratingOf, webAddress } from "../src/wire";

describe("messages of a turn", () => {
  it("keep text, options and sources", () => {
    const [bubble] = parseMessages([
      {
        recipient_id: "s",
        text: "Bậc 3 (B1).",
        buttons: [{ title: "Khóa 47–49", payload: '/inform{"cohort": "47"}' }],
        custom: {
          type: "answer",
          citations: [
            {
              document_id: "chuan-ngoai-ngu",
              title: "Quy định chuẩn ngoại ngữ",
              number: "512/QĐ-ĐHSL",
              locator: "Điều 4, khoản 1",
              quote: "Sinh viên phải đạt bậc 3.",
              url: "https://www.daihocsaola.example/512.pdf",
            },
          ],
        },
      },
    ]);
    expect(bubble).toEqual({
      text: "Bậc 3 (B1).",
      buttons: [{ title: "Khóa 47–49", payload: '/inform{"cohort": "47"}' }],
      feedback: [],
      citations: [
        {
          title: "Quy định chuẩn ngoại ngữ",
          number: "512/QĐ-ĐHSL",
          locator: "Điều 4, khoản 1",
          quote: "Sinh viên phải đạt bậc 3.",
          url: "https://www.daihocsaola.example/512.pdf",
        },
      ],
    });
  });

  it("that carry sources only belong to the answer before them", () => {
    const bubbles = parseMessages([
      { text: "Trả lời" },
      { custom: { type: "answer", citations: [{ document_id: "d", title: "T" }] } },
    ]);
    expect(bubbles).toHaveLength(1);
    expect(bubbles[0]?.citations).toEqual([{ title: "T" }]);
  });

  it("that ask for a rating become thumbs of the answer before them", () => {
    const bubbles = parseMessages([
      { text: "Trả lời" },
      {
        text: "Có ích không?",
        buttons: [
          { title: "👍", payload: '/feedback_good{"answer_id": "a1"}' },
          { title: "👎", payload: '/feedback_bad{"answer_id": "a1"}' },
        ],
      },
    ]);
    expect(bubbles).toHaveLength(1);
    expect(bubbles[0]?.feedback.map(ratingOf)).toEqual(["good", "bad"]);
    expect(bubbles[0]?.feedbackPrompt).toBe("Có ích không?");
    expect(bubbles[0]?.buttons).toEqual([]);
  });

  it.each([undefined, null, "x", {}, [1, null, "a", []], [{}], [{ text: 3, buttons: "no" }]])(
    "of a wrong shape are left out: %j",
    (value) => {
      expect(parseMessages(value)).toEqual([]);
    },
  );

  it("leave out buttons that do nothing", () => {
    const [bubble] = parseMessages([{ text: "x", buttons: [{ title: "a" }, { payload: "/b" }, null] }]);
    expect(bubble?.buttons).toEqual([]);
  });
});

describe("addresses of sources", () => {
  it("are kept when they lead to a page", () => {
    expect(webAddress("https://www.daihocsaola.example/a?b=1")).toBe("https://www.daihocsaola.example/a?b=1");
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "quy-dinh.pdf", "", 3, null])(
    "are dropped: %j",
    (value) => {
      expect(webAddress(value)).toBeUndefined();
    },
  );
});

describe("the school", () => {
  it("is read with its topics", () => {
    const school = parseSchool({
      name: "Trường",
      name_en: "School",
      topics: [
        { id: "study", name: "Học vụ", name_en: "Studies", examples: ["Một?", 2] },
        { id: "", name: "x" },
      ],
      max_question_chars: 500,
    });
    expect(school.topics).toEqual([{ id: "study", name: "Học vụ", nameEn: "Studies", examples: ["Một?"] }]);
    expect(school.maxQuestionChars).toBe(500);
  });

  it("may be missing", () => {
    expect(parseSchool(null)).toEqual({
      name: "",
      nameEn: "",
      short: "",
      topics: [],
      maxQuestionChars: 2000,
    });
  });
});
