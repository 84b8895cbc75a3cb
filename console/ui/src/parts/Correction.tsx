import { Autocomplete, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, withQuery, type Entry, type Listed, type Trace, type Turn } from "../api";
import { useTexts } from "../texts";
import { EntryForm } from "./EntryForm";
import { RuleForm, type Outcome } from "./RuleForm";
import { useLeaving } from "./leaving";
import { LimitedInput, MOST_LINE_CHARS } from "./LimitedInput";
import { ListRow } from "./ListRow";
import { EntryLines } from "./EntryLines";
import { useOpenedEntry } from "./opened_entry";

const PERSONAL = /\d{7}|@|•••/;

/** The student's own words when they are a question by themselves: a follow-up is none for the next student. */
function ownWords({ question, decision, intent, trace }: Turn & { trace: Trace }): string[] {
  const needsMore = decision !== "answer" && trace.resolved && trace.resolved !== question;
  return needsMore || intent === "follow_up" || PERSONAL.test(question) ? [] : [question.trim()];
}

type Step = { kind: "choose" } | { kind: "write"; entry?: Entry } | { kind: "rule"; outcome: Outcome };

/** Say what is right instead of an answer: another entry, a new one, no answer, or a question back. */
export function Correction({
  turn,
  opened,
  close,
}: {
  turn: Turn & { trace: Trace };
  opened: boolean;
  close: () => void;
}) {
  const { say } = useTexts();
  // A question that was answered stands in the trace in the words of the entry, which is the wrong one.
  const inFull = turn.decision === "answer" ? undefined : turn.trace.resolved;
  const [wording, setWording] = useState(inFull ?? turn.question);
  const [first] = useState(wording);
  const [text, setText] = useState("");
  const [step, setStep] = useState<Step>({ kind: "choose" });
  const [wanted] = useDebouncedValue(text, 250);
  const found = useQuery({
    queryKey: ["faq", "correction", wanted],
    queryFn: () => get<{ entries: Listed[] }>(withQuery("/faq", { text: wanted })),
    enabled: opened && wanted.trim().length > 1,
  });
  const choosing = useOpenedEntry((entry) => setStep({ kind: "write", entry }));
  const considered = (turn.trace.candidates ?? []).filter(
    (each) => each.source === "faq" && each.id !== turn.answer_id,
  );
  const others = ownWords(turn).filter((each) => each !== wording.trim());
  const label = (each: Listed) => `${each.question} (${each.id})`;
  const end = () => {
    setStep({ kind: "choose" });
    close();
  };
  const isReady = wording.trim() !== "" && wording.length <= MOST_LINE_CHARS;
  const leave = useLeaving(opened && step.kind === "choose" && wording !== first, end);
  if (step.kind === "write")
    return (
      <EntryForm
        entry={step.entry}
        correction={{ wording: wording.trim(), variants: [wording.trim(), ...others], trace: turn.id }}
        opened={opened}
        close={end}
      />
    );
  if (step.kind === "rule")
    return (
      <RuleForm
        wording={wording.trim()}
        others={others}
        trace={turn.id}
        outcome={step.outcome}
        near={(turn.trace.candidates ?? [])
          .filter((each) => each.source === "faq")
          .map((each) => ({ id: each.id, question: each.title || each.id }))}
        opened={opened}
        close={end}
      />
    );
  return (
    <Modal
      opened={opened}
      onClose={leave}
      title={<b>{say("correct.title")}</b>}
      size="lg"
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <Stack>
        <LimitedInput
          most={MOST_LINE_CHARS}
          label={say("correct.wording")}
          description={say("correct.wording_help")}
          value={wording}
          onChange={(event) => setWording(event.currentTarget.value)}
          required
        />
        {considered.length > 0 && (
          <Stack gap={6}>
            <Text size="sm" fw={500}>
              {say("correct.considered")}
            </Text>
            {considered.map((each) => (
              <ListRow key={each.id} p="xs" disabled={!isReady} open={() => choosing.mutate(each.id)}>
                <EntryLines question={each.title || each.id} answer={each.text} />
              </ListRow>
            ))}
          </Stack>
        )}
        <Autocomplete
          label={say("correct.other")}
          placeholder={say("faq.search")}
          value={text}
          onChange={setText}
          onOptionSubmit={(chosen) => {
            const entry = found.data?.entries.find((each) => label(each) === chosen);
            if (entry && isReady) choosing.mutate(entry.id);
          }}
          data={[...new Set(found.data?.entries.map(label) ?? [])]}
          filter={({ options }) => options}
          maxDropdownHeight={260}
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {say("correct.none_fits")}
          </Text>
          <Button
            variant="light"
            disabled={!isReady}
            loading={choosing.isPending}
            onClick={() => setStep({ kind: "write" })}
          >
            {say("correct.new")}
          </Button>
        </Group>
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {say("correct.no_answer_fits")}
          </Text>
          <Group gap="xs">
            {(["no_answer", "dimension"] as const).map((outcome) => (
              <Button
                key={outcome}
                variant="default"
                disabled={!isReady}
                onClick={() => setStep({ kind: "rule", outcome })}
              >
                {say(outcome === "no_answer" ? "correct.refuse" : "correct.ask_back")}
              </Button>
            ))}
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
