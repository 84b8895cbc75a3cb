import {
  Alert,
  Badge,
  Button,
  FileButton,
  Group,
  MultiSelect,
  Paper,
  Progress,
  Select,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  TextInput,
} from "@mantine/core";
import { IconAlertTriangle, IconDownload, IconFileText, IconTrash, IconUpload } from "@tabler/icons-react";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type DragEvent } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router-dom";
import {
  ask,
  get,
  isConflict,
  upload,
  withQuery,
  type ApiError,
  type DocumentFields,
  type DocumentList,
  type Draft,
  type KeptDocument,
  type KeptDraft,
  type Me,
  type ReadDocument,
  type Vocabulary,
  type NodeList,
  type DraftList,
} from "../api";
import { AppliesTo, named, studentsText } from "../parts/AppliesTo";
import { AskFirst } from "../parts/AskFirst";
import { Conflict } from "../parts/Conflict";
import { DateField } from "../parts/DateField";
import { isReadable } from "../parts/day_times";
import { DraftCheck, KeptChecks } from "../parts/DraftCheck";
import { Invitations } from "../parts/Invitations";
import { useKeeping, useOpenedDraft } from "../parts/keeping";
import { KeptDrafts } from "../parts/KeptDrafts";
import { LimitedInput, MOST_LINE_CHARS, MOST_ID_CHARS, MOST_ADDRESS_CHARS } from "../parts/LimitedInput";
import { Missing } from "../parts/Missing";
import { NearerEntries } from "../parts/NearerEntries";
import { NoVersions } from "../parts/NoVersions";
import { Reading, wrongPages } from "../parts/Reading";
import { Building } from "../parts/Building";
import { Fault, InUse } from "../parts/Removal";
import { Back, Empty, Failed, Page, errorText, tell, Waiting, firstFault } from "../parts/parts";
import { hasWords } from "../loose_search";
import { dayText, saying, useTexts } from "../texts";
import { useMutation } from "../parts/acting";
import { useAsking } from "../parts/leaving";
import { ListRow } from "../parts/ListRow";
import {
  ALL,
  DueFilter,
  isWanted,
  OwnerFilter,
  ReviewFields,
  ReviewLine,
  useOfficeName,
} from "../parts/Review";
import { useReviewTexts } from "../parts/review_texts";
import { SearchBox } from "../parts/SearchBox";
import { EntryNames } from "../parts/EntryNames";
import { SentenceField } from "../parts/SentenceField";

/** Texts of this page alone. */
const OWN = {
  vi: saying({
    must_mend: "Covan không đọc được tệp này",
    unreadable:
      "Sửa tệp rồi tải lên lại với tên {name}, hoặc gỡ nó. Covan chưa đọc được bản mới của văn bản nào khi tệp này còn hỏng.",
  }),
  en: saying({
    must_mend: "Covan cannot read this file",
    unreadable:
      "Mend the file and upload it again as {name}, or remove it. Covan reads no new text of any document while this file is broken.",
  }),
};

const BUILDING_MS = 3_000;
const DRAFT = "draft-";

interface Sending {
  name: string;
  share: number;
  fault?: string;
}

