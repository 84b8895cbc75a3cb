import { Alert, Checkbox, Text } from "@mantine/core";
import { ApiError, type Settled } from "../api";
import { saying, timeText, useTexts } from "../texts";
import { plainText } from "./Markdown";

const HOW = {
  vi: saying({
    entry: "{name} đã đăng câu trả lời lúc {at}.",
    rule: "{name} đã đặt quy tắc cho câu hỏi lúc {at}.",
    aside: "{name} đã bỏ qua những câu này lúc {at}.",
  }),
  en: saying({
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
  const { say, language } = useTexts();
  const said = HOW[language];
  const { name, at, how, question, answer } = settled;
  return (
    <Alert color="orange" title={say("settled.title")} data-testid="already-settled">
      <Text size="sm" fw={550}>
        {said(how, { name, at: timeText(at, language) })}
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
        {say(isTold ? "settled.text_told" : "settled.text")}
      </Text>
      <Checkbox
        label={say("settled.confirm")}
        checked={known}
        onChange={(event) => know(event.currentTarget.checked)}
      />
    </Alert>
  );
}
