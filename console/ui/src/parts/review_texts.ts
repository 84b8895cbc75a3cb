/** Texts about who is in charge of something and when it was last reviewed. */
import { saying, useTexts } from "../texts";

const vi = {
  due: "Chưa rà soát trong {days} ngày qua: {n}",
  reviewed: "Rà soát {day}",
  never: "Chưa rà soát lần nào",
  title: "Phụ trách và rà soát",
  change: "Ghi phụ trách, ngày rà soát",
  of: "Ghi cho",
  of_this: "Chỉ số liệu này",
  of_group: "Mọi số liệu trong {name}",
  of_help:
    "Mỗi số liệu theo phòng được ghi gần nó nhất, và ngày rà soát mới nhất của nó hay của nhóm chứa nó.",
  saved: "Đã ghi phụ trách và ngày rà soát.",
  conflict: "Phụ trách hoặc ngày rà soát này vừa được người khác ghi",
};

export type ReviewKey = keyof typeof vi;

const en: Record<ReviewKey, string> = {
  due: "Not reviewed in the last {days} days: {n}",
  reviewed: "Reviewed {day}",
  never: "Never reviewed",
  title: "In charge, and review",
  change: "Note who is in charge, and the review",
  of: "Holds for",
  of_this: "This fact alone",
  of_group: "All facts in {name}",
  of_help:
    "A fact follows the office that is noted nearest to it, and the latest review of it or of a group it is in.",
  saved: "Noted.",
  conflict: "Somebody has just noted another office or review",
};

const SAY = { vi: saying(vi), en: saying(en) };

export const useReviewTexts = () => SAY[useTexts().language];
