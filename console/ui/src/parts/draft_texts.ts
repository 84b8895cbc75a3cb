/** Texts of kept drafts: they come with the pages that have some. */
import { saying, useTexts } from "../texts";

const vi = {
  all: "Tất cả",
  list: "Bản nháp đang giữ: {n}",
  together: "Đăng nhiều bản cùng lúc",
  no_draft: "Không đặt bản nào",
  state: "Trạng thái",
  "state.draft": "Nháp",
  "state.reviewed": "Đã duyệt",
  author: "Người lưu",
  at: "Lưu lúc",
  keep: "Lưu nháp",
  saved_by: "{name} lưu lúc {at}.",
  reviewed_by: "{name} đã duyệt.",
  review: "Đánh dấu đã duyệt",
  save_first: "Bạn vừa sửa: lưu nháp trước rồi mới đánh dấu đã duyệt.",
  of_gone: "Mục mà bản nháp này sửa không còn trong tệp. Đăng thì thành một mục mới.",
  discard: "Bỏ bản nháp",
  discard_text: "Bản nháp bị xóa cho cả nhóm và không lấy lại được. Những gì đang đăng không đổi.",
  discarded: "Đã bỏ bản nháp.",
  conflict: "Bản nháp này vừa được người khác lưu hoặc duyệt",
  conflict_text:
    "Bản của bạn vẫn còn nguyên; bên cạnh là bản nháp đang được giữ, chỗ khác nhau có tô màu. Sửa tiếp bản của bạn rồi lưu thì bản của bạn thay cho bản kia.",
  theirs: "Bản nháp đang giữ",
  load_theirs: "Bỏ bản của tôi, lấy bản nháp đang giữ",
  "part.changed": "Bản gốc đã đổi",
  "part.gone": "Bản gốc không còn",
  name: "Bản nháp",
  kept_on_faq: "Đã lưu nháp ở trang Câu hỏi có sẵn. Covan chưa trả lời bằng bản này.",
  kept: "Đã lưu nháp, ở đầu trang này. Covan chưa trả lời bằng bản này.",
};

type DraftKey = keyof typeof vi;

const en: Record<DraftKey, string> = {
  all: "All",
  list: "Drafts: {n}",
  together: "Publish several at once",
  no_draft: "None",
  state: "State",
  "state.draft": "Draft",
  "state.reviewed": "Reviewed",
  author: "Saved by",
  at: "Saved at",
  keep: "Save draft",
  saved_by: "Saved by {name}, {at}.",
  reviewed_by: "Reviewed by {name}.",
  review: "Mark as reviewed",
  save_first: "You have changed it: save the draft before you mark it as reviewed.",
  of_gone: "What this draft changes is gone from its file. Published, it is added anew.",
  discard: "Discard draft",
  discard_text:
    "The draft is deleted for everybody and cannot be brought back. What is published stays as it is.",
  discarded: "Draft discarded.",
  conflict: "Somebody else has just saved or reviewed this draft",
  conflict_text:
    "Yours is still here; beside it is the draft as it is kept, with the differences marked. When you go on with yours and save it, it takes the place of the other.",
  theirs: "Draft as it is kept",
  load_theirs: "Drop mine, load the kept draft",
  "part.changed": "Changed since",
  "part.gone": "Gone since",
  name: "Draft",
  kept_on_faq: "Saved as a draft on the FAQ page. Covan does not answer with it yet.",
  kept: "Saved as a draft, at the top of this page. Covan does not answer with it yet.",
};

const SAY = { vi: saying(vi), en: saying(en) };

/** Return the function that says these texts in the language of the page. */
export const useDraftTexts = () => SAY[useTexts().language];
