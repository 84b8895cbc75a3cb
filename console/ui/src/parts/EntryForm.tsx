import {
  ActionIcon,
  Alert,
  Autocomplete,
  Badge,
  Button,
  Checkbox,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useState } from "react";
import { Dialog } from "./Dialog";
import {
  ask,
  get,
  withQuery,
  type ApiError,
  type Entry,
  type EntryFields,
  type Gap,
  type KeptDraft,
  type KeptEntry,
  type PublishedEntry,
  type Source,
  type Tried,
  type Vocabulary,
  isConflict,
  isDraftConflict,
} from "../api";
import { bare } from "../loose_search";
import { useTexts } from "../texts";
import { AskFirst } from "./AskFirst";
import { AppliesTo, named, studentsText } from "./AppliesTo";
import { ChangedSources } from "./ChangedSources";
import { ChannelPreview, usePreview } from "./ChannelPreview";
import { CheckedQuestions } from "./CheckedQuestions";
import { Conflict } from "./Conflict";
import { NoVersions } from "./NoVersions";
import { Doing } from "./Doing";
import { isReadable } from "./day_times";
import { useDraftTexts } from "./draft_texts";
import { DRAFTS, DraftState } from "./KeptDrafts";
import { AlreadySettled, settledBy } from "./AlreadySettled";
import { useOpenedEntry } from "./opened_entry";
import { useGapTexts } from "./gap_texts";
import { Invitations } from "./Invitations";
import { useLeaving } from "./leaving";
import { Missing } from "./Missing";
import { ReviewFields } from "./Review";
import { DecisionBadge, errorText, tell, firstFault } from "./parts";
import { Removal } from "./Removal";
import { askedContacts, PublicContacts } from "./PublicContacts";
import { askedEntries, SameQuestion } from "./SameQuestion";
import { useMutation } from "./acting";
import { LimitedText, MAX_NEAR_CHARS, MOST_LINE_CHARS, MOST_ANSWER_CHARS } from "./LimitedInput";
import { AbsentFacts, absentFacts } from "./AbsentFacts";
import { SentenceField } from "./SentenceField";

type Published = Pick<PublishedEntry, "told" | "untold">;

const MOST_TRIED = 30;
const MOST_TOLD = 500;

/** A question that an entry is to answer from now on, its other wordings, and the turn in which it was answered wrongly. */
interface Corrected {
  wording: string;
  others: string[];
  trace: number;
  /** The answer that was wrong; "" for another decision. */
  wrong: string;
  /** Whether its log has told that it was settled before, and how. */
  isSettled: boolean;
  /** The student's words, and the answer after which the entry answers them; null for none. */
  followUp: KeptEntry["follow_up"];
}

/** The labels of the fields that the API may find wrong. */
const LABELS = {
  question: "entry.question",
  answer: "entry.answer",
  variants: "entry.variants",
  topic: "entry.topic",
  sources: "entry.sources",
} as const;

/**
 * Write an answer for a group of gaps or a corrected turn, a new entry, or change an entry; or go on with a draft.
 *
 * An entry with a group: it answers the group, too.
 */
export function EntryForm({
  gap,
  entry,
  correction,
  kept,
  opened,
  back,
  close,
}: {
  gap?: Gap | undefined;
  entry?: Entry | undefined;
  correction?: Corrected | undefined;
  kept?: KeptDraft<KeptEntry> | undefined;
  opened: boolean;
  /** Leaves the form with nothing saved; undefined: as `close`. */
  back?: () => void;
  close: () => void;
}) {
  const { say } = useTexts();
  const [written, setWritten] = useState(false);
  const [publishes, setPublishes] = useState(false);
  const [into, setInto] = useState<Entry>();
  const changed = into ?? entry;
  const ending = (then: () => void) => () => {
    setWritten(false);
    setInto(undefined);
    then();
  };
  const end = ending(close);
  const leave = useLeaving(written, ending(back ?? close), publishes);
  return (
    <Dialog
      opened={opened}
      onClose={leave}
      title={<b>{changed ? say("entry.edit") : say("entry.new")}</b>}
      size="80rem"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      {opened && (
        <Form
          key={into?.version ?? kept?.id ?? entry?.version ?? gap?.id ?? "new"}
          gap={gap}
          entry={changed}
          correction={correction}
          begun={into ? undefined : kept}
          onChange={setWritten}
          onPublishing={setPublishes}
          leave={leave}
          close={end}
          answerBy={gap && setInto}
          editInstead={setInto}
        />
      )}
    </Dialog>
  );
}

