import {
  Alert,
  Anchor,
  Badge,
  Button,
  Group,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Text,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconCalculator, IconPlus } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router-dom";
import {
  ask,
  get,
  withQuery,
  type Fact,
  type KeptCalculator,
  type KeptDraft,
  type KeptFact,
  type Me,
  type TriedFact,
  type UsedFact,
  isConflict,
  type CalculatorList,
  type FactPage,
  type SavedFact,
} from "../api";
import { CalculatorDetail, NewCalculator } from "../parts/CalculatorDetail";
import { PreviewButton } from "../parts/ChannelPreview";
import { CheckedQuestions } from "../parts/CheckedQuestions";
import { Clauses } from "../parts/Clauses";
import { Invitations } from "../parts/Invitations";
import { useKeeping, useOpenedDraft } from "../parts/keeping";
import { KeptDrafts } from "../parts/KeptDrafts";
import { PublishButtons, usePublishing } from "../parts/Publishing";
import { Removal } from "../parts/Removal";
import { Back, Empty, Failed, Page, errorText, tell, Waiting, More } from "../parts/parts";
import { hasWords } from "../loose_search";
import { dayText, useTexts } from "../texts";
import { useMutation } from "../parts/acting";
import { mayLeave, useAsking } from "../parts/leaving";
import { LimitedInput, MOST_LINE_CHARS, MOST_FACT_NAME_CHARS } from "../parts/LimitedInput";
import { Missing } from "../parts/Missing";
import { ListRow } from "../parts/ListRow";
import { SearchBox } from "../parts/SearchBox";
import { EntryNames } from "../parts/EntryNames";
import { FACT } from "../parts/fact_names";
import { FactReview } from "../parts/FactReview";
import { ALL, DueFilter, isWanted, OwnerFilter } from "../parts/Review";
import { SentenceField } from "../parts/SentenceField";
import { useReviewTexts } from "../parts/review_texts";

/** In the address, in the place of what is new. */
const NEW = "~";

