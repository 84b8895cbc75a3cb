/** Texts of correcting an answer from the log: they come with the pages that do so. */
import { saying, useTexts } from "../texts";

const vi = {
  "correct.open": "Câu trả lời này chưa đúng? Sửa",
  "corrected.mark": "Đã sửa",
  "corrected.entry": "{name} đã sửa lúc {at}. Câu đúng:",
  "corrected.rule": "{name} đã đặt quy tắc cho câu này lúc {at}.",
  "correct.title": "Câu nào mới đúng?",
  "correct.wording": "Câu hỏi",
  "correct.wording_help":
    "Từ nay ai hỏi như vậy sẽ nhận điều bạn chọn. Bạn viết lại được; đọc riêng câu này cũng phải hiểu, không kèm thông tin cá nhân.",
  "correct.also": "Dùng cho cả những câu này",
  "correct.own": "Lời sinh viên đã viết: “{text}”",
  "correct.in_full": "Câu Covan đã đọc, nối với chuyện trước đó: “{text}”",
  "correct.remember": "Ghi nhớ câu này khi sinh viên hỏi tiếp sau “{question}”",
  "correct.follow_up":
    "“{text}” nói tiếp chuyện trước đó. Đứng riêng, câu ấy không rõ hỏi gì, và ai viết như vậy giữa chuyện khác cũng sẽ nhận điều bạn chọn. Hãy viết câu hỏi cho đủ ý.",
  "correct.considered": "Covan đã cân nhắc những câu này",
  "correct.other": "Tìm trong các câu có sẵn",
  "correct.none_fits": "Không câu nào đúng?",
  "correct.new": "Viết câu trả lời mới",
  "correct.no_answer_fits": "Câu này không nên trả lời ngay?",
  "correct.refuse": "Không trả lời",
  "correct.ask_back": "Hỏi lại",
  "rule.title": "Quy tắc cho câu hỏi này",
  "rule.question": "Câu hỏi",
  "rule.outcome": "Ai hỏi câu này thì Covan",
  "rule.answer": "Trả lời bằng một câu có sẵn",
  "rule.answer_help": "Câu trả lời đúng là của câu này.",
  "rule.answer_by": "Câu trả lời đúng",
  "rule.no_answer": "Không trả lời",
  "rule.dimension": "Hỏi thông tin",
  "rule.entries": "Cho chọn câu",
  "rule.no_answer_help": "Covan nói là chưa biết và mời sinh viên gặp cố vấn, dù có câu nào gần giống.",
  "rule.dimension_help": "Covan hỏi thông tin này trước; biết rồi thì trả lời như bình thường.",
  "rule.entries_help": "Covan đưa các câu này cho sinh viên chọn. Chọn từ 2 đến 6 câu.",
  "rule.ask_for": "Hỏi sinh viên về",
  "rule.choices": "Các câu để chọn",
  "rule.variants": "Cách hỏi khác, mỗi dòng một câu",
  "rule.variants_help":
    "Quy tắc chỉ dùng cho đúng những câu chữ này (có dấu hay không dấu đều được), không dùng cho câu hỏi khác gần giống.",
  "rule.publish": "Đăng quy tắc",
  "rule.done": "Đã đăng quy tắc. Từ cuộc trò chuyện sau, ai hỏi đúng những câu chữ ấy thì Covan theo đó.",
  "rule.conflict": "Câu hỏi này đã có quy tắc khác",
  "rule.conflict_text": "Người khác đã đặt quy tắc dưới đây. Thay bằng quy tắc của bạn, hay giữ nguyên?",
  "rule.replace": "Thay quy tắc đó",
  "rule.keep": "Giữ nguyên",
};

type CorrectionKey = keyof typeof vi;

const en: Record<CorrectionKey, string> = {
  "correct.open": "Is this answer wrong? Correct it",
  "corrected.mark": "Corrected",
  "corrected.entry": "{name} corrected it at {at}. The right entry:",
  "corrected.rule": "{name} made a rule for it at {at}.",
  "correct.title": "What is right?",
  "correct.wording": "The question",
  "correct.wording_help":
    "From now on who asks this gets what you choose. You may put it in other words; it must make sense by itself, without personal data.",
  "correct.also": "Use it for these, too",
  "correct.own": "The student's own words: “{text}”",
  "correct.in_full": "As Covan read it, with what was spoken of before: “{text}”",
  "correct.remember": "Remember these words when a student goes on after “{question}”",
  "correct.follow_up":
    "“{text}” goes on with what was spoken of before. By itself it does not say what is asked, and whoever writes it about another matter would get what you choose, too. Write the question in full.",
  "correct.considered": "Covan has considered these",
  "correct.other": "Search the existing entries",
  "correct.none_fits": "None is right?",
  "correct.new": "Write a new answer",
  "correct.no_answer_fits": "Should it not be answered right away?",
  "correct.refuse": "Do not answer",
  "correct.ask_back": "Ask back",
  "rule.title": "A rule for this question",
  "rule.question": "The question",
  "rule.outcome": "Whoever asks this, Covan",
  "rule.answer": "Answers with an entry",
  "rule.answer_help": "The right answer is that of this entry.",
  "rule.answer_by": "The right entry",
  "rule.no_answer": "Does not answer",
  "rule.dimension": "Asks for a detail",
  "rule.entries": "Offers a choice",
  "rule.no_answer_help": "Covan says that it does not know and offers an advisor, whatever entry is near.",
  "rule.dimension_help": "Covan asks for this first; once it is known, it answers as usual.",
  "rule.entries_help": "Covan lets the student choose between these. Choose 2 to 6 of them.",
  "rule.ask_for": "Ask the student for",
  "rule.choices": "The entries to choose from",
  "rule.variants": "Other wordings, one a line",
  "rule.variants_help":
    "The rule holds for just these words (with or without diacritics), not for other questions that are similar.",
  "rule.publish": "Publish the rule",
  "rule.done": "Published. From the next conversation on, Covan goes by the rule for just these words.",
  "rule.conflict": "This question has another rule",
  "rule.conflict_text": "Somebody else made the rule below. Put yours in its place, or keep it?",
  "rule.replace": "Replace that rule",
  "rule.keep": "Keep it",
};

const SAY = { vi: saying(vi), en: saying(en) };

/** Return the function that says these texts in the language of the page. */
export const useCorrectionTexts = () => SAY[useTexts().language];
