/** Texts of the page that publishes several drafts: they come with it. */
import { saying, useTexts } from "../texts";

const vi = {
  title: "Bản nháp",
  intro:
    "Mọi bản nháp đang giữ. Chọn những bản đã duyệt để hỏi thử cùng nhau, rồi đăng thành một phiên bản: hoàn tác một lần là hoàn tác hết.",
  none: "Chưa có bản nháp nào",
  none_text:
    "Bấm “Lưu nháp” khi đang soạn câu trả lời, số liệu, công thức, văn bản, chủ đề hay danh mục: bản nháp sẽ chờ ở đây để người khác duyệt.",
  kind: "Loại",
  "kind.entry": "Câu trả lời",
  "kind.fact": "Số liệu",
  "kind.calculator": "Công thức",
  "kind.document": "Văn bản",
  "kind.topic": "Chủ đề",
  "kind.part": "Danh mục",
  choose: "Chọn {name}",
  choose_all: "Chọn mọi bản đã duyệt",
  why_not: "Chỉ chọn được bản đã duyệt mà bản gốc chưa đổi. Bấm vào tên để mở bản nháp.",
  most: "Mỗi lần đăng được nhiều nhất {n} bản nháp.",
  choose_first: "Chọn những bản nháp muốn đăng.",
  chosen: "Đã chọn {n} bản nháp",
  publish: "Đăng {n} bản nháp",
  publish_text:
    "{n} bản nháp được đăng cùng lúc thành một phiên bản: đăng hết, hoặc không bản nào. Có thể hoàn tác ở trang Phiên bản.",
  confirm: "Đăng",
  done: "Đã đăng {n} bản nháp. Covan trả lời được ngay.",
  done_building:
    "Đã đăng {n} bản nháp. Covan đang đọc lại kiến thức của trường; sinh viên nhận câu trả lời mới sau ít giây.",
  told: "{n} sinh viên đang chờ đã nhận được câu trả lời.",
  untold: "{n} sinh viên không nhận được câu trả lời (đã xóa cuộc trò chuyện, hoặc kênh không cho gửi nữa).",
  undo: "Xem phiên bản này, hoặc hoàn tác",
  changed: "Bản gốc của {n} bản nháp đã đổi. Chưa có bản nào được đăng.",
  changed_text:
    "Mỗi bản nháp đứng cạnh bản đang có trong tệp, chỗ khác nhau có tô màu. Mở bản nháp để xem lại rồi duyệt lần nữa; những bản còn lại vẫn đăng được.",
  mine: "Bản nháp",
  theirs: "Đang có",
  gone: "Bản gốc không còn.",
  open: "Mở bản nháp",
  not_reviewed: "Chưa ai duyệt: {names}. Chưa có bản nào được đăng.",
  same_part: "Những bản nháp này sửa cùng một mục: {names}. Hãy bỏ chọn bớt.",
  draft_conflict:
    "Có người vừa lưu hoặc duyệt lại một bản nháp đã chọn. Danh sách đã được cập nhật, hãy chọn lại.",
  no_kept_draft: "Một bản nháp đã chọn vừa được đăng hoặc bỏ. Danh sách đã được cập nhật, hãy chọn lại.",
};

type TogetherKey = keyof typeof vi;

const en: Record<TogetherKey, string> = {
  title: "Drafts",
  intro:
    "All drafts that are kept. Choose reviewed ones to try them together, and publish them as one version, which one step undoes.",
  none: "No drafts yet",
  none_text:
    "Press “Save draft” while you write an answer, a fact, a calculator, a document, a topic or an item of the catalogue: the draft waits here to be reviewed.",
  kind: "Kind",
  "kind.entry": "Answer",
  "kind.fact": "Fact",
  "kind.calculator": "Calculator",
  "kind.document": "Document",
  "kind.topic": "Topic",
  "kind.part": "Catalogue",
  choose: "Choose {name}",
  choose_all: "Choose all reviewed ones",
  why_not:
    "Only reviewed drafts can be chosen, of what has not changed since. Press the name to open a draft.",
  most: "At most {n} drafts are published at a time.",
  choose_first: "Choose the drafts to publish.",
  chosen: "{n} {n|draft|drafts} chosen",
  publish: "Publish {n} {n|draft|drafts}",
  publish_text:
    "{n} {n|draft is|drafts are} published together as one version: all of them, or none. You can undo it on the page Versions.",
  confirm: "Publish",
  done: "{n} {n|draft|drafts} published. Covan answers with them now.",
  done_building:
    "{n} {n|draft|drafts} published. Covan reads the school's knowledge again; students get the new answers in a few seconds.",
  told: "{n} {n|student|students} who waited got the answer.",
  untold: "{n} {n|student|students} did not get the answer (conversation deleted, or the channel is closed).",
  undo: "Look at this version, or undo it",
  changed: "{n} {n|draft is|drafts are} of something that has changed since. Nothing was published.",
  changed_text:
    "Each draft stands beside what the file has now, with the differences marked. Open the draft, look at it and have it reviewed again; the others can be published all the same.",
  mine: "Draft",
  theirs: "In the file now",
  gone: "It is gone from its file.",
  open: "Open the draft",
  not_reviewed: "Nobody has reviewed: {names}. Nothing was published.",
  same_part: "These drafts change the same thing: {names}. Choose one of them.",
  draft_conflict:
    "Somebody has just saved or reviewed one of these drafts. The list is up to date now: choose again.",
  no_kept_draft:
    "One of these drafts has just been published or discarded. The list is up to date now: choose again.",
};

const SAY = { vi: saying(vi), en: saying(en) };

/** Return the function that says these texts in the language of the page. */
export const useTogetherTexts = () => SAY[useTexts().language];