/** What was saved meanwhile, the entry or the draft itself; `fault` is the refusal that told of it. */
type Theirs =
  | { entry: Entry; kept?: undefined; fault?: ApiError }
  | { kept: KeptDraft<KeptEntry>; entry?: undefined; fault: ApiError };

function fieldsOf({ kept, entry }: Theirs): EntryFields {
  return kept ? kept.draft.fields : entry;
}

/** A question of a group, with the turns in which it was asked. */
interface Asked {
  question: string;
  ids: number[];
  personal: boolean;
}

/** The words of a text without diacritics and marks: questions that differ in nothing else are one. */
function bareWords(text: string): string {
  return (
    bare(text)
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  );
}

/** The questions of a group, each once. Near ones may want different answers: only a person can tell. */
function questionsOf(gap: Gap | undefined): Asked[] {
  const found = new Map<string, Asked>();
  for (const { question, id, personal } of gap?.turns ?? []) {
    const known = found.get(question.trim());
    if (known) known.ids.push(id);
    else found.set(question.trim(), { question: question.trim(), ids: [id], personal });
  }
  return [...found.values()];
}

/** The students' words that an entry is to have as further wordings; `question` is its own. */
function wordings(question: string | undefined, asked: Asked[]): string[] {
  return asked.filter((each) => !each.personal && each.question !== question).map((each) => each.question);
}

/** The questions that are checked after a correction: the corrected one, and its wordings that the entry still has. */
function checkedOf(correction: Corrected | undefined, kept: string[]): string[] {
  if (!correction) return [];
  return [correction.wording, ...correction.others.filter((each) => kept.includes(each))];
}

/** Whether a question is that of a group, or of one that was joined to it. */
function isOfGroup(gap: Gap | undefined, question: string): boolean {
  return [gap?.question ?? "", ...(gap?.joined ?? [])].some(
    (each) => bareWords(each) === bareWords(question),
  );
}

