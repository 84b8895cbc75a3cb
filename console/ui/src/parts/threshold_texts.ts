/** Texts of the answering thresholds: they come with their page. */
import { saying, useTexts } from "../texts";

const vi = {
  tab: "Ngưỡng trả lời",
  intro:
    "Covan chỉ trả lời khi đủ chắc. Bạn chọn chấp nhận sai nhiều nhất bao nhiêu phần trăm câu trả lời; Covan tính ngưỡng giữ được mức ấy. Sai ít hơn thì trả lời được ít câu hơn.",
  current: "Đang giữ: sai nhiều nhất {risk}",
  current_text: "Chọn lúc {at}. Khi đo: trả lời {answered} trên {questions} câu, sai {wrong} câu.",
  shipped: "ngưỡng có sẵn",
  shipped_title: "Đang dùng ngưỡng có sẵn",
  shipped_text: "Trường chưa chọn mức sai nào.",
  use_shipped: "Dùng ngưỡng có sẵn",
  back: "Quay lại lựa chọn trước",
  back_done: "Đã quay lại lựa chọn trước, có hiệu lực từ câu hỏi sau.",
  measure: "Tải lên câu hỏi đã dán nhãn",
  measure_again: "Đo lại với tệp khác",
  measure_checked: "Xem thử với {n} câu hỏi đã kiểm",
  asking: "Đang hỏi Covan từng câu, thường mất một đến vài phút… ({name}, {at})",
  failed: "Chưa đo được",
  empty: "Cần một tệp câu hỏi đã dán nhãn",
  empty_text:
    "Lấy vài trăm câu sinh viên thật sự hỏi, không lấy lời trong câu có sẵn, và ghi câu nào phải trả lời bằng mục hay văn bản nào, rồi lưu thành CSV UTF-8. Cách ghi, và tên để ghi, ở ngay dưới đây.",
  measured: "Đo trên {n} câu của {file}, {name}, {at}.",
  measured_checked:
    "Đo trên {n} câu hỏi đã kiểm, {name}, {at}. Covan đã được sửa theo chính những câu này nên kết quả đẹp hơn thực tế: xem để biết đường cong, còn để cam kết thì cần câu hỏi dán nhãn riêng.",
  older: "Kiến thức đã thay đổi từ đó, nên đo lại.",
  curve: "Đường cong giữa tỉ lệ câu được trả lời và tỉ lệ sai",
  coverage: "Được trả lời (%)",
  error: "Trả lời sai (%)",
  slide: "Chấp nhận sai nhiều nhất",
  slide_help:
    "Thống nhất mức với phòng phụ trách trước khi xem kết quả: dò nhiều mức rồi lấy mức đẹp nhất thì lời cam kết yếu đi.",
  option: "Sai nhiều nhất {risk}: trả lời {coverage} câu hỏi",
  option_text:
    "Trên tệp này trả lời {answered} trên {questions} câu, sai {wrong} câu. Cam kết giữ được với độ tin cậy 90 %.",
  not_certified:
    "Tệp này chưa đủ để cam kết sai nhiều nhất {risk}. Hãy chọn mức cao hơn hoặc dán nhãn thêm câu hỏi.",
  choose: "Dùng mức này",
  change_text: "Từ câu hỏi sau, Covan dùng mức mới với mọi sinh viên.",
  chosen: "Đã đổi ngưỡng, có hiệu lực từ câu hỏi sau.",
};

const en: Record<keyof typeof vi, string> = {
  tab: "Threshold",
  intro:
    "Covan answers only when it is sure enough. You choose which share of answers may be wrong; Covan computes the threshold that keeps it. Fewer wrong answers mean fewer answers.",
  current: "Kept now: at most {risk} wrong",
  current_text:
    "Chosen at {at}. As measured: {answered} of {questions} {questions|question|questions} answered, {wrong} wrongly.",
  shipped: "the shipped threshold",
  shipped_title: "The shipped threshold is in use",
  shipped_text: "The school has chosen no share.",
  use_shipped: "Use the shipped threshold",
  back: "Back to the choice before",
  back_done: "The choice before holds again from the next question on.",
  measure: "Upload labelled questions",
  measure_again: "Measure with another file",
  measure_checked: "A first look with {n} checked {n|question|questions}",
  asking: "Asking Covan every question, usually one to a few minutes… ({name}, {at})",
  failed: "The measurement failed",
  empty: "A file of labelled questions is needed",
  empty_text:
    "Take a few hundred questions that students really asked, not wordings of the entries, and note which entry or document has to answer each; save them as CSV UTF-8. How to write it, and the names to write, are below.",
  measured: "Measured on {n} {n|question|questions} of {file}, {name}, {at}.",
  measured_checked:
    "Measured on {n} checked {n|question|questions}, {name}, {at}. Covan was corrected by these very questions, so the figures flatter: they show the curve; a promise needs labelled questions of its own.",
  older: "The knowledge has changed since; measure again.",
  curve: "Curve of the share answered and the share wrong",
  coverage: "Answered (%)",
  error: "Wrong (%)",
  slide: "Wrong at most",
  slide_help: "Agree on the share before you look: to try many and take the prettiest weakens the promise.",
  option: "At most {risk} wrong: {coverage} answered",
  option_text:
    "On this file {answered} of {questions} {questions|question|questions} {answered|is|are} answered, {wrong} wrongly. The promise holds with 90 % confidence.",
  not_certified:
    "This file is not enough to promise at most {risk} wrong. Choose a higher share or label more questions.",
  choose: "Use this",
  change_text: "From the next question on, this counts for every student.",
  chosen: "The threshold is changed, from the next question on.",
};

const SAY = { vi: saying(vi), en: saying(en) };

/** Return the function that says these texts in the language of the page. */
export const useThresholdTexts = () => SAY[useTexts().language];