export default function Documents({ me }: { me: Me }) {
  const { say, language } = useTexts();
  const reviews = useReviewTexts();
  const { id } = useParams();
  const go = useNavigate();
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [review, setReview] = useState(ALL);
  const [sending, setSending] = useState<Sending[]>([]);
  const mayWrite = me.rights.includes("publish");
  const found = useQuery({
    queryKey: ["documents"],
    queryFn: () => get<DocumentList>("/documents"),
    refetchInterval: (query) => (query.state.data?.building ? BUILDING_MS : false),
  });
  const drafts = useQuery({
    queryKey: ["drafts"],
    queryFn: () => get<DraftList>("/documents/drafts"),
    enabled: mayWrite,
  });
  const kept = useOpenedDraft<KeptDocument>(id, "/documents", ({ upload, part_id }) =>
    upload ? `${DRAFT}${upload}` : part_id,
  );
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const { documents, waiting, building, building_s, build_failed, kinds, due_days } = found.data;

  async function send(files: File[]): Promise<void> {
    const report = (name: string, changed: Partial<Sending>) =>
      setSending((before) => before.map((each) => (each.name === name ? { ...each, ...changed } : each)));
    setSending(files.map(({ name }) => ({ name, share: 0 })));
    let last = "";
    for (const file of files) {
      try {
        const draft = await upload<Draft>(
          withQuery("/documents/drafts", { name: file.name }),
          file,
          (share) => report(file.name, { share }),
        );
        last = draft.draft;
        setSending((before) => before.filter((each) => each.name !== file.name));
      } catch (error) {
        report(file.name, { fault: errorText(say, error as Error) });
      }
      await queries.invalidateQueries({ queryKey: ["drafts"] });
    }
    if (last && files.length === 1) void go(`/documents/${DRAFT}${last}`);
  }
  const drop = (event: DragEvent) => {
    event.preventDefault();
    if (mayWrite) void send([...event.dataTransfer.files]);
  };
  const shown = documents.filter(
    (each) => isWanted(review, each) && hasWords(`${each.title} ${each.number} ${each.id}`, text),
  );
  const today = new Date().toISOString().slice(0, 10);
  return (
    <Page
      title={say("documents.title")}
      intro={say("documents.count", { n: documents.length })}
      aside={
        mayWrite && (
          <FileButton onChange={(files) => void send(files)} accept={kinds.join(",")} multiple>
            {(props) => (
              <Button {...props} leftSection={<IconUpload size={16} />}>
                {say("documents.upload")}
              </Button>
            )}
          </FileButton>
        )
      }
    >
      <Building building={building} since={found.dataUpdatedAt - 1000 * building_s} failed={build_failed} />
      {mayWrite && <KeptChecks under="/documents" />}
      {mayWrite && <KeptDrafts kind="document" open={kept.open} />}
      {sending.map(({ name, share, fault }) => (
        <Paper key={name} withBorder p="sm">
          <Text size="sm">{name}</Text>
          {fault ? (
            <Text size="sm" c="red">
              {fault}
            </Text>
          ) : (
            <Progress value={share * 100} animated aria-label={name} />
          )}
        </Paper>
      ))}
      <div
        className={`two${id ? " open" : ""}`}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
        data-testid="drop"
      >
        <Stack gap={6} className="list">
          {drafts.isLoading && <Waiting />}
          {drafts.data?.drafts.map((draft) => (
            <Row
              key={draft.draft}
              chosen={id === DRAFT + draft.draft}
              open={() => void go(`/documents/${DRAFT}${draft.draft}`)}
              title={draft.title}
              under={`${draft.name} · ${say("documents.passages", { n: draft.count })}`}
              badge={draft.problems.length ? "failed" : "draft"}
            />
          ))}
          {waiting.map((each) => (
            <Row
              key={each.file}
              testid="waiting-file"
              chosen={id === each.id}
              open={() => void go(`/documents/${encodeURIComponent(each.id)}`)}
              title={each.title}
              under={each.problems.length ? "" : each.file}
              badge={each.problems.length ? "failed" : "waiting"}
              problems={each.problems}
            />
          ))}
          <SearchBox label={say("documents.search")} value={text} set={setText} />
          <OwnerFilter filter={review} set={setReview} />
          <DueFilter
            filter={review}
            set={setReview}
            count={documents.filter(({ due }) => due).length}
            days={due_days}
          />
          {documents.length === 0 && !drafts.data?.drafts.length && (
            <Empty
              icon={<IconFileText />}
              title={say("documents.empty")}
              text={say("documents.empty_text", { kinds: kinds.join(", ") })}
            />
          )}
          {shown.map((each) => (
            <Row
              key={each.id}
              chosen={id === each.id}
              open={() => void go(`/documents/${encodeURIComponent(each.id)}`)}
              title={each.title}
              under={[
                each.number,
                say("documents.passages", { n: each.passages }),
                each.cited ? say("documents.cited", { n: each.cited }) : "",
                each.reviewed_at ? reviews("reviewed", { day: dayText(each.reviewed_at, language) }) : "",
              ]
                .filter(Boolean)
                .join(" · ")}
              badge={
                each.effective_to && each.effective_to < today
                  ? "over"
                  : each.effective_from > today
                    ? "later"
                    : ""
              }
            />
          ))}
        </Stack>
        <div className="detail">
          {id ? (
            <Detail
              key={`${id} ${kept.times}`}
              id={id}
              begun={kept.begun}
              mayWrite={mayWrite}
              documents={documents}
              leave={() => void go("/documents")}
            />
          ) : (
            <Text c="dimmed" size="sm">
              {say("documents.choose", { kinds: kinds.join(", ") })}
            </Text>
          )}
        </div>
      </div>
    </Page>
  );
}

