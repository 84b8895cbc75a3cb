import { Alert, Anchor, Checkbox, Group, Paper, Stack, Text } from "@mantine/core";
import { ApiError, type Dimension, type Entry, type Students } from "../api";
import { saying, useTexts } from "../texts";
import { studentsNamed } from "./AppliesTo";
import { AskFirst } from "./AskFirst";
import { EntryLines } from "./EntryLines";
import { useOpenedEntry } from "./opened_entry";

const SAY = {
  vi: saying({
    title: "Đã có {n} câu trả lời cho câu hỏi này",
    text: "Hai câu trả lời cho cùng một câu hỏi tranh nhau: sinh viên nhận câu nào cũng có thể. Nên sửa câu đã có; hoặc ghi rõ mỗi câu dành cho sinh viên nào.",
    for_all: "Cho mọi sinh viên",
    for_some: "Cho: {students}",
    look: "Xem câu này",
    instead: "Sửa câu ấy",
    instead_text: "Những gì bạn vừa viết cho câu này sẽ bị bỏ; muốn giữ thì bấm “Thôi” rồi “Lưu nháp” trước.",
    confirm: "Tôi đã xem, vẫn đăng câu này",
  }),
  en: saying({
    title: "{n} {n|entry answers|entries answer} this question already",
    text: "Two answers to one question compete: students may get either. Better change the one that is there, or say which students each is for.",
    for_all: "For all students",
    for_some: "For: {students}",
    look: "Look at it",
    instead: "Edit that entry instead",
    instead_text:
      "What you have written here will be dropped; to keep it, cancel and save it as a draft first.",
    confirm: "I have seen it, publish all the same",
  }),
};

/** An entry that has the question of the one that is to be published. */
export interface SameEntry {
  id: string;
  question: string;
  answer: string;
  applies_to: Students;
}

/** The entries with the same question, of which the server asks whether they are known. */
export function askedEntries(error: Error | null): SameEntry[] {
  const found = error instanceof ApiError && error.code === "same_question" ? error.detail.entries : [];
  return Array.isArray(found) ? (found as SameEntry[]) : [];
}

/** Entries that answer the question already: whoever publishes another answer says that they have seen them. */
export function SameQuestion({
  entries,
  dimensions,
  confirmed,
  confirm,
  editInstead,
}: {
  entries: SameEntry[];
  dimensions: Dimension[];
  confirmed: string[];
  confirm: (ids: string[]) => void;
  /** Drops what is written, and goes on with an entry that is there. */
  editInstead?: (entry: Entry) => void;
}) {
  const { language } = useTexts();
  const say = SAY[language];
  const opening = useOpenedEntry((entry) => editInstead?.(entry));
  if (!entries.length) return null;
  const ids = entries.map(({ id }) => id);
  return (
    <Alert color="orange" title={say("title", { n: ids.length })} data-testid="same-question">
      <Stack gap="xs">
        <Text size="sm">{say("text")}</Text>
        {entries.map(({ id, question, answer, applies_to }) => {
          const students = studentsNamed(applies_to, dimensions, language);
          return (
            <Paper key={id} withBorder p="xs" data-testid="same-entry">
              <EntryLines question={question} answer={answer} />
              <Text size="xs" mt={4}>
                {students ? say("for_some", { students }) : say("for_all")}
              </Text>
              <Group gap="sm" mt={4}>
                <Anchor href={`/faq/${encodeURIComponent(id)}`} target="_blank" size="sm">
                  {say("look")}
                </Anchor>
                {editInstead && (
                  <AskFirst
                    name={say("instead")}
                    text={say("instead_text")}
                    size="compact-sm"
                    variant="light"
                    color="orange"
                    act={(done) => opening.mutate(id, { onSettled: done })}
                    pending={opening.isPending}
                  />
                )}
              </Group>
            </Paper>
          );
        })}
        <Checkbox
          label={say("confirm")}
          checked={ids.every((each) => confirmed.includes(each))}
          onChange={(event) => confirm(event.currentTarget.checked ? ids : [])}
        />
      </Stack>
    </Alert>
  );
}
