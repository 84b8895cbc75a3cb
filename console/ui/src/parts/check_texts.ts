/** Texts of the checks before publishing: they come with the pages that have one. */
import { saying, useTexts } from "../texts";

const vi = {
  same: "{all} câu hỏi đã kiểm: không câu nào đổi",
  changed: "{all} câu hỏi đã kiểm: {n} câu trả lời thay đổi, {lost} thành từ chối",
  right: "đúng",
  wrong: "sai",
  before: "Đang trả lời",
  after: "Sẽ trả lời",
  whole: "Xem cả hai câu trả lời",
  short: "Thu gọn",
  none: "Trường chưa có câu hỏi đã kiểm nào để hỏi thử. Mỗi câu được sửa trong trang Trò chuyện sẽ thành một câu; ở trang Câu hỏi có sẵn thì thêm tay được.",
  begin: "Xem câu hỏi nào đổi",
  again: "Kiểm tra lại",
  building:
    "Covan đang đọc cả trường với thay đổi này, thường khoảng một phút. Sinh viên chưa thấy gì. Rời trang này cũng được: kết quả chờ bạn ở đây.",
  asking: "Đang hỏi các câu hỏi đã kiểm: {asked}/{questions}.",
  stop: "Thôi kiểm tra",
  failed: "Chưa kiểm tra được. Trường vẫn như cũ, và những gì bạn viết vẫn còn.",
  done: "Kiểm tra lúc {at}. Chưa đăng: sinh viên vẫn nhận câu trả lời cũ.",
  outdated: "Kiến thức của trường đã thay đổi từ lúc kiểm tra, nên kiểm tra lại.",
  other: "Lần kiểm tra lúc {at} là của một thay đổi khác với những gì đang ghi ở đây.",
  refill: "Điền lại thay đổi đó",
  other_set: "Lần kiểm tra lúc {at} là của những bản nháp khác với những bản đang chọn.",
  refill_set: "Chọn lại những bản nháp đó",
  drop: "Bỏ kết quả này",
  "kept.under_way": "Đang kiểm tra trước khi đăng: {name}",
  "kept.done": "Đã kiểm tra, chưa đăng: {name}. {n} câu trả lời thay đổi, {lost} thành từ chối.",
  "kept.failed": "Chưa kiểm tra được: {name}",
  "kept.removal": "xóa {name}",
  "kept.look": "Xem",
};

type CheckKey = keyof typeof vi;

const en: Record<CheckKey, string> = {
  same: "{all} checked {all|question|questions}: none changes",
  changed:
    "{all} checked {all|question|questions}: {n} {n|answer changes|answers change}, {lost} {lost|becomes a refusal|become refusals}",
  right: "right",
  wrong: "wrong",
  before: "Answered now",
  after: "Answered then",
  whole: "Show both answers in full",
  short: "Show less",
  none: "The school has no checked questions to ask yet. Each question that is corrected on the Conversations page becomes one; on the FAQ page you can add some by hand.",
  begin: "See which questions change",
  again: "Check again",
  building:
    "Covan is reading the whole school with this change, usually for about a minute. Students see nothing of it yet. You may leave this page: the result waits for you here.",
  asking: "Asking the checked questions: {asked} of {questions}.",
  stop: "Stop the check",
  failed: "This could not be checked. The school is as it was, and what you have written is still here.",
  done: "Checked at {at}. Not published: students still get the answers of before.",
  outdated: "The school's knowledge has changed since the check; check again.",
  other: "The check of {at} was of another change than the one written here.",
  refill: "Fill in that change again",
  other_set: "The check of {at} was of other drafts than those chosen.",
  refill_set: "Choose those drafts again",
  drop: "Drop this result",
  "kept.under_way": "Being checked before publishing: {name}",
  "kept.done":
    "Checked, not published: {name}. {n} {n|answer changes|answers change}, {lost} {lost|becomes a refusal|become refusals}.",
  "kept.failed": "Could not be checked: {name}",
  "kept.removal": "removal of {name}",
  "kept.look": "Look",
};

const SAY = { vi: saying(vi), en: saying(en) };

/** Return the function that says these texts in the language of the page. */
export const useCheckTexts = () => SAY[useTexts().language];
