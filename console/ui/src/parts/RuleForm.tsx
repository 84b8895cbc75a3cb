import {
  Alert,
  Button,
  Code,
  Group,
  Modal,
  MultiSelect,
  Radio,
  Select,
  Stack,
  Text,
  Textarea,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, get, withQuery, type Listed, type Vocabulary, isConflict } from "../api";
import { useTexts } from "../texts";
import { useCorrectionTexts } from "./correction_texts";
import { SavedBy } from "./Conflict";
import { Doing } from "./Doing";
import { useLeaving } from "./leaving";
import { errorText, tell } from "./parts";
import { useMutation } from "./acting";
import { LimitedInput, MOST_LINE_CHARS } from "./LimitedInput";
import { Missing } from "./Missing";

const FEWEST_CHOICES = 2;
const MOST_CHOICES = 6;

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
  const { say, language } = useTexts();
  const said = useCorrectionTexts();
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState(first);
  const [question, setQuestion] = useState(wording);
  const [dimension, setDimension] = useState<string | null>(null);
  const [entries, setEntries] = useState<string[]>([]);
  const [variants, setVariants] = useState(others.join("\n"));
  const [text, setText] = useState("");
  const [names, setNames] = useState(() => new Map(near.map((each) => [each.id, each.question])));
  const [wanted] = useDebouncedValue(text, 250);
  const known = useQuery({ queryKey: ["sources", ""], queryFn: () => get<Vocabulary>("/faq/sources") });
  const found = useQuery({
    queryKey: ["faq", "rule", wanted],
    queryFn: () => get<{ entries: Listed[] }>(withQuery("/faq", { text: wanted })),
    enabled: wanted.trim().length > 1,
  });
  const publishing = useMutation({
    mutationFn: (version: string) =>
      ask("POST", "/query-rules", {
        question: question.trim(),
        variants: lines,
        reply: outcome === "no_answer" ? "no_answer" : "ask_back",
        dimension: outcome === "dimension" ? (dimension ?? "") : "",
        entries: outcome === "entries" ? entries : [],
        settles: [trace],
        version,
      }),
    onSuccess: () => {
      void queries.invalidateQueries();
      tell(said("rule.done"));
      close();
    },
  });
  const choose = (ids: string[]) => {
    const listed = new Map(found.data?.entries.map((each) => [each.id, each.question]) ?? []);
    setNames(
      new Map([...names, ...ids.filter((id) => listed.has(id)).map((id) => [id, listed.get(id)!] as const)]),
    );
    setEntries(ids);
  };
  const choices = new Map([
    ...(found.data?.entries.map((each) => [each.id, each.question] as const) ?? []),
    ...names,
  ]);
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
  const hasOutcome =
    outcome === "no_answer" ||
    (outcome === "dimension" && dimension !== null) ||
    (outcome === "entries" && entries.length >= FEWEST_CHOICES);
  const complete = hasOutcome && question.trim() !== "" && question.length <= MOST_LINE_CHARS;
  const fault = publishing.error;
  const conflict = isConflict(fault) ? fault : undefined;
  const leave = useLeaving(
    outcome !== first ||
      dimension !== null ||
      entries.length > 0 ||
      question !== wording ||
      variants !== others.join("\n"),
    back,
    publishing.isPending,
  );
  return (
    <Modal
      opened={opened}
      onClose={leave}
      title={<b>{said("rule.title")}</b>}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <Stack>
        <LimitedInput
          most={MOST_LINE_CHARS}
          label={said("rule.question")}
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
          onBlur={keepWording}
          required
        />
        <Radio.Group
          label={said("rule.outcome")}
          value={outcome}
          onChange={(value) => setOutcome(value as Outcome)}
        >
          <Stack gap="xs" mt={6}>
            {(["no_answer", "dimension", "entries"] as const).map((value) => (
              <Radio
                key={value}
                value={value}
                label={said(`rule.${value}`)}
                description={said(`rule.${value}_help`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {outcome === "dimension" && (
          <Select
            label={said("rule.ask_for")}
            value={dimension}
            onChange={setDimension}
            data={
              known.data?.dimensions.map(({ id, name, name_en }) => ({
                value: id,
                label: (language === "en" && name_en) || name,
              })) ?? []
            }
            required
            allowDeselect={false}
          />
        )}
        {outcome === "entries" && (
          <MultiSelect
            label={said("rule.choices")}
            placeholder={say("faq.search")}
            searchable
            searchValue={text}
            onSearchChange={setText}
            value={entries}
            onChange={choose}
            maxValues={MOST_CHOICES}
            data={[...choices].map(([value, label]) => ({ value, label }))}
            filter={({ options }) => options}
            maxDropdownHeight={260}
            required
          />
        )}
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
              <SavedBy fault={conflict} />
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
                !hasOutcome && said(outcome === "entries" ? "rule.choices" : "rule.ask_for"),
              ]}
            />
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
    </Modal>
  );
}
