/** Texts of invitations to people who try Covan out. */
import { saying, useTexts } from "../texts";

const vi = {
  open: "Mời người thử",
  intro:
    "Gửi đường dẫn cho đồng nghiệp hay vài sinh viên: họ trò chuyện với Covan mà không cần tài khoản. Những cuộc này để riêng, không tính vào số liệu, khoảng trống hay hộp thư.",
  open_draft: "Mời người thử bản nháp",
  what: "Người thử trò chuyện với",
  draft: "Bản nháp này",
  live: "Bản đang dùng",
  draft_help:
    "Bản nháp đúng như lúc tạo đường dẫn; câu nào bản đang dùng trả lời khác thì hiện bên dưới. Sinh viên chưa thấy gì.",
  live_help: "Covan đúng như sinh viên đang gặp, không có bản nháp.",
  build_help:
    "Covan đọc lại cả trường với bản nháp này trước, thường khoảng một phút. Gửi đường dẫn ngay cũng được: trang của người thử tự mở khi xong.",
  building: "đang đọc bản nháp…",
  failed: "không đọc được bản nháp",
  of_draft: "Bản nháp: {name}",
  of_live: "Bản đang dùng",
  title: "Mời ai",
  example: "Khoa CNTT, đợt thử tháng 9",
  days: "Số ngày",
  make: "Tạo đường dẫn",
  link: "Đường dẫn",
  once: "Chỉ hiện lần này. Chép lại rồi gửi cho người thử.",
  copy: "Chép",
  copied: "Đã chép",
  counts: "{testers} người, {turns} câu",
  until: "đến {at}",
  ended: "đã hết hạn {at}",
  show: "Xem",
  hide: "Ẩn",
  remove: "Hủy đường dẫn",
  remove_text: "Đường dẫn “{title}” không mở được nữa, và {n} câu đã hỏi bị xóa.",
  tester: "Người thử {n}",
};

export type InvitationKey = keyof typeof vi;

const en: Record<InvitationKey, string> = {
  open: "Invite testers",
  intro:
    "Send the link to colleagues or a few students: they chat with Covan without an account. These conversations are kept apart; figures, gaps and the inbox know nothing of them.",
  open_draft: "Invite testers to the draft",
  what: "Testers chat with",
  draft: "This draft",
  live: "What is live",
  draft_help:
    "The draft as it is when the link is made; where the live answer differs, it is shown below. Students see nothing of it.",
  live_help: "Covan as students meet it, without the draft.",
  build_help:
    "Covan first reads the whole school with this draft, about a minute as a rule. You may send the link at once: the testers' page opens by itself.",
  building: "the draft is being read…",
  failed: "the draft could not be read",
  of_draft: "Draft: {name}",
  of_live: "What is live",
  title: "For whom",
  example: "Faculty of IT, September",
  days: "Days",
  make: "Make a link",
  link: "Link",
  once: "Shown this once. Copy it and send it to the testers.",
  copy: "Copy",
  copied: "Copied",
  counts: "{testers} {testers|person|people}, {turns} {turns|question|questions}",
  until: "until {at}",
  ended: "ended {at}",
  show: "Show",
  hide: "Hide",
  remove: "Remove the link",
  remove_text:
    "The link “{title}” no longer opens, and the {n} {n|question|questions} asked there {n|is|are} deleted.",
  tester: "Tester {n}",
};

const SAY = { vi: saying(vi), en: saying(en) };

export const useInvitationTexts = () => SAY[useTexts().language];