function Form({
  gap,
  entry,
  correction,
  begun,
  onChange,
  onPublishing,
  leave,
  close,
  answerBy,
  editInstead,
}: {
  gap?: Gap | undefined;
  entry?: Entry | undefined;
  correction?: Corrected | undefined;
  begun?: KeptDraft<KeptEntry> | undefined;
  /** Told whether the form has something else than at first. */
  onChange: (isChanged: boolean) => void;
  /** Told whether it is being published. */
  onPublishing: (publishes: boolean) => void;
  leave: () => void;
  close: () => void;
  /** Answers the group by an entry that is there already. */
  answerBy?: ((entry: Entry) => void) | undefined;
  /** Drops what is written, and goes on with another entry. */
  editInstead: (entry: Entry) => void;
}) {
  const { say } = useTexts();
  const drafts = useDraftTexts();
  const queries = useQueryClient();
  const [kept, setKept] = useState(begun);
  const first = begun?.draft.fields ?? entry;
  const [question, setQuestion] = useState(first?.question ?? gap?.question ?? correction?.wording ?? "");
  const [all] = useState(() => questionsOf(gap));
  const [answered, setAnswered] = useState(() => all.filter((each) => isOfGroup(gap, each.question)));
  const own = entry ? entry.question : gap?.question;
  const [variants, setVariants] = useState(() => {
    const known = [
      ...(first?.variants ?? []),
      ...(correction ? [correction.wording, ...correction.others] : []),
      ...wordings(own, answered),
    ];
    return [...new Set(known)].filter((each) => each !== question).join("\n");
  });
  const [answer, setAnswer] = useState(first?.answer.trim() ?? "");
  const [topic, setTopic] = useState<string | null>(first?.topic ?? (gap?.topic || null));
  const [sources, setSources] = useState<Source[]>(first?.sources ?? []);
  const [version, setVersion] = useState(begun?.draft.seen ?? entry?.version ?? "");
  // Who asked a question of a gap waits for the answer; who was answered wrongly is written to when the advisor says so.
  const [told, setTold] = useState(begun ? begun.draft.tell.length > 0 : gap !== undefined);
  const [theirs, setTheirs] = useState<Theirs | undefined>(() =>
    begun && entry && begun.draft.seen !== entry.version ? { entry } : undefined,
  );
  const [students, setStudents] = useState(first?.applies_to ?? {});
  const [owner, setOwner] = useState(first?.owner ?? "");
  const [reviewed, setReviewed] = useState(first?.reviewed_at ?? "");
  const [confirmed, setConfirmed] = useState<string[]>([]);
  const [sameSeen, setSameSeen] = useState<string[]>([]);
  const [knowsSettled, setKnowsSettled] = useState(correction?.isSettled ?? false);
  const known = useQuery({ queryKey: ["sources", ""], queryFn: () => get<Vocabulary>("/faq/sources") });

  const lines = variants
    .split("\n")
    .map((each) => each.trim())
    .filter(Boolean);
  const asStudentAsked = begun || entry ? "" : (gap?.question ?? correction?.wording ?? "");
  const isPersonal = all.some((each) => each.personal && each.question === asStudentAsked);
  const [keepsWording, setKeepsWording] = useState(asStudentAsked !== "" && !isPersonal);
  /** Once the question is put in other words, those of the student become another wording. */
  const keepWording = () => {
    if (!keepsWording || bareWords(question) === bareWords(asStudentAsked)) return;
    setKeepsWording(false);
    if (!lines.includes(asStudentAsked)) setVariants([asStudentAsked, ...lines].join("\n"));
  };
  const mark = (asked: Asked, isAnswered: boolean) => {
    setAnswered(isAnswered ? [...answered, asked] : answered.filter((each) => each !== asked));
    const others = lines.filter((each) => each !== asked.question);
    setVariants([...others, ...(isAnswered ? wordings(own, [asked]) : [])].join("\n"));
  };
  const fields = {
    question,
    variants: lines,
    answer,
    topic: topic ?? "",
    sources,
    applies_to: named(students),
    owner,
    reviewed_at: reviewed,
  };
  const [atFirst] = useState(() => JSON.stringify(fields));
  const isChanged = JSON.stringify(fields) !== atFirst;
  useLayoutEffect(() => onChange(isChanged), [isChanged, onChange]);
  const settles = correction ? [correction.trace] : answered.flatMap((each) => each.ids);
  const corrects = {
    settles: begun?.draft.settles ?? settles,
    checks: begun?.draft.checks ?? checkedOf(correction, [question, ...lines]),
    follow_up: begun ? begun.draft.follow_up : (correction?.followUp ?? null),
  };
  const mayTell = corrects.settles.slice(0, MOST_TOLD);
  const tells = told ? mayTell : [];
  const asked = answered.map((each) => each.question).slice(0, MOST_TRIED);
  const trying = useMutation({
    mutationFn: () =>
      ask<Tried>("POST", "/faq/try", {
        ...fields,
        entry_id: entry?.id ?? "",
        version,
        checks: corrects.checks,
        questions: asked.length
          ? asked
          : [...new Set([...corrects.checks, question, ...fields.variants])].slice(0, MOST_TRIED),
      }),
    onError: onFault,
  });
  const keeping = useMutation({
    mutationFn: () => {
      const draft: KeptEntry = {
        kind: "entry",
        entry_id: entry?.id ?? "",
        fields,
        seen: entry ? version : "",
        ...corrects,
        tell: tells,
      };
      return kept
        ? ask<KeptDraft<KeptEntry>>("PUT", `/drafts/${kept.id}`, { version: kept.version, draft })
        : ask<KeptDraft<KeptEntry>>("POST", "/drafts", draft);
    },
    onSuccess: () => {
      tell(drafts("kept_on_faq"));
      void queries.invalidateQueries({ queryKey: DRAFTS });
      void queries.invalidateQueries({ queryKey: ["gaps"] });
      close();
    },
    onError: onFault,
  });
  const publishing = useMutation({
    mutationFn: () => {
      const published = {
        ...fields,
        ...corrects,
        public_contacts: confirmed,
        same_entries: sameSeen,
        tell: tells,
        knows_settled: knowsSettled,
        ...(kept && { draft: { id: kept.id, version: kept.version } }),
      };
      return entry
        ? ask<Published>("PUT", `/faq/entries/${encodeURIComponent(entry.id)}`, { ...published, version })
        : ask<Published>("POST", "/faq/entries", published);
    },
    onSuccess: (published) => {
      tell(say("entry.published"));
      if (published.told) tell(say("entry.told", { n: published.told }));
      if (published.untold?.length) tell(say("entry.untold", { n: published.untold.length }));
      void queries.invalidateQueries();
      close();
    },
    onError: onFault,
  });
  const publishes = publishing.isPending;
  useLayoutEffect(() => {
    onPublishing(publishes);
    return () => onPublishing(false);
  }, [publishes, onPublishing]);
  const latest = useMutation({
    mutationFn: async (fault: ApiError): Promise<Theirs> =>
      isDraftConflict(fault)
        ? { kept: await get<KeptDraft<KeptEntry>>(`/drafts/${kept!.id}`), fault }
        : { entry: await get<Entry>(`/faq/entries/${encodeURIComponent(entry!.id)}`), fault },
    onSuccess: setTheirs,
  });
  function onFault(error: Error): void {
    if (isConflict(error) || isDraftConflict(error)) latest.mutate(error);
  }
  const goOn = (after: Theirs) => {
    if (after.kept) setKept(after.kept);
    else setVersion(after.entry.version);
    setTheirs(undefined);
    keeping.reset();
    publishing.reset();
    trying.reset();
  };
  const load = (after: Theirs) => {
    const now = fieldsOf(after);
    setQuestion(now.question);
    setVariants(now.variants.join("\n"));
    setAnswer(now.answer.trim());
    setTopic(now.topic);
    setSources(now.sources);
    setStudents(now.applies_to);
    setOwner(now.owner);
    setReviewed(now.reviewed_at);
    if (after.kept) setVersion(after.kept.draft.seen);
    goOn(after);
  };
  const preview = usePreview(answer, sources);
  const absent = absentFacts(preview?.answer ?? "");
  const shown = answer.includes("{{") ? (preview?.answer ?? "") : answer;
  const missing = [
    !question.trim() && say("entry.question"),
    !answer.trim() && say("entry.answer"),
    !topic && say("entry.topic"),
    question.length > MOST_LINE_CHARS && say("too_long", { name: say("entry.question") }),
    answer.length > MOST_ANSWER_CHARS && say("too_long", { name: say("entry.answer") }),
    lines.some((each) => each.length > MOST_LINE_CHARS) && say("too_long", { name: say("entry.variants") }),
    !isReadable(reviewed) && say("entry.reviewed_at"),
  ].filter((each) => each !== false);
  const complete = missing.length === 0;
  const refused = askedContacts(publishing.error);
  const contacts = refused.length ? refused : (trying.data?.contacts ?? []);
  const meanwhile = settledBy(publishing.error);
  const same = askedEntries(publishing.error);
  const fault =
    refused.length || meanwhile || same.length
      ? undefined
      : firstFault(keeping.error, publishing.error, trying.error, latest.error);
  // A new entry for what another one answers: the two would compete.
  // The answer that was just marked as wrong is no place for its question.
  const taken = entry
    ? undefined
    : trying.data?.replies.find((reply) => reply.now_by && reply.now_by !== correction?.wrong);
  const byThis = trying.data?.replies.filter((reply) => reply.by_this).length ?? 0;

  if (theirs !== undefined) {
    const now = fieldsOf(theirs);
    const cited = (each: Source) => [each.document, each.locator].filter(Boolean).join(" · ");
    const named = (id: string | null) => known.data?.topics.find((each) => each.id === id)?.name ?? id ?? "";
    const office = (id: string) => known.data?.offices.find((each) => each.id === id)?.name ?? id;
    const parts = [
      { name: say("entry.question"), mine: question, theirs: now.question },
      { name: say("entry.answer"), mine: answer.trim(), theirs: now.answer.trim() },
      { name: say("entry.variants"), mine: lines.join("\n"), theirs: now.variants.join("\n") },
      { name: say("entry.topic"), mine: named(topic), theirs: named(now.topic) },
      {
        name: say("entry.sources"),
        mine: sources.map(cited).join("\n"),
        theirs: now.sources.map(cited).join("\n"),
      },
      {
        name: say("applies.title"),
        mine: studentsText(fields.applies_to),
        theirs: studentsText(now.applies_to),
      },
      { name: say("entry.owner"), mine: office(owner), theirs: office(now.owner) },
      { name: say("entry.reviewed_at"), mine: reviewed, theirs: now.reviewed_at },
    ];
    return (
      <Conflict
        title={theirs.kept ? drafts("conflict") : say("entry.conflict")}
        fault={theirs.fault}
        of={theirs.kept ? "draft" : "file"}
        parts={parts}
        loadTheirs={() => load(theirs)}
        takeLatest={() => goOn(theirs)}
      />
    );
  }
  return (
    <Stack>
      <ChangedSources sources={entry?.changed_sources ?? []} />
      {kept && (
        <DraftState
          kept={kept}
          isChanged={isChanged}
          isOfGone={!entry && kept.draft.entry_id !== ""}
          setKept={setKept}
          discarded={close}
          onFault={onFault}
        />
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack gap="sm">
          {all.length > 1 && <Answered all={all} answered={answered} mark={mark} />}
          <SentenceField
            most={MOST_LINE_CHARS}
            label={say("entry.question")}
            description={say("entry.question_help")}
            value={question}
            set={setQuestion}
            onBlur={keepWording}
            required
          />
          <LimitedText
            most={MOST_ANSWER_CHARS}
            label={say("entry.answer")}
            description={say("entry.answer_help")}
            autosize
            minRows={5}
            maxRows={16}
            value={answer}
            onChange={(event) => setAnswer(event.currentTarget.value)}
            required
          />
          <AbsentFacts names={absent} />
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
            allowDeselect={false}
          />
          <Sources
            sources={sources}
            set={setSources}
            documents={known.data?.documents ?? []}
            near={[question, answer].join("\n")}
          />
          <AppliesTo dimensions={known.data?.dimensions ?? []} students={students} set={setStudents} />
          <ReviewFields
            review={{ owner, reviewed_at: reviewed }}
            set={(changed) => {
              setOwner(changed.owner ?? owner);
              setReviewed(changed.reviewed_at ?? reviewed);
            }}
          />
        </Stack>
        <Stack gap="sm">
          <ChannelPreview question={question || "…"} shown={shown} preview={preview} />
          <Button
            variant="light"
            onClick={() => trying.mutate()}
            loading={trying.isPending}
            disabled={!complete}
          >
            {say("entry.try")}
          </Button>
          <Invitations draft={complete ? { kind: "entry", entry_id: entry?.id ?? "", fields } : null} />
          <Doing task="try" pending={trying.isPending} />
          {taken && (
            <Alert color="orange" data-testid="taken">
              {say("entry.taken", { question: taken.question, entry: taken.now_by_question })}
              {answerBy && <ByThatEntry id={taken.now_by} isWritten={isChanged} answerBy={answerBy} />}
            </Alert>
          )}
          {trying.data && <CheckedQuestions checked={trying.data.checked} />}
          {trying.data && <OwnWordings {...trying.data.wordings} />}
          {trying.data && asked.length > 0 && (
            <Paper withBorder p="md" data-testid="tried">
              <Text size="sm" fw={600} mb="xs">
                {say("entry.now_answers", { n: byThis, all: trying.data.replies.length })}
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
      <PublicContacts contacts={contacts} confirmed={confirmed} confirm={setConfirmed} />
      <SameQuestion
        entries={same}
        dimensions={known.data?.dimensions ?? []}
        confirmed={sameSeen}
        confirm={setSameSeen}
        editInstead={editInstead}
      />
      {meanwhile && (
        <AlreadySettled
          settled={meanwhile}
          isTold={tells.length > 0}
          known={knowsSettled}
          know={setKnowsSettled}
        />
      )}
      {fault && (
        <Alert color="red" style={{ whiteSpace: "pre-wrap" }}>
          {errorText(say, fault, LABELS)}
        </Alert>
      )}
      <NoVersions />
      <Doing task="publish" pending={publishing.isPending} />
      <Missing names={missing} />
      <Group justify="space-between">
        {gap || mayTell.length ? (
          <Checkbox
            checked={told}
            onChange={(event) => setTold(event.currentTarget.checked)}
            disabled={!mayTell.length}
            label={say("entry.tell")}
          />
        ) : entry && !begun ? (
          <Removal
            name={entry.question}
            remove={() => ask("POST", `/faq/entries/${encodeURIComponent(entry.id)}/removal`, { version })}
            removed={close}
          />
        ) : (
          <span />
        )}
        <Group>
          <Button variant="default" onClick={leave}>
            {say("cancel")}
          </Button>
          <Button
            variant="light"
            onClick={() => keeping.mutate()}
            loading={keeping.isPending}
            disabled={!complete}
          >
            {drafts("keep")}
          </Button>
          <Button onClick={() => publishing.mutate()} loading={publishing.isPending} disabled={!complete}>
            {say("entry.publish")}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

/** Which of the entry's own wordings, typed with or without diacritics, do not get its answer. */
function OwnWordings({ count, missed }: Tried["wordings"]) {
  const { say } = useTexts();
  return (
    <Alert color={missed.length ? "orange" : "green"} data-testid="own-wordings">
      <Text size="sm">
        {say(missed.length ? "entry.wordings_missed" : "entry.wordings_hold", { n: count })}
      </Text>
      <Stack gap={6}>
        {missed.map((each) => (
          <Group key={each.question} justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm">
              {each.question}
              {each.by_question && (
                <Text span size="xs" c="dimmed">
                  {" "}
                  → {each.by_question}
                </Text>
              )}
            </Text>
            <DecisionBadge decision={each.decision} />
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}

/** Goes on with the entry that answers a question already; what was written of a new one is asked for first. */
function ByThatEntry({
  id,
  isWritten,
  answerBy,
}: {
  id: string;
  isWritten: boolean;
  answerBy: (entry: Entry) => void;
}) {
  const said = useGapTexts();
  const opening = useOpenedEntry(answerBy);
  const look = {
    name: said("by_that"),
    size: "xs",
    mt: "xs",
    variant: "light",
    color: "orange",
  } as const;
  return isWritten ? (
    <AskFirst
      {...look}
      text={said("by_that_text")}
      act={(done) => opening.mutate(id, { onSettled: done })}
      pending={opening.isPending}
    />
  ) : (
    <Button {...look} onClick={() => opening.mutate(id)} loading={opening.isPending}>
      {look.name}
    </Button>
  );
}

/** The questions of a group: those that are marked are answered by the entry, and sent to who asked them. */
function Answered({
  all,
  answered,
  mark,
}: {
  all: Asked[];
  answered: Asked[];
  mark: (asked: Asked, isAnswered: boolean) => void;
}) {
  const { say } = useTexts();
  return (
    <Checkbox.Group
      label={say("entry.answers")}
      description={say("entry.answers_help")}
      value={answered.map((each) => each.question)}
    >
      <Stack gap={6} mt={6} mah={220} style={{ overflowY: "auto" }} data-testid="answers">
        {all.map((each) => (
          <Checkbox
            key={each.question}
            value={each.question}
            label={each.question}
            onChange={(event) => mark(each, event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function Sources({
  sources,
  set,
  documents,
  near,
}: {
  sources: Source[];
  set: (sources: Source[]) => void;
  documents: Vocabulary["documents"];
  /** What the sources are for: the clauses nearest to it are shown first. */
  near: string;
}) {
  const { say } = useTexts();
  const [text, setText] = useState("");
  const [focused, setFocused] = useState(false);
  const [wanted] = useDebouncedValue(text.trim(), 250);
  const about = near.trim().slice(0, MAX_NEAR_CHARS);
  const found = useQuery({
    queryKey: ["sources", wanted, about],
    queryFn: () => get<Vocabulary>(withQuery("/faq/sources", { text: wanted, near: about })),
    enabled: focused && (wanted.length > 1 || about !== ""),
    placeholderData: keepPreviousData,
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
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        renderOption={({ option }) => (
          <div>
            <Text size="sm">{option.value}</Text>
            <Text size="xs" c="dimmed" lineClamp={2}>
              {clauses.find((each) => label(each) === option.value)?.text}
            </Text>
          </div>
        )}
        maxDropdownHeight={320}
      />
      {found.isSuccess && !found.isPlaceholderData && clauses.length === 0 && (
        <Text size="xs" c="dimmed" role="status">
          {say(wanted ? "entry.no_source" : "entry.no_near_source")}
        </Text>
      )}
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