type DocumentState = "draft" | "failed" | "waiting" | "over" | "later" | "";

const COLOURS: Record<Exclude<DocumentState, "">, string> = {
  draft: "blue",
  failed: "red",
  waiting: "yellow",
  over: "gray",
  later: "grape",
};

function State({ state }: { state: DocumentState }) {
  const { say } = useTexts();
  return (
    state && (
      <Badge variant="light" color={COLOURS[state]} tt="none" style={{ flexShrink: 0 }}>
        {say(`documents.state.${state}`)}
      </Badge>
    )
  );
}

function Row({
  chosen,
  open,
  title,
  under,
  badge,
  problems = [],
  testid = "document",
}: {
  chosen: boolean;
  open: () => void;
  title: string;
  under: string;
  badge: DocumentState;
  problems?: string[];
  testid?: string;
}) {
  return (
    <ListRow chosen={chosen} open={open} testid={testid}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <div>
          {/* The year of two editions of one text is at the end. */}
          <Text fw={550} size="sm" lineClamp={4}>
            {title}
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {under}
          </Text>
          {problems.map((told) => (
            <Text key={told} size="xs" c="red" style={{ overflowWrap: "anywhere" }}>
              {told}
            </Text>
          ))}
        </div>
        <State state={badge} />
      </Group>
    </ListRow>
  );
}

