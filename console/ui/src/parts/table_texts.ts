/** Why an uploaded table cannot be used: the texts come with the pages that take one. */
import { ApiError } from "../api";
import { saying, useTexts } from "../texts";
import { errorText } from "./parts";

const vi = {
  kind: "Chỉ nhập được tệp Excel (.xlsx) hoặc .csv. Tệp .xls thì mở ra và lưu thành .xlsx.",
  empty: "Bảng không có dòng nào có câu hỏi hay câu trả lời.",
  rows: "Bảng có hơn 1.000 dòng. Hãy chia thành nhiều tệp.",
  damaged: "Tệp hỏng hoặc không đúng loại. Hãy mở bằng Excel và lưu lại.",
  encoding: "Không đọc được chữ trong tệp. Hãy mở bằng Excel và lưu thành CSV UTF-8.",
  workbook:
    "Đây là tệp Excel (có thể chỉ đổi đuôi thành .csv). Hãy mở bằng Excel, chọn Lưu thành (Save As), loại CSV UTF-8, rồi tải lên lại.",
  binary:
    "Tệp này không phải bảng chữ (có thể là ảnh, PDF hay tệp nén). Hãy lưu bảng thành CSV UTF-8 rồi tải lên lại.",
  large: "Tệp quá lớn khi mở ra.",
  new_topics: "Chủ đề trường chưa có",
  new_topics_help:
    "Chọn thì chủ đề được tạo cùng lúc đăng; trước đó hãy xem trong danh sách có chủ đề nào cùng nghĩa không.",
  new_topic: "Tạo chủ đề “{name}” ({n} dòng)",
  published_topics: "Đã đăng {n} câu với chủ đề mới. Covan trả lời được sau vài giây.",
  same: "Cùng câu hỏi với dòng {lines}: chọn một",
  refused: "Không dùng được tệp {file}",
};

const en: Record<keyof typeof vi, string> = {
  kind: "Only Excel files (.xlsx) and .csv can be imported. Open an .xls and save it as .xlsx.",
  empty: "The sheet has no row with a question or an answer.",
  rows: "The sheet has more than 1,000 rows. Divide it.",
  damaged: "The file is damaged or of another kind. Open it in Excel and save it again.",
  encoding: "The text of the file cannot be read. Open it in Excel and save it as CSV UTF-8.",
  workbook:
    "This is an Excel file (perhaps only renamed to .csv). Open it in Excel, choose Save As, the type CSV UTF-8, and upload it again.",
  binary:
    "This is no table of text (perhaps a picture, a PDF or an archive). Save the table as CSV UTF-8 and upload it again.",
  large: "The file is too large when unpacked.",
  new_topics: "Topics that the school does not have",
  new_topics_help:
    "Those that you choose are created as the rows are published. Look first whether the list has one that means the same.",
  new_topic: "Create the topic “{name}” ({n} {n|row|rows})",
  published_topics: "{n} {n|entry|entries} published with new topics. Covan answers by them in some seconds.",
  same: "Asks the same as row {lines}: choose one",
  refused: "The file {file} cannot be used",
};

const SAY = { vi: saying(vi), en: saying(en) };
const OF_TABLES = "sheet_";

/** Return the function that says these texts in the language of the page. */
export const useTableTexts = () => SAY[useTexts().language];

/** Return the function that says what is wrong with an uploaded table. */
export function useTableFault(): (error: Error) => string {
  const { say } = useTexts();
  const told = useTableTexts();
  return (error) => {
    const isOfTable = error instanceof ApiError && error.code.startsWith(OF_TABLES);
    const code = isOfTable ? error.code.slice(OF_TABLES.length) : "";
    return code in vi ? told(code as keyof typeof vi) : errorText(say, error);
  };
}
