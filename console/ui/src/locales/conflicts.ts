import type { Language } from "../texts";

const vi = {
  text: "Bản của bạn vẫn còn nguyên; bên cạnh là bản đang lưu, chỗ khác nhau có tô màu. Sửa tiếp bản của bạn rồi lưu thì bản của bạn thay cho bản kia.",
  theirs: "Bản đang lưu",
  load_theirs: "Bỏ bản của tôi, lấy bản đang lưu",
  show_theirs: "xem lại",
  saved_by_nobody: "Không rõ ai lưu.",
  account: "Tài khoản này vừa được người khác sửa",
  account_listed:
    "Tài khoản này vừa được người khác sửa. Danh sách đã được cập nhật, hãy xem lại rồi bấm lại.",
  first_sign_ins: "Quy tắc cấp tài khoản vừa được người khác sửa",
  state: "Trạng thái",
  untouched: "(bạn không đổi ở đây)",
  password: "Mật khẩu",
  my_password: "(mật khẩu bạn vừa nhập)",
  their_password: "(mật khẩu khác, vừa được đổi)",
  threshold: "Mức sai vừa được người khác chọn lại",
  choice: "Chấp nhận sai",
  choice_before: "lựa chọn trước",
};

type Texts = Record<keyof typeof vi, string>;

const en: Texts = {
  text: "Your version is still there; beside it is the one that is kept now, and what differs is marked. Go on editing yours and save it, and it takes the place of the other one.",
  theirs: "What is kept now",
  load_theirs: "Drop mine, take what is kept",
  show_theirs: "look at it again",
  saved_by_nobody: "It is not known who saved it.",
  account: "Somebody has just changed this account",
  account_listed:
    "Somebody has just changed this account. The list is up to date now: look again, then press again.",
  first_sign_ins: "Somebody has just changed who gets an account",
  state: "State",
  untouched: "(you change nothing here)",
  password: "Password",
  my_password: "(the password that you typed)",
  their_password: "(another password, set just now)",
  threshold: "Somebody has just chosen another risk",
  choice: "Accepted risk",
  choice_before: "the choice before",
};

/** Texts of conflicts about what the console keeps itself; they come with the pages that show them. */
export const conflicts: Record<Language, Texts> = { vi, en };