/** A draft or a published document: its passages, and its metadata to change. */
function Detail({
  id,
  begun,
  mayWrite,
  documents,
  leave,
}: {
  id: string;
  begun: KeptDraft<KeptDocument> | undefined;
  mayWrite: boolean;
  documents: { id: string; title: string }[];
  leave: () => void;
}) {
  const { say, language } = useTexts();
  const at = useSearchParams()[0].get("at") ?? "";
  const draft = id.startsWith(DRAFT) ? id.slice(DRAFT.length) : "";
  const address = draft ? `/documents/drafts/${draft}` : publishedAt(id);
  const [tab, setTab] = useState<string | null>(mayWrite && !at ? "about" : "passages");
  const found = useQuery({ queryKey: ["document", id], queryFn: () => get<ReadDocument>(address) });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const read = found.data;
  const own = OWN[language];
  const isUnreadable = !draft && read.problems.length > 0 && read.passages.length === 0;
  return (
    <Stack gap="sm">
      <Back name="documents.all" go={leave} always={tab === "passages"} />
      <Group justify="space-between" align="start">
        <div style={{ flex: "1 1 14rem" }}>
          <Text fw={600}>{read.title}</Text>
          <Text size="sm" c="dimmed">
            {read.name ?? read.file}
          </Text>
          {!mayWrite && <ReviewLine review={read.fields} />}
        </div>
        {!draft && read.file && (
          <Button
            component="a"
            href={`/api${address}/file`}
            target="_blank"
            rel="noreferrer"
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
          >
            {say("documents.original")}
          </Button>
        )}
      </Group>
      {read.problems.map((told) => (
        <Alert key={told} color="red" title={draft ? say("documents.must_mend") : own("must_mend")}>
          {told}
        </Alert>
      ))}
      {isUnreadable && mayWrite && (
        <Text size="sm">{own("unreadable", { name: read.file?.split("/").at(-1) ?? "" })}</Text>
      )}
      {read.warnings.map((told) => (
        <Alert key={told} color="yellow">
          {told}
        </Alert>
      ))}
      {draft && read.version && <Alert color="orange">{say("documents.replaces", { id: read.id })}</Alert>}
      {draft && mayWrite && read.passages.length > 0 && <NearerEntries address={address} />}
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="sm">
          {mayWrite && <Tabs.Tab value="about">{say("documents.about")}</Tabs.Tab>}
          <Tabs.Tab
            value="passages"
            rightSection={
              wrongPages(read.pages).length > 0 && (
                <IconAlertTriangle size={16} role="img" aria-label={say("documents.look_at")} />
              )
            }
          >
            {say("documents.passages", { n: read.passages.length })}
          </Tabs.Tab>
          {!draft && (
            <Tabs.Tab value="cited">{say("documents.cited", { n: read.cited_by?.length ?? 0 })}</Tabs.Tab>
          )}
        </Tabs.List>
        {mayWrite && (
          <Tabs.Panel value="about">
            <Metadata
              read={read}
              begun={begun}
              draft={draft}
              address={address}
              documents={documents}
              leave={leave}
            />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="passages">
          <Text size="xs" c="dimmed" mb="sm">
            {say("documents.passages_help")}
          </Text>
          <Reading read={read} address={address} at={at} previews={mayWrite && !draft && !read.several} />
        </Tabs.Panel>
        <Tabs.Panel value="cited">
          <Stack gap={4}>
            <EntryNames entries={read.cited_by ?? []} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** What stands in the folder by now, as the refusal tells of it; `version` is that to publish over. */
interface Theirs {
  fault: ApiError;
  version: string;
  published: ReadDocument;
}

/** The labels of a document's fields, in the order of the form. */
const LABELS = {
  title: "documents.name",
  number: "documents.number",
  issued: "documents.issued",
  effective_from: "documents.effective_from",
  effective_to: "documents.effective_to",
  topic: "entry.topic",
  supersedes: "documents.supersedes",
  course: "documents.course",
  applies_to: "applies.title",
  url: "documents.url",
  owner: "entry.owner",
  reviewed_at: "entry.reviewed_at",
} as const;

const FIELD_NAMES = Object.keys(LABELS) as (keyof typeof LABELS)[];

const MOST = { title: MOST_LINE_CHARS, number: MOST_ID_CHARS, url: MOST_ADDRESS_CHARS };
const LINES = ["title", "number", "url"] as const;
const DAYS = ["issued", "effective_from", "effective_to", "reviewed_at"] as const;

const MOST_DIFFERING = 80;

/** The lines of two texts that the other one lacks, `MOST_DIFFERING` of each at most. */
function differingLines(mine: string[], theirs: string[]): { mine: string; theirs: string } {
  const lacking = (own: string[], others: string[]) => {
    const known = new Set(others);
    const found = own.filter((line) => line && !known.has(line));
    return [...found.slice(0, MOST_DIFFERING), ...(found.length > MOST_DIFFERING ? ["…"] : [])].join("\n");
  };
  return { mine: lacking(mine, theirs), theirs: lacking(theirs, mine) };
}

const publishedAt = (id: string) => `/documents/published/${encodeURIComponent(id)}`;

function Metadata({
  read,
  begun,
  draft,
  address,
  documents,
  leave,
}: {
  read: ReadDocument;
  begun: KeptDraft<KeptDocument> | undefined;
  draft: string;
  address: string;
  documents: { id: string; title: string }[];
  leave: () => void;
}) {
  const { say } = useTexts();
  const queries = useQueryClient();
  // As it was when the form began: what a colleague saves meanwhile takes nothing of what is written.
  const [seen, setSeen] = useState({ version: begun?.draft.seen ?? read.version, fields: read.fields });
  // What is written about an upload stays when its page is left: nothing of it is saved before it is published.
  const stored = `covan-upload-${draft}`;
  const [fields, setField] = useState<DocumentFields>(() => ({
    ...read.fields,
    ...(begun?.draft.fields ??
      (JSON.parse((draft && sessionStorage.getItem(stored)) || "{}") as Partial<DocumentFields>)),
  }));
  const setFields = (all: DocumentFields) => {
    setField(all);
    if (draft) sessionStorage.setItem(stored, JSON.stringify(all));
  };
  const known = useQuery({ queryKey: ["sources", ""], queryFn: () => get<Vocabulary>("/faq/sources") });
  const change = (changed: Partial<DocumentFields>) => setFields({ ...fields, ...changed });
  const done = (said: "documents.discarded" | "documents.removed") => () => {
    tell(say(said));
    sessionStorage.removeItem(stored);
    void queries.invalidateQueries();
    leave();
  };
  const latest = useMutation({
    mutationFn: async (fault: ApiError): Promise<Theirs> => {
      const now = await get<ReadDocument>(address);
      const published = draft && now.version ? await get<ReadDocument>(publishedAt(now.id)) : now;
      return { fault, version: now.version, published };
    },
  });
  const onError = (error: Error) => {
    if (isConflict(error)) latest.mutate(error);
  };
  const publishing = useMutation({
    mutationFn: () => {
      const body = { ...fields, applies_to: named(fields.applies_to), version: seen.version };
      return keeping.publish((of) =>
        draft
          ? ask("POST", `${address}/publication`, { ...body, ...of })
          : ask("PUT", address, { ...body, ...of }),
      );
    },
    onSuccess: async () => {
      tell(say("documents.published"));
      sessionStorage.removeItem(stored);
      if (draft) leave();
      await queries.invalidateQueries();
      if (draft) return;
      const now = await get<ReadDocument>(address);
      setSeen({ version: now.version, fields: now.fields });
    },
    onError,
  });
  const discarding = useMutation({
    mutationFn: () => ask("DELETE", address),
    onSuccess: done("documents.discarded"),
  });
  const removal = useMutation({
    mutationFn: () => ask("POST", `${address}/removal`, { version: seen.version }),
    onSuccess: done("documents.removed"),
    onError,
  });
  const fault = firstFault(publishing.error, discarding.error, removal.error, latest.error);
  const blocked =
    read.problems.length > 0 ||
    (!draft && read.several) ||
    LINES.some((name) => fields[name].length > MOST[name]) ||
    DAYS.some((name) => !isReadable(fields[name]));
  // There is nothing yet to say of a file that cannot be read: it is replaced or taken away.
  const hasFields = read.passages.length > 0 || read.problems.length === 0;
  const uses = read.uses ?? [];
  const isReady = !blocked && (draft !== "" || JSON.stringify(fields) !== JSON.stringify(seen.fields));
  const edit = {
    kind: "document" as const,
    document_id: read.id,
    upload: draft,
    fields: { ...fields, applies_to: named(fields.applies_to) },
  };
  const title = (id: string) => documents.find((each) => each.id === id)?.title ?? id;
  const topic = (id: string) => known.data?.topics.find((each) => each.id === id)?.name ?? id;
  const office = useOfficeName();
  const told = (of: DocumentFields, name: keyof DocumentFields) => {
    if (name === "supersedes") return of.supersedes.map(title).join("\n");
    if (name === "applies_to") return studentsText(named(of.applies_to));
    if (name === "owner") return office(of.owner);
    return name === "topic" ? topic(of.topic) : of[name];
  };
  const keeping = useKeeping<KeptDocument>({
    begun,
    draft: { ...edit, seen: seen.version },
    told: ({ fields: of }) =>
      Object.fromEntries(FIELD_NAMES.map((name) => [say(LABELS[name]), told(of, name)])),
    fill: (of) => {
      setFields(of.fields);
      setSeen({ ...seen, version: of.seen });
    },
    discarded: leave,
  });
  useAsking(!draft && JSON.stringify(fields) !== JSON.stringify(seen.fields) && keeping.isChanged);
  if (keeping.conflict) return keeping.conflict;
  if (latest.data) {
    const { fault: refused, version, published } = latest.data;
    const lines = (text: string) => text.split("\n").map((line) => line.trim());
    const own = read.passages.flatMap(({ text }) => lines(text));
    const texts = draft
      ? [{ name: say("documents.text"), ...differingLines(own, lines(String(refused.detail.theirs))) }]
      : [];
    const goOn = () => {
      setSeen({ version, fields: published.fields });
      for (const each of [publishing, removal, latest]) each.reset();
      void queries.invalidateQueries({ queryKey: ["document"] });
    };
    return (
      <Conflict
        title={say("documents.conflict")}
        fault={refused}
        parts={[
          ...FIELD_NAMES.map((name) => ({
            name: say(LABELS[name]),
            mine: told(fields, name),
            theirs: told(published.fields, name),
          })),
          ...texts,
        ]}
        loadTheirs={() => {
          setFields(published.fields);
          goOn();
        }}
        takeLatest={goOn}
      />
    );
  }
  const line = (name: "number" | "url", placeholder = "") => (
    <LimitedInput
      label={say(LABELS[name])}
      placeholder={placeholder}
      value={fields[name]}
      most={MOST[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
  const day = (name: "issued" | "effective_from" | "effective_to") => (
    <DateField label={say(LABELS[name])} value={fields[name]} set={(value) => change({ [name]: value })} />
  );
  return (
    <Stack gap="sm">
      {keeping.state}
      {read.several && <Alert color="gray">{say("documents.several")}</Alert>}
      {hasFields && !read.several && (
        <>
          <SentenceField
            label={say(LABELS.title)}
            placeholder={read.title}
            value={fields.title}
            most={MOST.title}
            set={(title) => change({ title })}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            {line("number")}
            {day("issued")}
            {day("effective_from")}
            {day("effective_to")}
          </SimpleGrid>
          <Select
            label={say("entry.topic")}
            description={say("documents.topic_help")}
            searchable
            clearable
            value={fields.topic || null}
            onChange={(topic) => change({ topic: topic ?? "" })}
            data={known.data?.topics.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          />
          <MultiSelect
            label={say("documents.supersedes")}
            description={say("documents.supersedes_help")}
            searchable
            value={fields.supersedes}
            onChange={(supersedes) => change({ supersedes })}
            data={documents
              .filter(({ id }) => id !== read.id)
              .map(({ id, title }) => ({ value: id, label: title }))}
            maxDropdownHeight={260}
          />
          <CourseField value={fields.course} set={(course) => change({ course })} />
          <AppliesTo
            dimensions={known.data?.dimensions ?? []}
            students={fields.applies_to}
            set={(applies_to) => change({ applies_to })}
          />
          {line("url", "https://")}
          <ReviewFields review={fields} set={change} />
        </>
      )}
      {fault && <Fault error={fault} labels={LABELS} />}
      <NoVersions />
      <Missing
        names={[
          ...LINES.map(
            (name) => fields[name].length > MOST[name] && say("too_long", { name: say(LABELS[name]) }),
          ),
          ...DAYS.map((name) => !isReadable(fields[name]) && say(LABELS[name])),
        ]}
      />
      {hasFields && (
        <DraftCheck
          draft={edit}
          version={seen.version}
          ready={isReady}
          load={(kept, version) => {
            setFields(kept.fields);
            setSeen({ ...seen, version });
          }}
        />
      )}
      <Group justify="space-between">
        {draft ? (
          <AskFirst
            variant="subtle"
            color="gray"
            name={say("documents.discard")}
            text={say("documents.discard_text")}
            act={(done) => discarding.mutate(undefined, { onSettled: done })}
            pending={discarding.isPending}
          />
        ) : (
          <AskFirst
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={16} />}
            name={say("documents.remove")}
            text={say("documents.remove_text", { title: read.title })}
            refused={uses.length > 0}
            asking={
              uses.length > 0 ? (
                <InUse uses={uses} />
              ) : (
                hasFields && (
                  <DraftCheck
                    draft={{
                      kind: "removal",
                      of: "document",
                      section_id: "",
                      id: read.id,
                      name: read.title.slice(0, 300),
                    }}
                    version={seen.version}
                    ready
                  />
                )
              )
            }
            act={(done) => removal.mutate(undefined, { onSettled: done })}
            pending={removal.isPending}
          />
        )}
        {hasFields && (
          <Group gap="xs">
            <Invitations draft={isReady ? edit : null} />
            {keeping.button(isReady)}
            <Button loading={publishing.isPending} disabled={blocked} onClick={() => publishing.mutate()}>
              {say(draft ? (read.version ? "documents.replace" : "documents.publish") : "documents.save")}
            </Button>
          </Group>
        )}
      </Group>
    </Stack>
  );
}

/** The course that a document is study material of, found by code or name in the graph; a plain field without one. */
function CourseField({ value, set }: { value: string; set: (value: string) => void }) {
  const { say } = useTexts();
  const [text, setText] = useState("");
  const [wanted] = useDebouncedValue(text, 250);
  const found = useQuery({
    queryKey: ["courses", wanted],
    queryFn: () => get<NodeList>(withQuery("/graph/nodes", { types: "Course", text: wanted })),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const shared = { label: say("documents.course"), description: say("documents.course_help") };
  if (found.error)
    return <TextInput {...shared} value={value} onChange={(event) => set(event.currentTarget.value)} />;
  const names = new Map(found.data?.nodes.map(({ id, name }) => [id.slice(id.indexOf(":") + 1), name]));
  const codes = [...new Set([...(value ? [value] : []), ...names.keys()])];
  return (
    <Select
      {...shared}
      placeholder={say("documents.course_find")}
      searchable
      clearable
      value={value || null}
      onChange={(course) => set(course ?? "")}
      onSearchChange={setText}
      // The server has filtered them.
      filter={({ options }) => options}
      data={codes.map((code) => ({
        value: code,
        label: names.has(code) ? `${code} · ${names.get(code)}` : code,
      }))}
    />
  );
}
