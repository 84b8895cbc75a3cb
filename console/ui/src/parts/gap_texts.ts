/** Texts of joining gaps and of settling them by an entry that is there: they come with the pages that do so. */
import { saying, useTexts } from "../texts";

const vi = {
  drafted: "Có bản nháp của {name}",
  draft: "Đã có bản nháp cho câu này",
  draft_text:
    "{name} đang giữ một bản nháp câu trả lời, lưu lúc {at}. Hãy viết tiếp bản ấy để hai người không viết hai câu cho cùng một điều.",
  draft_open: "Mở bản nháp",
  draft_new: "Vẫn viết câu mới",
  join: "Chọn: {question}",
  chosen: "{n} nhóm được chọn là cùng một câu hỏi",
  write: "Viết một câu trả lời chung",
  existing: "Đã có câu trả lời",
  clear: "Thôi chọn",
  "existing.title": "Chọn câu trả lời đã có",
  "existing.text":
    "Câu hỏi của sinh viên thành một cách hỏi khác của câu bạn chọn. Bạn xem lại trước khi đăng; đăng xong, câu trả lời được gửi cho những sinh viên đã hỏi.",
  "existing.search": "Tìm trong câu hỏi có sẵn",
  "existing.none": "Không có câu nào có những chữ này. Hãy thử ít chữ hơn.",
  by_that: "Thêm cách hỏi vào câu ấy",
  by_that_text: "Những gì bạn vừa viết cho câu mới sẽ bị bỏ. Câu đã có mở ra, thêm cách hỏi của sinh viên.",
};

type GapKey = keyof typeof vi;

const en: Record<GapKey, string> = {
  drafted: "Draft of {name}",
  draft: "There is a draft for this already",
  draft_text:
    "{name} keeps a draft of an answer, saved at {at}. Go on with that one, so that the two of you do not write two answers to one question.",
  draft_open: "Open the draft",
  draft_new: "Write another one all the same",
  join: "Choose: {question}",
  chosen: "{n} chosen {n|group asks|groups ask} the same",
  write: "Write one answer for them",
  existing: "There is an answer already",
  clear: "Choose none",
  "existing.title": "Choose the answer that is there",
  "existing.text":
    "The students' question becomes a further wording of the entry that you choose. You look at it before it is published; then the answer goes to the students who asked.",
  "existing.search": "Search the FAQ",
  "existing.none": "No entry has these words. Try fewer of them.",
  by_that: "Add the wording to that entry",
  by_that_text:
    "What you have written for the new entry will be dropped. The entry that is there opens, with the student's wording added.",
};

const SAY = { vi: saying(vi), en: saying(en) };

/** Return the function that says these texts in the language of the page. */
export const useGapTexts = () => SAY[useTexts().language];
