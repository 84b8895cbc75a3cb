import {
  ActionIcon,
  Alert,
  Autocomplete,
  Badge,
  Button,
  Checkbox,
  Group,
  Modal,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  ask,
  get,
  withQuery,
  type Entry,
  type Gap,
  type Source,
  type Tried,
  type Vocabulary,
  isConflict,
} from "../api";
import { useTexts } from "../texts";
import { AppliesTo, named } from "./AppliesTo";
import { CheckedQuestions } from "./CheckedQuestions";
import { Conflict } from "./Conflict";
import { Doing } from "./Doing";
import { DecisionBadge, errorText, tell, firstFault } from "./parts";
import { Markdown } from "./Markdown";

interface Published {
  told: number;
  untold: unknown[];
}

const MOST_TRIED = 30;
const MOST_VARIANTS = 12;

/** A question that an entry is to answer from now on, and the turn in which it was answered wrongly. */
interface Corrected {
  wording: string;
  trace: number;
}

/** Write an answer for a group of gaps or a corrected turn, a new entry, or change an entry. */
export function EntryForm({
  gap,
  entry,
  correction,
  opened,
  close,
}: {
  gap?: Gap | undefined;
  entry?: Entry | undefined;
  correction?: Corrected | undefined;
  opened: boolean;
  close: () => void;
}) {
  const { say } = useTexts();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={<b>{entry ? say("entry.edit") : say("entry.new")}</b>}
      size="80rem"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      {opened && (
        <Form
          key={entry?.version ?? gap?.id ?? "new"}
          gap={gap}
          entry={entry}
          correction={correction}
          close={close}
        />
      )}
    </Modal>
  );
}

/** The students' own words that may be published, without repetitions. */
function wordings(gap: Gap | undefined, entry: Entry | undefined, wording: string | undefined): string[] {
  if (entry) return [...new Set([...entry.variants, ...(wording ? [wording] : [])])];
  const said = gap?.turns.filter((turn) => !turn.personal).map((turn) => turn.question.trim()) ?? [];
  return [...new Set(said)].filter((each) => each && each !== gap?.question).slice(0, MOST_VARIANTS);
}

