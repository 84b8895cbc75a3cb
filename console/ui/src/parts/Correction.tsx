import { Alert, Autocomplete, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "./Dialog";
import { get, withQuery, type Entry, type ToldTurn, type EntryPage } from "../api";
import { useTexts } from "../texts";
import { EntryForm } from "./EntryForm";
import { RuleForm, type Outcome } from "./RuleForm";
import { useLeaving } from "./leaving";
import { MOST_LINE_CHARS } from "./LimitedInput";
import { ListRow } from "./ListRow";
import { EntryLines } from "./EntryLines";
import { SentenceField } from "./SentenceField";
import { useOpenedEntry } from "./opened_entry";
import { useCorrectionTexts } from "./correction_texts";

const PERSONAL = /\d{7}|@|•••/;

/** The student's words, and the question in which Covan has joined them with what was spoken of before; "" for none. */
function wordingsOf({ question, decision, trace }: ToldTurn): { own: string; inFull: string } {
  const own = question.trim();
  // A question that was answered stands in the trace in the words of the entry, which is the wrong one.
  const resolved = decision === "answer" ? "" : (trace.resolved ?? "").trim();
  return { own: PERSONAL.test(own) ? "" : own, inFull: resolved === own ? "" : resolved };
}

type Step = { kind: "choose" } | { kind: "write"; entry?: Entry } | { kind: "rule"; outcome: Outcome };

/** Say what is right instead of an answer: another entry, a new one, no answer, or a question back. */
export function Correction({ turn, opened, close }: { turn: ToldTurn; opened: boolean; close: () => void }) {
  const { say } = useTexts();
  const said = useCorrectionTexts();
  const { own, inFull } = wordingsOf(turn);
  const [first] = useState((turn.needs_context && inFull) || turn.question.trim());
  const [wording, setWording] = useState(first);
  const [usesOwn, setUsesOwn] = useState(!turn.needs_context);
  const [usesInFull, setUsesInFull] = useState(false);
  const [remembers, setRemembers] = useState(true);
  const [text, setText] = useState("");
  const [step, setStep] = useState<Step>({ kind: "choose" });
  const [wanted] = useDebouncedValue(text.trim(), 250);
  const [near] = useDebouncedValue(wording.slice(0, MOST_LINE_CHARS), 250);
  const found = useQuery({
    queryKey: ["faq", "correction", wanted, near],
    queryFn: () => get<EntryPage>(withQuery("/faq", { text: wanted, near })),
    enabled: opened,
    placeholderData: keepPreviousData,
  });
  const choosing = useOpenedEntry((entry) => setStep({ kind: "write", entry }));
  const considered = (turn.trace.candidates ?? []).filter(
    (each) => each.source === "faq" && each.id !== turn.answer_id,
  );
  const alternatives = [
    { text: own, name: "correct.own", isUsed: usesOwn, use: setUsesOwn },
    { text: inFull, name: "correct.in_full", isUsed: usesInFull, use: setUsesInFull },
  ] as const;
  const offered = alternatives.filter(({ text }) => text && text !== wording.trim());
  const others = offered.filter(({ isUsed }) => isUsed).map(({ text }) => text);
  // Words that make no sense by themselves do so after the answer that the student had just read.
  const before = turn.needs_context && own && own.length <= MOST_LINE_CHARS ? turn.follows : null;
  const listed = new Map(found.data?.entries.map((each) => [each.id, each]) ?? []);
  const back = () => setStep({ kind: "choose" });
  const end = () => {
    back();
    setWording(first);
    setText("");
    close();
  };
  const isReady = wording.trim() !== "" && wording.length <= MOST_LINE_CHARS;
  const leave = useLeaving(opened && step.kind === "choose" && wording !== first, end);
  if (step.kind === "write")
    return (
      <EntryForm
        entry={step.entry}
        correction={{
          wording: wording.trim(),
          others,
          trace: turn.id,
          wrong: turn.answer_id,
          isSettled: !!turn.corrected,
          followUp: before && remembers ? { after: before.id, said: own } : null,
        }}
        opened={opened}
        back={back}
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
        back={back}
        close={end}
      />
    );
  return (
    <Dialog
      opened={opened}
      onClose={leave}
      title={<b>{said("correct.title")}</b>}
      size="lg"
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <Stack>
        <SentenceField
          most={MOST_LINE_CHARS}
          label={said("correct.wording")}
          description={said("correct.wording_help")}
          value={wording}
          set={setWording}
          required
        />
        {turn.needs_context && (
          <Alert color="orange" data-testid="follow-up">
            {said("correct.follow_up", { text: turn.question.trim() })}
          </Alert>
        )}
        {(offered.length > 0 || before) && (
          <Stack gap={6} role="group" aria-label={said("correct.also")}>
            <Text size="sm" fw={500}>
              {said("correct.also")}
            </Text>
            {offered.map(({ text, name, isUsed, use }) => (
              <Checkbox
                key={name}
                checked={isUsed}
                onChange={(event) => use(event.currentTarget.checked)}
                label={said(name, { text })}
              />
            ))}
            {before && (
              <Checkbox
                checked={remembers}
                onChange={(event) => setRemembers(event.currentTarget.checked)}
                label={said("correct.remember", { question: before.question })}
              />
            )}
          </Stack>
        )}
        {considered.length > 0 && (
          <Stack gap={6}>
            <Text size="sm" fw={500}>
              {said("correct.considered")}
            </Text>
            {considered.map((each) => (
              <ListRow key={each.id} p="xs" disabled={!isReady} open={() => choosing.mutate(each.id)}>
                <EntryLines question={each.title || each.id} answer={each.text} />
              </ListRow>
            ))}
          </Stack>
        )}
        <Autocomplete
          label={said("correct.other")}
          placeholder={say("faq.search")}
          value={text}
          onChange={setText}
          onOptionSubmit={(chosen) => {
            if (isReady) choosing.mutate(chosen);
          }}
          data={[...listed.values()].map((each) => ({ value: each.id, label: each.question }))}
          renderOption={({ option }) => {
            const entry = listed.get(option.value);
            return entry && <EntryLines question={entry.question} answer={entry.answer} />;
          }}
          filter={({ options }) => options}
          maxDropdownHeight={260}
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {said("correct.none_fits")}
          </Text>
          <Button
            variant="light"
            disabled={!isReady}
            loading={choosing.isPending}
            onClick={() => setStep({ kind: "write" })}
          >
            {said("correct.new")}
          </Button>
        </Group>
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {said("correct.no_answer_fits")}
          </Text>
          <Group gap="xs">
            {(["no_answer", "dimension"] as const).map((outcome) => (
              <Button
                key={outcome}
                variant="default"
                disabled={!isReady}
                onClick={() => setStep({ kind: "rule", outcome })}
              >
                {said(outcome === "no_answer" ? "correct.refuse" : "correct.ask_back")}
              </Button>
            ))}
          </Group>
        </Group>
      </Stack>
    </Dialog>
  );
}
