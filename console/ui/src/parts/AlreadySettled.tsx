import { Alert, Checkbox, Text } from "@mantine/core";
import { ApiError, type Settled } from "../api";
import { saying, timeText, useTexts } from "../texts";
import { plainText } from "./Markdown";

const SAY = {
  vi: saying({
    title: "Đồng nghiệp vừa trả lời những câu này",
    text: "Hai câu trả lời cho cùng một câu hỏi sẽ tranh nhau. Bạn có thể đóng khung này và sửa câu của đồng nghiệp trong mục Câu hỏi có sẵn.",
    text_told:
      "Sinh viên đã hỏi có thể đã nhận câu trả lời đó, và sẽ nhận thêm câu của bạn. Bạn có thể đóng khung này và sửa câu của đồng nghiệp trong mục Câu hỏi có sẵn.",
    confirm: "Tôi đã xem và vẫn muốn đăng câu của tôi",
    entry: "{name} đã đăng câu trả lời lúc {at}.",
    rule: "{name} đã đặt quy tắc cho câu hỏi lúc {at}.",
    aside: "{name} đã bỏ qua những câu này lúc {at}.",
  }),
  en: saying({
    title: "A colleague has just answered these questions",
    text: "Two answers to one question compete with each other. You can close this form and change your colleague's entry on the page of the FAQ.",
    text_told:
      "The students who asked may have that answer already, and would get yours as well. You can close this form and change your colleague's entry on the page of the FAQ.",
    confirm: "I have seen it and still want to publish mine",
    entry: "{name} published an answer at {at}.",
    rule: "{name} made a rule for the question at {at}.",
    aside: "{name} set these questions aside at {at}.",
  }),
};

/** Who has settled the questions of a group meanwhile, as the refusal tells. */
export function settledBy(error: Error | null): Settled | undefined {
  return error instanceof ApiError && error.code === "already_settled"
    ? (error.detail.settled as Settled)
    : undefined;
}

/** A colleague's answer to the same questions: whoever publishes another one says that they have seen it. */
export function AlreadySettled({
  settled,
  isTold,
  known,
  know,
}: {
  settled: Settled;
  /** Whether the students who asked are to get this answer. */
  isTold: boolean;
  known: boolean;
  know: (known: boolean) => void;
}) {
  const { language } = useTexts();
  const say = SAY[language];
  const { name, at, how, question, answer } = settled;
  return (
    <Alert color="orange" title={say("title")} data-testid="already-settled">
      <Text size="sm" fw={550}>
        {say(how, { name, at: timeText(at, language) })}
      </Text>
      {question && (
        <Text size="sm" mt={6}>
          {question}
        </Text>
      )}
      {answer && (
        <Text size="sm" c="dimmed" lineClamp={4}>
          {plainText(answer)}
        </Text>
      )}
      <Text size="sm" my={6}>
        {say(isTold ? "text_told" : "text")}
      </Text>
      <Checkbox
        label={say("confirm")}
        checked={known}
        onChange={(event) => know(event.currentTarget.checked)}
      />
    </Alert>
  );
}
