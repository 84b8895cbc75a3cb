/** Texts of the knowledge graph: they come with its page. */
import { saying, useTexts } from "../texts";

const vi = {
  title: "Đồ thị tri thức",
  intro: "{nodes} mục và {edges} liên hệ mà Covan đọc được từ danh mục, bảng và văn bản của trường.",
  tab: "Đồ thị",
  problems_tab: "Cần sửa",
  search: "Tìm theo tên hoặc mã",
  types: "Loại",
  every_type: "Mọi loại",
  topic: "Chủ đề",
  every_topic: "Mọi chủ đề",
  more_found: "Còn {n} mục nữa: gõ thêm chữ hoặc chọn loại để thu hẹp.",
  nothing: "Không có mục nào",
  nothing_text: "Thử tên khác, mã (ví dụ mã học phần), hoặc bỏ bớt bộ lọc.",
  choose: "Chọn một mục để xem nó liên hệ với những gì",
  choose_text:
    "Bấm vào một mục ở danh sách, hoặc tìm theo tên. Trong hình: bấm để xem, bấm đúp để mở rộng, lăn chuột để phóng to.",
  picture: "Hình vẽ {n} mục của đồ thị; danh sách bên dưới có cùng nội dung",
  expand: "Mở rộng",
  names: "Tên khác",
  valid: "Hiệu lực",
  from: "từ {day}",
  to: "đến {day}",
  found_by: "Lấy từ",
  "found_by.catalog": "danh mục (catalog.yml)",
  "found_by.table": "bảng (courses/)",
  "found_by.entities": "tệp entities/",
  "found_by.metadata": "thông tin của văn bản",
  "found_by.rule": "câu chữ trong văn bản",
  "found_by.model": "mô hình ngôn ngữ",
  source: "Căn cứ",
  open_place: "Mở căn cứ: {place}",
  open_document: "Xem cả văn bản",
  open_web: "Mở trang gốc",
  alone: "Mục này không liên hệ với mục nào đang còn hiệu lực.",
  show_all: "Xem cả {n} mục",
  none: "Chưa có đồ thị",
  none_text:
    "Covan vẫn trả lời từ câu hỏi có sẵn và văn bản. Đồ thị được dựng cùng chỉ mục: nhờ người vận hành chạy covan index.",
  fine: "Không có gì phải sửa",
  fine_text:
    "Mọi liên hệ đều dẫn đến một mục có thật, không câu nào còn dựa vào văn bản đã hết hiệu lực, đơn vị nào cũng có cách liên lạc.",
  "check.dangling": "Dẫn đến mục không có",
  "check.superseded": "Văn bản đã bị thay thế",
  "check.outdated": "Câu hỏi có nguồn hết hiệu lực",
  "check.contact": "Thiếu liên lạc",
  "check.cycle": "Học trước vòng tròn",
  "check_help.dangling": "Sửa tên hoặc mã trong tệp của trường, hoặc thêm mục còn thiếu.",
  "check_help.superseded": "Xem lại điều khoản còn dẫn văn bản cũ.",
  "check_help.outdated":
    "Đây là những câu mà trang Câu hỏi có sẵn ghi Cần rà soát. Mở câu, sửa căn cứ và câu trả lời.",
  "check_help.contact":
    "Thêm điện thoại hoặc email cho đơn vị trong danh mục, thay chỗ còn viết trong dấu <…>. Trang Bắt đầu cũng đếm những phòng, ban này.",
  "check_help.cycle": "Không ai học được các môn này: xem lại cột học phần học trước.",
  left_out: "{n} câu trong văn bản không gắn được vào đồ thị",
  left_out_text:
    "Thường là văn bản gọi tắt một cơ quan (“Hội đồng”, “Trung tâm”). Không phải lỗi; thêm tên gọi tắt vào danh mục thì Covan nhận ra.",
};

type GraphKey = keyof typeof vi;

const en: Record<GraphKey, string> = {
  title: "Knowledge graph",
  intro:
    "{nodes} {nodes|item|items} and {edges} {edges|relation|relations} that Covan has read from the school's catalogue, tables and documents.",
  tab: "Graph",
  problems_tab: "To mend",
  search: "Search by name or code",
  types: "Type",
  every_type: "Every type",
  topic: "Topic",
  every_topic: "Every topic",
  more_found: "{n} more {n|item|items}: type more, or choose a type.",
  nothing: "No such item",
  nothing_text: "Try another name, a code (of a course, for example), or fewer filters.",
  choose: "Choose an item to see what it is related to",
  choose_text:
    "Click an item in the list, or search by name. In the picture: click to look, double-click to expand, scroll to zoom.",
  picture: "A drawing of {n} {n|item|items} of the graph; the list below has the same content",
  expand: "Expand",
  names: "Other names",
  valid: "In force",
  from: "from {day}",
  to: "until {day}",
  found_by: "Taken from",
  "found_by.catalog": "the catalogue (catalog.yml)",
  "found_by.table": "a table (courses/)",
  "found_by.entities": "a file of entities/",
  "found_by.metadata": "the document's metadata",
  "found_by.rule": "the words of a document",
  "found_by.model": "a language model",
  source: "Source",
  open_place: "Open the source: {place}",
  open_document: "See the whole document",
  open_web: "Open the original page",
  alone: "This item has no relation that is in force.",
  show_all: "Show all {n}",
  none: "There is no graph yet",
  none_text:
    "Covan still answers from the FAQ and the documents. The graph is built with the index: ask the operator to run covan index.",
  fine: "There is nothing to mend",
  fine_text:
    "Every relation leads to an item, no entry rests on a document that is no longer in force, and every office can be reached.",
  "check.dangling": "Leads to nothing",
  "check.superseded": "Replaced document",
  "check.outdated": "Entries whose source is no longer in force",
  "check.contact": "No contact",
  "check.cycle": "Circle of prerequisites",
  "check_help.dangling": "Mend the name or the code in the school's file, or add the missing item.",
  "check_help.superseded": "Look at the clause that still names the old document.",
  "check_help.outdated":
    "These are the entries that the FAQ page has under To review. Open each, and mend its sources and its answer.",
  "check_help.contact":
    "Add a phone number or a mail address to the office in the catalogue, and fill in what still stands in <…>. The first steps count these offices, too.",
  "check_help.cycle": "Nobody could take these courses: look at the column of prerequisites.",
  left_out: "{n} {n|statement of a document is|statements of documents are} not in the graph",
  left_out_text:
    "Usually a document calls a body by half a name (“the Council”, “the Centre”). That is no fault; with the short name in the catalogue Covan knows it.",
};

const SAY = { vi: saying(vi), en: saying(en) };

/** Return the function that says these texts in the language of the page. */
export const useGraphTexts = () => SAY[useTexts().language];

/** Return the text of a key that is put together, or `otherwise` when there is none. */
export function sayOfGraph(say: (key: GraphKey) => string, key: string, otherwise: string): string {
  return key in vi ? say(key as GraphKey) : otherwise;
}
