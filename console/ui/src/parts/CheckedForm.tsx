import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "./Dialog";
import {
  ask,
  isConflict,
  type CheckedQuestion,
  type CheckedVersion,
  type NamedEntry,
  type ToldReply,
} from "../api";
import { sayIfKnown, saying, useTexts } from "../texts";
import { Side, SavedBy } from "./Conflict";
import { Doing } from "./Doing";
import { MOST_LINE_CHARS } from "./LimitedInput";
import { plainText } from "./Markdown";
import { Missing } from "./Missing";
import { OutcomeFields, chosenOf, useLacking, type Chosen } from "./OutcomeFields";
import { SentenceField } from "./SentenceField";
import { useMutation } from "./acting";
import { useCorrectionTexts } from "./correction_texts";
import { useLeaving } from "./leaving";
import { errorText, tell } from "./parts";

const SAY = {
  vi: saying({
    add: "Thêm câu hỏi đã kiểm",
    edit: "Sửa câu hỏi đã kiểm",
    text: "Trước mỗi lần đăng, Covan hỏi câu này và báo nếu nó không được như bạn định ở đây. Những gì Covan đang trả lời không đổi.",
    save: "Lưu câu hỏi đã kiểm",
    done: "Đã lưu. Câu này được hỏi lại trước mỗi lần đăng.",
    otherwise: "Đã lưu, nhưng hiện câu này chưa được như vậy",
    now: "Hiện được trả lời bằng: {reply}",
    otherwise_text:
      "Từ nay mỗi lần đăng đều báo câu này. Muốn sinh viên nhận đúng ngay, hãy sửa câu trả lời có sẵn, hoặc đặt quy tắc cho câu hỏi này.",
    conflict: "Câu hỏi này vừa được định khác đi",
    theirs: "Đang có trong tệp",
    replace: "Thay bằng của tôi",
  }),
  en: saying({
    add: "Add a checked question",
    edit: "Change a checked question",
    text: "Before each publication Covan asks this question and tells when it does not get what you say here. What Covan answers now stays as it is.",
    save: "Save the checked question",
    done: "Saved. The question is asked before each publication.",
    otherwise: "Saved, but it is answered otherwise today",
    now: "Now answered with: {reply}",
    otherwise_text:
      "Each publication tells of it from now on. For students to get what is right, change the entry, or set a rule for this question.",
    conflict: "Something else was just said of this question",
    theirs: "In the file",
    replace: "Put mine in its place",
  }),
};

/** A checked question as it is listed; `version` is that of its outcome. */
function chosenIn(checked: CheckedQuestion | undefined): Chosen {
  if (!checked) return { kind: "answer", dimension: "", entries: [] };
  const { entry, dimension, entries } = checked;
  if (entry) return { kind: "answer", dimension: "", entries: [entry.id] };
  const kind = dimension ? "dimension" : entries.length ? "entries" : "no_answer";
  return { kind, dimension, entries: entries.map(({ id }) => id) };
}

/** Say what is right for a question, a new one or one that is checked already. */
export function CheckedForm({ checked, close }: { checked: CheckedQuestion | undefined; close: () => void }) {
  const { say, language } = useTexts();
  const own = SAY[language];
  const said = useCorrectionTexts();
  const queries = useQueryClient();
  const [question, setQuestion] = useState(checked?.question ?? "");
  const [first] = useState(() => chosenIn(checked));
  const [outcome, setOutcome] = useState(first);
  const named: NamedEntry[] = [...(checked?.entry ? [checked.entry] : []), ...(checked?.entries ?? [])];
  const lacking = useLacking(outcome);
  const missing = [
    !question.trim() && said("rule.question"),
    question.length > MOST_LINE_CHARS && say("too_long", { name: said("rule.question") }),
    lacking,
  ];
  const saving = useMutation({
    mutationFn: (over: { before: string; version: string }) =>
      ask<CheckedVersion>("POST", "/checked-questions", {
        question: question.trim(),
        reply: outcome.kind === "answer" || outcome.kind === "no_answer" ? outcome.kind : "ask_back",
        entry: outcome.kind === "answer" ? outcome.entries[0] : "",
        ...chosenOf(outcome),
        ...over,
      }),
    onSuccess: ({ otherwise }) => {
      void queries.invalidateQueries();
      if (otherwise) return;
      tell(own("done"));
      close();
    },
  });
  const isChanged =
    question !== (checked?.question ?? "") || JSON.stringify(outcome) !== JSON.stringify(first);
  const leave = useLeaving(isChanged && !saving.data, close, saving.isPending);
  const conflict = isConflict(saving.error) ? saving.error : undefined;
  // Of two who say something of one question, the second one sees what the first one said, and may put the own in its place.
  const theirs = String(conflict?.detail.version ?? "");
  const over = conflict
    ? { before: theirs && question.trim(), version: theirs }
    : { before: checked?.question ?? "", version: checked?.version ?? "" };
  if (saving.data?.otherwise)
    return <AnsweredOtherwise question={question.trim()} reply={saving.data.otherwise} close={close} />;
  return (
    <Dialog
      opened
      onClose={leave}
      title={<b>{own(checked ? "edit" : "add")}</b>}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {own("text")}
        </Text>
        <SentenceField
          most={MOST_LINE_CHARS}
          label={said("rule.question")}
          value={question}
          set={setQuestion}
          required
        />
        <OutcomeFields
          kinds={["answer", "no_answer", "dimension", "entries"]}
          outcome={outcome}
          set={setOutcome}
          named={named}
        />
        {conflict && (
          <Alert color="orange" title={own("conflict")} data-testid="conflict">
            <Stack gap="xs">
              <SavedBy saved={conflict.detail.saved} />
              <Side name={own("theirs")} text={String(conflict.detail.theirs)} other="" />
            </Stack>
          </Alert>
        )}
        {saving.error && !conflict && (
          <Alert color="red" style={{ whiteSpace: "pre-wrap" }}>
            {errorText(say, saving.error)}
          </Alert>
        )}
        <Missing names={missing} />
        <Doing task="publish" pending={saving.isPending} />
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            {say("cancel")}
          </Button>
          <Button
            onClick={() => saving.mutate(over)}
            loading={saving.isPending}
            disabled={missing.some(Boolean) || !isChanged}
          >
            {own(theirs ? "replace" : "save")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Tells of a question that is saved what it gets today, which is not what was said to be right. */
function AnsweredOtherwise({
  question,
  reply: { text, decision, options },
  close,
}: {
  question: string;
  reply: ToldReply;
  close: () => void;
}) {
  const { say, language } = useTexts();
  const own = SAY[language];
  const reply =
    plainText(text) || [sayIfKnown(say, `decision.${decision}`, decision), ...options].join(" · ");
  return (
    <Dialog opened onClose={close} title={<b>{own("otherwise")}</b>} size="lg" withCloseButton={false}>
      <Stack data-testid="answered-otherwise">
        <Text size="sm" fw={600}>
          {question}
        </Text>
        <Alert color="orange" style={{ overflowWrap: "anywhere" }}>
          {own("now", { reply })}
        </Alert>
        <Text size="sm" c="dimmed">
          {own("otherwise_text")}
        </Text>
        <Group justify="flex-end">
          <Button data-autofocus onClick={close}>
            {say("close")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
