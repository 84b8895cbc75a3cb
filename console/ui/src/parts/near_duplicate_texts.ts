/** Texts of the entries that nearly ask the same: they come with the page of the FAQ. */
import { saying, useTexts } from "../texts";

const vi = {
  chip: "Gần trùng ({n})",
  looking: "Đang tìm các câu gần trùng nhau; danh sách sẽ tự mới lại.",
  text: "Mỗi cặp hỏi gần như cùng một điều, cho cùng một số sinh viên: sinh viên có thể nhận câu này hoặc câu kia. Hãy gộp lại, hoặc mở ra sửa cho rõ khác nhau.",
  none: "Không có cặp nào gần trùng",
  none_text:
    "Khi hai câu hỏi gần như cùng một điều cho cùng một số sinh viên, chúng sẽ hiện ở đây cạnh nhau.",
  differing: "Đã xét là khác nhau ({n})",
  likeness: "Giống nhau {percent}",
  alike: "và {n} cặp nữa cùng hai câu hỏi này, cho những sinh viên khác",
  for_all: "Cho mọi sinh viên",
  for_some: "Cho: {students}",
  variants: "Cách hỏi khác: {variants}",
  open: "Mở",
  keep: "Giữ câu này, gộp câu kia vào",
  keep_text:
    "Câu “{gone}” sẽ bị xóa. Các cách hỏi và câu hỏi đã kiểm của nó chuyển sang “{kept}”, và sinh viên nhận câu trả lời của câu này.",
  keep_undo: "Có thể hoàn tác ở trang Phiên bản.",
  keep_not: "Câu này không dành cho mọi sinh viên của câu kia nên không gộp câu kia vào đây được.",
  merge: "Gộp",
  merged: "Đã gộp. Covan trả lời được ngay.",
  differ: "Hai câu này khác nhau",
  differ_done: "Đã ghi: cặp này không hiện nữa.",
  alike_again: "Hiện lại cặp này",
  alike_done: "Cặp này hiện lại.",
  conflict: "Có người vừa sửa một trong hai câu",
  fewer_students:
    "Câu được giữ không dành cho mọi sinh viên của câu kia: một số sinh viên sẽ không có câu trả lời.",
  too_many_wordings: "Cộng lại có quá nhiều cách hỏi. Hãy bớt đi trước khi gộp.",
};

const en: typeof vi = {
  chip: "Nearly the same ({n})",
  looking: "Entries that nearly ask the same are being looked for; the list renews itself.",
  text: "The entries of a pair nearly ask the same, for some of the same students, who may get either answer. Merge them, or open and change them so that they differ clearly.",
  none: "No entries that nearly ask the same",
  none_text:
    "Two entries that nearly ask the same, for some of the same students, will stand here side by side.",
  differing: "Found to differ ({n})",
  likeness: "Alike by {percent}",
  alike: "and {n} more {n|pair|pairs} with the same two questions, for other students",
  for_all: "For all students",
  for_some: "For: {students}",
  variants: "Other wordings: {variants}",
  open: "Open",
  keep: "Keep this one, merge the other into it",
  keep_text:
    "“{gone}” is removed. Its wordings and checked questions go to “{kept}”, whose answer students get from then on.",
  keep_undo: "You can undo it on the page Versions.",
  keep_not: "This one is not for all students of the other, so the other cannot be merged into it.",
  merge: "Merge",
  merged: "Merged. Covan answers with it now.",
  differ: "These differ",
  differ_done: "Noted: this pair is not shown again.",
  alike_again: "Show this pair again",
  alike_done: "This pair is shown again.",
  conflict: "Somebody has just changed one of the two",
  fewer_students: "The one to keep is not for all students of the other: some of them would have no answer.",
  too_many_wordings: "Together they have too many wordings. Take some away first.",
};

const SAY = { vi: saying(vi), en: saying(en) };

export const useNearDuplicateTexts = () => SAY[useTexts().language];
