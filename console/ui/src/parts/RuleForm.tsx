import { Alert, Button, Code, Group, Stack, Text, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "./Dialog";
import { ask, isConflict } from "../api";
import { useTexts } from "../texts";
import { useCorrectionTexts } from "./correction_texts";
import { SavedBy } from "./Conflict";
import { NoVersions } from "./NoVersions";
import { Doing } from "./Doing";
import { useLeaving } from "./leaving";
import { errorText, tell } from "./parts";
import { useMutation } from "./acting";
import { MOST_LINE_CHARS } from "./LimitedInput";
import { Missing } from "./Missing";
import { OutcomeFields, chosenOf, useLacking, type Chosen } from "./OutcomeFields";
import { SentenceField } from "./SentenceField";

export type Outcome = "no_answer" | "dimension" | "entries";

/** Refuse a question in its very words, or ask back about it. */
export function RuleForm({
  wording,
  others,
  trace,
  outcome: first,
  near,
  opened,
  back,
  close,
}: {
  wording: string;
  /** Further wordings to begin with. */
  others: string[];
  trace: number;
  outcome: Outcome;
  near: { id: string; question: string }[];
  opened: boolean;
  /** Leaves the form. */
  back: () => void;
  /** Called once the rule is there, or another one is kept. */
  close: () => void;
}) {
  const { say } = useTexts();
  const said = useCorrectionTexts();
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<Chosen>({ kind: first, dimension: "", entries: [] });
  const [question, setQuestion] = useState(wording);
  const [variants, setVariants] = useState(others.join("\n"));
  const publishing = useMutation({
    mutationFn: (version: string) =>
      ask("POST", "/query-rules", {
        question: question.trim(),
        variants: lines,
        reply: outcome.kind === "no_answer" ? "no_answer" : "ask_back",
        ...chosenOf(outcome),
        settles: [trace],
        version,
      }),
    onSuccess: () => {
      void queries.invalidateQueries();
      tell(said("rule.done"));
      close();
    },
  });
  const lines = variants
    .split("\n")
    .map((each) => each.trim())
    .filter(Boolean);
  const [keepsWording, setKeepsWording] = useState(true);
  /** Once the question is put in other words, those that were corrected become another wording. */
  const keepWording = () => {
    if (!keepsWording || question.trim() === wording) return;
    setKeepsWording(false);
    if (!lines.includes(wording)) setVariants([wording, ...lines].join("\n"));
  };
  const lacking = useLacking(outcome);
  const complete = !lacking && question.trim() !== "" && question.length <= MOST_LINE_CHARS;
  const fault = publishing.error;
  const conflict = isConflict(fault) ? fault : undefined;
  const leave = useLeaving(
    outcome.kind !== first ||
      outcome.dimension !== "" ||
      outcome.entries.length > 0 ||
      question !== wording ||
      variants !== others.join("\n"),
    back,
    publishing.isPending,
  );
  return (
    <Dialog
      opened={opened}
      onClose={leave}
      title={<b>{said("rule.title")}</b>}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <Stack>
        <SentenceField
          most={MOST_LINE_CHARS}
          label={said("rule.question")}
          value={question}
          set={setQuestion}
          onBlur={keepWording}
          required
        />
        <OutcomeFields
          kinds={["no_answer", "dimension", "entries"]}
          outcome={outcome}
          set={setOutcome}
          named={near}
        />
        <Textarea
          label={said("rule.variants")}
          description={said("rule.variants_help")}
          autosize
          minRows={2}
          maxRows={8}
          value={variants}
          onChange={(event) => setVariants(event.currentTarget.value)}
        />
        {conflict ? (
          <Alert color="orange" title={said("rule.conflict")}>
            <Stack gap="xs">
              <SavedBy saved={conflict.detail.saved} />
              <Text size="sm">{said("rule.conflict_text")}</Text>
              <Code block>{String(conflict.detail.theirs)}</Code>
              <Group justify="flex-end">
                <Button variant="default" onClick={close}>
                  {said("rule.keep")}
                </Button>
                <Button
                  onClick={() => publishing.mutate(String(conflict.detail.version))}
                  loading={publishing.isPending}
                  disabled={!complete}
                >
                  {said("rule.replace")}
                </Button>
              </Group>
            </Stack>
          </Alert>
        ) : (
          <>
            {fault && (
              <Alert color="red" style={{ whiteSpace: "pre-wrap" }}>
                {errorText(say, fault)}
              </Alert>
            )}
            <Missing
              names={[
                !question.trim() && said("rule.question"),
                question.length > MOST_LINE_CHARS && say("too_long", { name: said("rule.question") }),
                lacking,
              ]}
            />
            <NoVersions />
            <Doing task="publish" pending={publishing.isPending} />
            <Group justify="flex-end">
              <Button variant="default" onClick={leave}>
                {say("cancel")}
              </Button>
              <Button
                onClick={() => publishing.mutate("")}
                loading={publishing.isPending}
                disabled={!complete}
              >
                {said("rule.publish")}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Dialog>
  );
}
