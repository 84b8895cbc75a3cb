/** Texts of the places where a contact that was changed in the catalogue still stands: they come with its page. */
import { saying, useTexts } from "../texts";

const vi = {
  title: "Số hay địa chỉ cũ còn ở {count} chỗ",
  text: "Sinh viên còn đọc thấy số cũ ở những chỗ này.",
  ways: "Hãy đổi hết một lần, hoặc mở từng chỗ để sửa.",
  entry: "Câu hỏi",
  fact: "Số liệu",
  document: "Văn bản",
  more: "và {n} chỗ nữa",
  change_all: "Đổi hết",
  by_hand:
    "Covan không biết số nào thay cho số nào (một ô có nhiều số cùng đổi, hoặc số cũ bị bỏ hẳn): hãy mở từng chỗ để sửa.",
  preview: "Xem từng câu trước và sau. Bỏ chọn những chỗ không muốn đổi.",
  before: "Trước",
  after: "Sau",
  stay: "Giữ nguyên: lời của văn bản",
  stay_text:
    "Văn bản được trích nguyên văn nên Covan không sửa lời của chúng. Khi nơi ban hành có bản mới thì tải lên thay.",
  nothing: "Không còn câu trả lời hay số liệu nào ghi số cũ.",
  change: "Đổi {n} chỗ",
  changed: "Đã đổi {n} chỗ. Covan dùng số mới ngay.",
  conflict: "Có người vừa sửa một trong những chỗ này",
  seen: "Xem lại từ đầu",
};

const en: typeof vi = {
  title: "The old number or address still stands in {count} {count|place|places}",
  text: "Students still read the old one there.",
  ways: "Change them all at once, or open each.",
  entry: "Question",
  fact: "Fact",
  document: "Document",
  more: "and {n} more",
  change_all: "Change them all",
  by_hand:
    "Covan cannot tell which number replaces which (several of a field have changed, or the old one is gone): open each place and change it.",
  preview: "See each sentence before and after. Take the mark from places that are to stay.",
  before: "Before",
  after: "After",
  stay: "These stay: the words of documents",
  stay_text:
    "Documents are quoted word for word, so Covan does not change them. Upload the new one when its issuer has one.",
  nothing: "No answer and no fact has the old one any longer.",
  change: "Change {n} {n|place|places}",
  changed: "{n} {n|place|places} changed. Covan uses the new one now.",
  conflict: "Somebody has just changed one of these",
  seen: "Look again",
};

const SAY = { vi: saying(vi), en: saying(en) };

export const useOldContactTexts = () => SAY[useTexts().language];