function Form({
  gap,
  entry,
  correction,
  close,
}: {
  gap?: Gap | undefined;
  entry?: Entry | undefined;
  correction?: Corrected | undefined;
  close: () => void;
}) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const [question, setQuestion] = useState(entry?.question ?? gap?.question ?? correction?.wording ?? "");
  const [variants, setVariants] = useState(wordings(gap, entry, correction?.wording).join("\n"));
  const [answer, setAnswer] = useState(entry?.answer.trim() ?? "");
  const [topic, setTopic] = useState<string | null>(entry?.topic ?? (gap?.topic || null));
  const [sources, setSources] = useState<Source[]>(entry?.sources ?? []);
  const [version, setVersion] = useState(entry?.version ?? "");
  const [told, setTold] = useState(true);
  const [theirs, setTheirs] = useState<string>();
  const [students, setStudents] = useState(entry?.applies_to ?? {});
  const [owner, setOwner] = useState(entry?.owner ?? "");
  const [reviewed, setReviewed] = useState(entry?.reviewed_at ?? "");
  const known = useQuery({ queryKey: ["sources", ""], queryFn: () => get<Vocabulary>("/faq/sources") });

  const fields = {
    question,
    variants: variants
      .split("\n")
      .map((each) => each.trim())
      .filter(Boolean),
    answer,
    topic: topic ?? "",
    sources,
    applies_to: named(students),
    owner,
    reviewed_at: reviewed,
  };
  const corrects = {
    settles: correction ? [correction.trace] : (gap?.ids ?? []),
    checks: correction ? [correction.wording] : [],
  };
  const asked = gap ? [...new Set(gap.turns.map((turn) => turn.question))].slice(0, MOST_TRIED) : [];
  const trying = useMutation({
    mutationFn: () =>
      ask<Tried>("POST", "/faq/try", {
        ...fields,
        entry_id: entry?.id ?? "",
        version,
        checks: corrects.checks,
        questions: gap
          ? asked
          : [...new Set([...corrects.checks, question, ...fields.variants])].slice(0, MOST_TRIED),
      }),
    onError: onFault,
  });
  const publishing = useMutation({
    mutationFn: () =>
      entry
        ? ask<Published>("PUT", `/faq/entries/${encodeURIComponent(entry.id)}`, {
            ...fields,
            ...corrects,
            version,
          })
        : ask<Published>("POST", "/faq/entries", {
            ...fields,
            ...corrects,
            tell: told ? (gap?.ids ?? []).slice(0, 500) : [],
          }),
    onSuccess: (published) => {
      tell(say("entry.published"));
      if (published.told) tell(say("entry.told", { n: published.told }));
      if (published.untold?.length) tell(say("entry.untold", { n: published.untold.length }));
      void queries.invalidateQueries();
      close();
    },
    onError: onFault,
  });
  function onFault(error: Error): void {
    if (isConflict(error)) setTheirs(String(error.detail.theirs ?? ""));
  }
  const latest = useMutation({
    mutationFn: () => get<Entry>(`/faq/entries/${encodeURIComponent(entry!.id)}`),
  });
  const takeLatest = () =>
    latest.mutate(undefined, {
      onSuccess: (now) => {
        setVersion(now.version);
        setTheirs(undefined);
        publishing.reset();
      },
    });
  const loadTheirs = () =>
    latest.mutate(undefined, {
      onSuccess: (now) => {
        setQuestion(now.question);
        setVariants(now.variants.join("\n"));
        setAnswer(now.answer.trim());
        setTopic(now.topic);
        setSources(now.sources);
        setStudents(now.applies_to);
        setOwner(now.owner);
        setReviewed(now.reviewed_at);
        setVersion(now.version);
        setTheirs(undefined);
        publishing.reset();
      },
    });
  const missing = [
    !question.trim() && say("entry.question"),
    !answer.trim() && say("entry.answer"),
    !topic && say("entry.topic"),
  ].filter((each) => each !== false);
  const complete = missing.length === 0;
  const fault = firstFault(publishing.error, trying.error);
  // A new entry for what another one answers: the two would compete.
  const taken = entry ? undefined : trying.data?.replies.find((reply) => reply.now_by);
  const answered = trying.data?.replies.filter((reply) => reply.by_this).length ?? 0;

  if (theirs !== undefined)
    return (
      <Conflict
        title={say("entry.conflict")}
        mine={[question, ...fields.variants.map((each) => `- ${each}`), "", answer].join("\n")}
        theirs={theirs}
        loading={latest.isPending}
        loadTheirs={loadTheirs}
        takeLatest={takeLatest}
      />
    );
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack gap="sm">
          <TextInput
            label={say("entry.question")}
            description={say("entry.question_help")}
            value={question}
            onChange={(event) => setQuestion(event.currentTarget.value)}
            required
          />
          <Textarea
            label={say("entry.answer")}
            description={say("entry.answer_help")}
            autosize
            minRows={5}
            maxRows={16}
            value={answer}
            onChange={(event) => setAnswer(event.currentTarget.value)}
            required
          />
          <Textarea
            label={say("entry.variants")}
            description={say("entry.variants_help")}
            autosize
            minRows={3}
            maxRows={10}
            value={variants}
            onChange={(event) => setVariants(event.currentTarget.value)}
          />
          <Select
            label={say("entry.topic")}
            searchable
            value={topic}
            onChange={setTopic}
            data={known.data?.topics.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            required
          />
          <Sources sources={sources} set={setSources} documents={known.data?.documents ?? []} />
          <AppliesTo dimensions={known.data?.dimensions ?? []} students={students} set={setStudents} />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <Select
              label={say("entry.owner")}
              clearable
              searchable
              value={owner || null}
              onChange={(chosen) => setOwner(chosen ?? "")}
              data={known.data?.offices.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            />
            <TextInput
              type="date"
              label={say("entry.reviewed_at")}
              value={reviewed}
              onChange={(event) => setReviewed(event.currentTarget.value)}
            />
          </SimpleGrid>
        </Stack>
        <Stack gap="sm">
          <Paper withBorder p="md">
            <Text size="xs" c="dimmed" mb={6}>
              {say("entry.preview")}
            </Text>
            <div className="bubble student">{question || "…"}</div>
            <Group justify="flex-end" mt="xs">
              <div className="bubble" data-testid="preview">
                <Markdown text={trying.data?.answer ?? (answer || "…")} />
              </div>
            </Group>
          </Paper>
          <Button
            variant="light"
            onClick={() => trying.mutate()}
            loading={trying.isPending}
            disabled={!complete}
          >
            {say("entry.try")}
          </Button>
          <Doing task="try" pending={trying.isPending} />
          {taken && (
            <Alert color="orange" data-testid="taken">
              {say("entry.taken", { question: taken.question, entry: taken.now_by_question })}
            </Alert>
          )}
          {trying.data && <CheckedQuestions checked={trying.data.checked} />}
          {trying.data && (
            <Paper withBorder p="md" data-testid="tried">
              <Text size="sm" fw={600} mb="xs">
                {say("entry.now_answers", { n: answered, all: trying.data.replies.length })}
              </Text>
              <Stack gap={6}>
                {trying.data.replies.map((reply) => (
                  <Group key={reply.question} justify="space-between" wrap="nowrap" gap="xs">
                    <Text size="sm">{reply.question}</Text>
                    {reply.by_this ? (
                      <Badge color="green" variant="light" tt="none" style={{ flexShrink: 0 }}>
                        {say("entry.by_this")}
                      </Badge>
                    ) : (
                      <DecisionBadge decision={reply.decision} />
                    )}
                  </Group>
                ))}
              </Stack>
            </Paper>
          )}
        </Stack>
      </SimpleGrid>
      {fault && (
        <Alert color="red" style={{ whiteSpace: "pre-wrap" }}>
          {errorText(say, fault)}
        </Alert>
      )}
      <Doing task="publish" pending={publishing.isPending} />
      {!complete && (
        <Text size="xs" c="dimmed" ta="end">
          {say("entry.missing", { names: missing.join(", ") })}
        </Text>
      )}
      <Group justify="space-between">
        {gap ? (
          <Checkbox
            checked={told}
            onChange={(event) => setTold(event.currentTarget.checked)}
            label={say("entry.tell", { n: gap.students })}
          />
        ) : (
          <span />
        )}
        <Group>
          <Button variant="default" onClick={close}>
            {say("cancel")}
          </Button>
          <Button onClick={() => publishing.mutate()} loading={publishing.isPending} disabled={!complete}>
            {say("entry.publish")}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

function Sources({
  sources,
  set,
  documents,
}: {
  sources: Source[];
  set: (sources: Source[]) => void;
  documents: Vocabulary["documents"];
}) {
  const { say } = useTexts();
  const [text, setText] = useState("");
  const [wanted] = useDebouncedValue(text, 250);
  const found = useQuery({
    queryKey: ["sources", wanted],
    queryFn: () => get<Vocabulary>(withQuery("/faq/sources", { text: wanted })),
    enabled: wanted.trim().length > 1,
  });
  const clauses = found.data?.clauses ?? [];
  const label = (each: { title: string; locator: string }) => `${each.title} · ${each.locator}`;
  const add = (chosen: string) => {
    const clause = clauses.find((each) => label(each) === chosen);
    if (!clause) return;
    const { document, locator } = clause;
    if (!sources.some((each) => each.document === document && each.locator === locator))
      set([...sources, { document, locator }]);
    setText("");
  };
  return (
    <Stack gap={6}>
      <Autocomplete
        label={say("entry.sources")}
        description={say("entry.sources_help")}
        placeholder={say("entry.add_source")}
        value={text}
        // A choice is told as a text, too, after it was added and the box emptied.
        onChange={(typed) => clauses.some((each) => label(each) === typed) || setText(typed)}
        onOptionSubmit={add}
        data={[...new Set(clauses.map(label))]}
        filter={({ options }) => options}
        maxDropdownHeight={260}
      />
      {sources.map((each, place) => (
        <Group key={`${each.document} ${each.locator}`} gap={6} wrap="nowrap">
          <Badge variant="light" tt="none" fw={500}>
            {documents.find(({ document }) => document === each.document)?.title ?? each.document}
            {each.locator ? ` · ${each.locator}` : ""}
          </Badge>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={`${say("close")} ${each.document}`}
            onClick={() => set(sources.filter((_, other) => other !== place))}
          >
            <IconX size={14} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}