export default function Facts({ me }: { me: Me }) {
  const { say } = useTexts();
  const { id } = useParams();
  const go = useNavigate();
  // The full name of a fact that is to be added: it was named where there is none yet.
  const [query] = useSearchParams();
  const asked = query.get("name") ?? "";
  const isOfCalculator = (id && !id.startsWith(FACT) && !asked) || query.get("kind") === "calculator";
  const [kind, setKind] = useState<"facts" | "calculators">(isOfCalculator ? "calculators" : "facts");
  const mayWrite = me.rights.includes("publish");
  const leave = () => void go("/facts");
  const open = (of: string) => void go(`/facts/${encodeURIComponent(of)}`);
  const isNew = id === NEW && mayWrite;
  const factDrafts = useOpenedDraft<KeptFact>(id, "/facts", ({ part, name }) =>
    part === "same" || part === "changed" ? name : NEW,
  );
  const textDrafts = useOpenedDraft<KeptCalculator>(id, "/facts", ({ part, part_id }) =>
    part === "same" || part === "changed" ? part_id : NEW,
  );
  return (
    <Page
      title={say("facts.title")}
      intro={say("facts.intro")}
      aside={
        <Group gap="xs">
          <SegmentedControl
            value={kind}
            onChange={(chosen) => {
              if (!mayLeave()) return;
              leave();
              setKind(chosen as typeof kind);
            }}
            data={[
              { value: "facts", label: say("facts.facts") },
              { value: "calculators", label: say("facts.calculators") },
            ]}
          />
          {mayWrite && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => open(NEW)}>
              {say("topics.add")}
            </Button>
          )}
        </Group>
      }
    >
      {mayWrite &&
        (kind === "facts" ? (
          <KeptDrafts key={kind} kind="fact" open={factDrafts.open} />
        ) : (
          <KeptDrafts key={kind} kind="calculator" open={textDrafts.open} />
        ))}
      <div className={`two${id ? " open" : ""}`}>
        {kind === "facts" ? <FactList chosen={id} /> : <CalculatorList chosen={id} />}
        <div className="detail">
          {!id ? (
            <Text c="dimmed" size="sm">
              {say(kind === "facts" ? "facts.choose" : "calculators.choose")}
            </Text>
          ) : isNew ? (
            <Stack gap="sm">
              <Back name={kind === "facts" ? "facts.all" : "calculators.all"} go={leave} />
              <Text fw={600}>{say(kind === "facts" ? "facts.add" : "calculators.new")}</Text>
              {kind === "facts" ? (
                <NewFact
                  key={factDrafts.times}
                  begun={factDrafts.begun}
                  isOfGone={factDrafts.isOfGone}
                  group={asked.replace(/^facts\./, "")}
                  added={open}
                  cancel={leave}
                />
              ) : (
                <NewCalculator
                  key={textDrafts.times}
                  begun={textDrafts.begun}
                  isOfGone={textDrafts.isOfGone}
                  added={open}
                  leave={leave}
                />
              )}
            </Stack>
          ) : id.startsWith(FACT) ? (
            <FactDetail
              key={`${id} ${factDrafts.times}`}
              name={id}
              begun={factDrafts.begun}
              mayWrite={mayWrite}
              leave={leave}
            />
          ) : (
            <CalculatorDetail
              key={`${id} ${textDrafts.times}`}
              id={id}
              begun={textDrafts.begun}
              mayWrite={mayWrite}
              leave={leave}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

function FactList({ chosen }: { chosen: string | undefined }) {
  const { say, language } = useTexts();
  const reviews = useReviewTexts();
  const go = useNavigate();
  const [text, setText] = useState("");
  const [file, setFile] = useState<string | null>(null);
  const [review, setReview] = useState(ALL);
  const [wanted] = useDebouncedValue(text, 200);
  const found = useInfiniteQuery({
    queryKey: ["facts", wanted, file, review],
    queryFn: ({ pageParam }) =>
      get<FactPage>(
        withQuery("/facts", {
          text: wanted,
          file: file ?? undefined,
          owner: review.owner ?? undefined,
          due: review.due ? "true" : "",
          skip: pageParam || undefined,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, page) => sum + page.facts.length, 0);
      return shown < last.count ? shown : undefined;
    },
    placeholderData: keepPreviousData,
  });
  const facts = found.data?.pages.flatMap((page) => page.facts) ?? [];
  const first = found.data?.pages[0];
  return (
    <Stack gap={6} className="list">
      <SearchBox label={say("facts.search")} value={text} set={setText} />
      <Select
        aria-label={say("facts.file")}
        placeholder={say("facts.file")}
        clearable
        value={file}
        onChange={setFile}
        data={first?.files.map(({ file, label }) => ({ value: file, label })) ?? []}
      />
      <OwnerFilter filter={review} set={setReview} />
      <DueFilter filter={review} set={setReview} count={first?.due ?? 0} days={first?.due_days ?? 0} />
      {found.isPending ? (
        <Waiting />
      ) : found.error ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : facts.length === 0 ? (
        <Empty
          icon={<IconCalculator />}
          title={say(first?.files.length ? "nothing_found" : "facts.empty")}
          text={say(first?.files.length ? "facts.none_text" : "facts.empty_text")}
        />
      ) : (
        <>
          <Text size="xs" c="dimmed">
            {say("facts.count", { n: first?.count ?? 0 })}
          </Text>
          {facts.map((fact) => (
            <ListRow
              key={fact.name}
              chosen={fact.name === chosen}
              open={() => void go(`/facts/${encodeURIComponent(fact.name)}`)}
              testid="fact"
            >
              <Group justify="space-between" wrap="nowrap" align="start">
                <div style={{ minWidth: 0 }}>
                  <Text fw={600} size="sm" style={{ overflowWrap: "anywhere" }}>
                    {fact.label}
                  </Text>
                  <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                    {fact.value}
                  </Text>
                  <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                    {[
                      fact.note,
                      fact.reviewed_at && reviews("reviewed", { day: dayText(fact.reviewed_at, language) }),
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </Text>
                </div>
                <Uses fact={fact} />
              </Group>
            </ListRow>
          ))}
          <More list={found} />
        </>
      )}
    </Stack>
  );
}

function Uses({ fact: { used_by: by } }: { fact: Fact }) {
  const { say } = useTexts();
  const told = [
    by.entries ? say("facts.entries", { n: by.entries }) : "",
    by.calculators ? say("facts.by_calculators", { n: by.calculators }) : "",
  ].filter(Boolean);
  return (
    <Text size="xs" c={told.length ? "dimmed" : "orange"} ta="end" style={{ flexShrink: 0 }}>
      {told.length ? told.map((each) => <div key={each}>{each}</div>) : say("facts.unused")}
    </Text>
  );
}

function CalculatorList({ chosen }: { chosen: string | undefined }) {
  const { say, language } = useTexts();
  const reviews = useReviewTexts();
  const go = useNavigate();
  const [text, setText] = useState("");
  const [review, setReview] = useState(ALL);
  const found = useQuery({
    queryKey: ["calculators"],
    queryFn: () => get<CalculatorList>("/calculators"),
  });
  const shown = found.data?.calculators.filter(
    (each) => isWanted(review, each) && hasWords(`${each.question} ${each.id} ${each.topic}`, text),
  );
  return (
    <Stack gap={6} className="list">
      <SearchBox label={say("calculators.search")} value={text} set={setText} />
      <OwnerFilter filter={review} set={setReview} />
      <DueFilter
        filter={review}
        set={setReview}
        count={found.data?.calculators.filter(({ due }) => due).length ?? 0}
        days={found.data?.due_days ?? 0}
      />
      {found.isPending ? (
        <Waiting />
      ) : found.error ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : shown?.length === 0 ? (
        <Empty
          icon={<IconCalculator />}
          title={say(found.data.calculators.length ? "nothing_found" : "calculators.empty")}
          text={say(found.data.calculators.length ? "facts.none_text" : "calculators.empty_text")}
        />
      ) : (
        shown?.map((each) => (
          <ListRow
            key={each.id}
            chosen={each.id === chosen}
            open={() => void go(`/facts/${encodeURIComponent(each.id)}`)}
            testid="calculator"
          >
            <Group justify="space-between" wrap="nowrap" align="start">
              <div style={{ minWidth: 0 }}>
                <Text fw={550} size="sm">
                  {each.question}
                </Text>
                <Text size="xs" c="dimmed">
                  {[
                    each.id,
                    each.reviewed_at && reviews("reviewed", { day: dayText(each.reviewed_at, language) }),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </Text>
              </div>
              {each.faulty && (
                <Badge color="red" variant="light" tt="none" style={{ flexShrink: 0 }}>
                  {say("calculators.faulty")}
                </Badge>
              )}
            </Group>
          </ListRow>
        ))
      )}
    </Stack>
  );
}

function FactDetail({
  name,
  begun,
  mayWrite,
  leave,
}: {
  name: string;
  begun: KeptDraft<KeptFact> | undefined;
  mayWrite: boolean;
  leave: () => void;
}) {
  const found = useQuery({
    queryKey: ["fact", name],
    queryFn: () => get<UsedFact>(withQuery("/facts/value", { name })),
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const fact = found.data;
  return (
    <Stack gap="sm">
      <Back name="facts.all" go={leave} />
      <div>
        <Text fw={600} style={{ overflowWrap: "anywhere" }}>
          {fact.label}
        </Text>
        <Text size="sm" c="dimmed">
          {[short(name), `${fact.file}:${fact.line}`, mayWrite ? "" : fact.note].filter(Boolean).join(" · ")}
        </Text>
      </div>
      {mayWrite ? <FactForm fact={fact} begun={begun} leave={leave} /> : <Text size="lg">{fact.value}</Text>}
      <FactReview fact={fact} mayWrite={mayWrite} />
      <Users fact={fact} />
      {mayWrite && (
        <Removal
          name={fact.label}
          remove={() => ask("POST", "/facts/removal", { name, seen: fact.value, seen_note: fact.note })}
          removed={leave}
        />
      )}
    </Stack>
  );
}

function FactForm({
  fact,
  begun,
  leave,
}: {
  fact: UsedFact;
  begun: KeptDraft<KeptFact> | undefined;
  leave: () => void;
}) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const of = begun?.draft;
  const [value, setValue] = useState(of?.value ?? fact.value);
  const [note, setNote] = useState(of?.note ?? fact.note);
  const [seen, setSeen] = useState({ value: of?.seen ?? fact.value, note: of?.seen_note ?? fact.note });
  const body = { name: fact.name, seen: seen.value, seen_note: seen.note, value, note };
  const keeping = useKeeping<KeptFact>({
    begun,
    draft: { kind: "fact", is_new: false, ...body },
    told: (draft) => ({ [say("facts.value")]: draft.value, [say("facts.note")]: draft.note }),
    fill: (draft) => {
      setValue(draft.value);
      setNote(draft.note);
      setSeen({ value: draft.seen, note: draft.seen_note });
    },
    discarded: leave,
  });
  const editing = usePublishing(
    () => ask<TriedFact>("POST", "/facts/try", body),
    async () => {
      await keeping.publish((of) => ask("PUT", "/facts/value", { ...body, ...of }));
      return { value, note };
    },
    async (sent) => {
      tell(say("facts.published"));
      editing.trying.reset();
      // As the file has it now, with single blanks: a second save is about this one. What was typed meanwhile stays.
      const now = await get<UsedFact>(withQuery("/facts/value", { name: fact.name }));
      setSeen({ value: now.value, note: now.note });
      setValue((typed) => (typed === sent.value ? now.value : typed));
      setNote((typed) => (typed === sent.note ? now.note : typed));
      void queries.invalidateQueries();
    },
    {
      title: say("facts.conflict"),
      mine: note ? `${value}  # ${note}` : value,
      latest: () => get<UsedFact>(withQuery("/facts/value", { name: fact.name })),
      see: (now) => setSeen({ value: now.value, note: now.note }),
      load: (now) => {
        setValue(now.value);
        setNote(now.note);
      },
    },
  );
  const isWritten = value.trim() !== seen.value || note.trim() !== seen.note;
  useAsking(isWritten && keeping.isChanged);
  if (editing.conflict ?? keeping.conflict) return editing.conflict ?? keeping.conflict;
  const missing = [
    !value.trim() && say("facts.value"),
    value.length > MOST_LINE_CHARS && say("too_long", { name: say("facts.value") }),
    note.length > MOST_LINE_CHARS && say("too_long", { name: say("facts.note") }),
  ];
  const isNew = isWritten && !missing.some(Boolean);
  return (
    <Stack gap="sm">
      {keeping.state}
      <SentenceField
        label={say("facts.value")}
        description={say("facts.value_help")}
        value={value}
        most={MOST_LINE_CHARS}
        set={(typed) => {
          setValue(typed);
          editing.reset();
        }}
      />
      <SentenceField
        label={say("facts.note")}
        description={say("facts.note_help")}
        value={note}
        most={MOST_LINE_CHARS}
        set={setNote}
      />
      <Missing names={missing} />
      <PublishButtons attempt={say("facts.try")} isNew={isNew} of={editing}>
        <Invitations draft={isNew ? { kind: "fact", name: fact.name, is_new: false, value, note } : null} />
        {keeping.button(isNew)}
      </PublishButtons>
      {editing.trying.data && <Changed tried={editing.trying.data} />}
      <FactBeside name={fact.name} />
    </Stack>
  );
}

/** A new fact in the same group: next year's value, or that of a new major. */
function FactBeside({ name }: { name: string }) {
  const { say } = useTexts();
  const go = useNavigate();
  const [opened, setOpened] = useState(false);
  if (!opened)
    return (
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        style={{ alignSelf: "start" }}
        onClick={() => setOpened(true)}
      >
        {say("facts.add")}
      </Button>
    );
  return (
    <NewFact
      group={short(name).replace(/[^.]*$/, "")}
      added={(added) => void go(`/facts/${encodeURIComponent(added)}`)}
      cancel={() => setOpened(false)}
    />
  );
}

function NewFact({
  begun,
  isOfGone = false,
  group,
  added,
  cancel,
}: {
  begun?: KeptDraft<KeptFact> | undefined;
  isOfGone?: boolean;
  /** With which its name begins. */
  group: string;
  added: (name: string) => void;
  cancel: () => void;
}) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const [name, setName] = useState(begun ? short(begun.draft.name) : group);
  const [value, setValue] = useState(begun?.draft.value ?? "");
  // Errors name a fact by its full name: it may be pasted here.
  const path = name.trim().replace(/^facts\./, "");
  const body = { name: `${FACT}${path}`, value };
  const keeping = useKeeping<KeptFact>({
    begun,
    draft: { kind: "fact", is_new: true, ...body, note: "", seen: "", seen_note: "" },
    told: (draft) => ({ [say("facts.name")]: short(draft.name), [say("facts.new_value")]: draft.value }),
    fill: (draft) => {
      setName(short(draft.name));
      setValue(draft.value);
    },
    discarded: cancel,
    isOfGone,
  });
  const saved = useAsking((name !== group || value !== "") && keeping.isChanged);
  const adding = useMutation({
    mutationFn: () => keeping.publish((of) => ask<SavedFact>("POST", "/facts", { ...body, ...of })),
    onSuccess: (made) => {
      tell(say("facts.added"));
      void queries.invalidateQueries();
      saved();
      added(made.name);
    },
  });
  if (keeping.conflict) return keeping.conflict;
  const isTaken = isConflict(adding.error);
  const isName = /^[\p{L}\p{N}_+-]+(\.[\p{L}\p{N}_+-]+)+$/u.test(path);
  const missing = [
    !isName && say("facts.name"),
    name.length > MOST_FACT_NAME_CHARS && say("too_long", { name: say("facts.name") }),
    !value.trim() && say("facts.new_value"),
    value.length > MOST_LINE_CHARS && say("too_long", { name: say("facts.new_value") }),
  ];
  return (
    <Paper
      withBorder
      p="sm"
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate();
      }}
    >
      <Stack gap="sm">
        <LimitedInput
          label={say("facts.name")}
          description={say("facts.name_help")}
          value={name}
          most={MOST_FACT_NAME_CHARS}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SentenceField label={say("facts.new_value")} value={value} most={MOST_LINE_CHARS} set={setValue} />
        {adding.error && (
          <Alert color="red" style={{ whiteSpace: "pre-wrap" }}>
            {isTaken ? say("facts.taken") : errorText(say, adding.error)}
          </Alert>
        )}
        <Missing names={missing} />
        <Group justify="end">
          <Button variant="subtle" color="gray" onClick={cancel}>
            {say("cancel")}
          </Button>
          {keeping.button(!missing.some(Boolean))}
          <Button type="submit" loading={adding.isPending} disabled={missing.some(Boolean)}>
            {say("topics.add")}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function Changed({ tried }: { tried: TriedFact }) {
  const { say } = useTexts();
  return (
    <>
      <Paper withBorder p="md" data-testid="changed">
        <Text size="sm" fw={600}>
          {say("facts.changed", { n: tried.count, calculators: tried.calculators })}
        </Text>
        <Stack gap="xs" mt="xs">
          {tried.changed.map((each) => (
            <div key={each.id}>
              <Text size="sm">{each.question}</Text>
              <div className="difference">
                {changedLines(each.before, each.after).map((line, place) => (
                  <div key={place} className={line[0] === "+" ? "added" : "removed"}>
                    {line}
                  </div>
                ))}
              </div>
              <PreviewButton question={each.question} answer={each.after} />
            </div>
          ))}
        </Stack>
      </Paper>
      <CheckedQuestions checked={tried.checked} />
    </>
  );
}

/** The lines that differ; a value changes words inside of lines, so both have as many. */
function changedLines(before: string, after: string): string[] {
  const now = after.split("\n");
  return before
    .split("\n")
    .flatMap((line, place) => (line === now[place] ? [] : [`- ${line}`, `+ ${now[place] ?? ""}`]));
}

function Users({ fact }: { fact: UsedFact }) {
  const { say } = useTexts();
  return (
    <>
      <div>
        <Text size="sm" fw={600}>
          {say("facts.users")}
        </Text>
        {fact.entries.length + fact.calculators.length === 0 && (
          <Text size="sm" c="dimmed">
            {say("facts.no_users")}
          </Text>
        )}
        {fact.calculators.map((each) => (
          <Text key={each.id} size="sm">
            <Anchor component={Link} to={`/facts/${encodeURIComponent(each.id)}`} size="sm">
              {each.question}
            </Anchor>{" "}
            <Text span size="xs" c="dimmed">
              {say("facts.calculator")} · {each.id}
            </Text>
          </Text>
        ))}
        <EntryNames entries={fact.entries} />
      </div>
      <Clauses clauses={fact.clauses} value={fact.value} />
    </>
  );
}

const short = (name: string) => name.slice(FACT.length);
