/** Texts of the import of cohorts, majors and programmes from a spreadsheet. */
import { saying, useTexts } from "../texts";

const vi = {
  open: "Nhập từ bảng tính",
  open_for: "{name}: nhập từ bảng tính",
  title: "{section}: {n} dòng trong bảng",
  help: "Ô trống không đổi gì; tên gọi khác được thêm vào những tên đã có. Chưa có gì được lưu cho đến khi bạn bấm nút bên dưới.",
  unread: "Không đọc các cột: {names}.",
  new: "Thêm mới",
  changed: "Sửa",
  same: "Đã có như vậy",
  row: "Dòng {n}",
  column: "Dòng {n}, cột {column}: {message}",
  no_column: "Dòng {n}: {message}",
  faulty: "{n} dòng có lỗi chưa nhập được. Sửa trong bảng rồi chọn lại tệp, hoặc nhập những dòng còn lại.",
  nothing: "Mọi dòng trong bảng đã có trong danh mục.",
  publish: "Lưu {n} mục",
  published: "Đã lưu {n} mục. Covan đang đọc lại, thường mất vài giây.",
  conflict:
    "Danh mục vừa được người khác sửa nên chưa lưu gì. Bấm So lại để xem bảng của bạn bên cạnh bản mới.",
  again: "So lại với danh mục",
  columns: "Không thấy dòng ghi tên các cột. Dòng đầu của bảng phải ghi tên cột, ít nhất là Mã hoặc Tên.",
  no_items: "Dưới dòng tên cột không có dòng nào.",
};

export type CatalogueSheetKey = keyof typeof vi;

const en: Record<CatalogueSheetKey, string> = {
  open: "Import from a spreadsheet",
  open_for: "{name}: import from a spreadsheet",
  title: "{section}: {n} {n|row|rows} in the sheet",
  help: "An empty cell changes nothing; further names join those that are there. Nothing is saved before you press the button below.",
  unread: "Columns that are not read: {names}.",
  new: "New",
  changed: "Changed",
  same: "There already",
  row: "Row {n}",
  column: "Row {n}, column {column}: {message}",
  no_column: "Row {n}: {message}",
  faulty:
    "{n} {n|row has|rows have} a fault and cannot be imported. Mend the sheet and choose the file again, or import the others.",
  nothing: "The catalogue has every row of the sheet already.",
  publish: "Save {n} {n|item|items}",
  published: "{n} {n|item|items} saved. Covan reads the school again, usually within seconds.",
  conflict:
    "Somebody has just changed the catalogue, so nothing was saved. Compare again to see your sheet beside what stands there now.",
  again: "Compare again",
  columns: "No row names the columns. The first row must, with at least Mã or Tên (id or name).",
  no_items: "There is no row below the names of the columns.",
};

const SAY = { vi: saying(vi), en: saying(en) };

export const useCatalogueSheetTexts = () => SAY[useTexts().language];
