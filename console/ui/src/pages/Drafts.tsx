/** The drafts of all kinds: reviewed ones are checked together, and published as one version. */
import { Alert, Anchor, Badge, Checkbox, Group, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconNotes } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import {
  ApiError,
  ask,
  get,
  withQuery,
  type KeptEdit,
  type ListedDraft,
  type Me,
  type OldContacts,
  type PublishedTogether,
  type Vocabulary,
  type KeptDraftList,
} from "../api";
import { useMutation } from "../parts/acting";
import { AlreadySettled, settledBy } from "../parts/AlreadySettled";
import { AskFirst } from "../parts/AskFirst";
import { SavedBy, Side } from "../parts/Conflict";
import { Doing } from "../parts/Doing";
import { DraftCheck } from "../parts/DraftCheck";
import { DraftTable, nameOf } from "../parts/DraftTable";
import { DRAFTS } from "../parts/KeptDrafts";
import { OldContactPlaces } from "../parts/OldContactPlaces";
import { Empty, Failed, Page, Waiting } from "../parts/parts";
import { askedContacts, PublicContacts } from "../parts/PublicContacts";
import { Fault } from "../parts/Removal";
import { askedEntries, SameQuestion } from "../parts/SameQuestion";
import { useTogetherTexts } from "../parts/together_texts";

/** As many as the API takes. */
const MOST = 50;

/** A draft of something that has changed since it was begun. */
interface ChangedPart {
  id: number;
  name: string;
  mine: string;
  theirs: string;
  saved: { name: string; at: number } | null;
}

/** What an editor has seen of what must be confirmed. */
interface Seen {
  public_contacts: string[];
  same_entries: string[];
  knows_settled: boolean;
}

/** The refusals that ask for a confirmation. */
const ASKS = ["already_settled", "unlisted_contacts", "same_question"];

const NOTHING_SEEN: Seen = { public_contacts: [], same_entries: [], knows_settled: false };

/** The page of each kind, which opens the draft that its address names. */
const PAGES: Record<KeptEdit["kind"], string> = {
  entry: "/faq",
  fact: "/facts",
  calculator: "/facts",
  document: "/documents",
  topic: "/topics",
  part: "/topics",
};

const addressOf = ({ id, kind }: Pick<ListedDraft, "id" | "kind">) =>
  withQuery(PAGES[kind], { draft: id, kind });

const mayBeChosen = ({ state, part }: ListedDraft) =>
  state === "reviewed" && (part === "same" || part === "new");

export default function Drafts(_: { me: Me }) {
  const say = useTogetherTexts();
  const [chosen, setChosen] = useState<number[]>([]);
  const [done, setDone] = useState<PublishedTogether>();
  const [refused, setRefused] = useState<Error>();
  const found = useQuery({
    queryKey: [...DRAFTS, "all"],
    queryFn: () => get<KeptDraftList>("/drafts"),
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const all = found.data.drafts;
  const taken = all.filter((each) => mayBeChosen(each) && chosen.includes(each.id));
  const choose = (ids: number[]) => {
    setRefused(undefined);
    setChosen(ids);
  };
  return (
    <Page title={say("title")} intro={say("intro")}>
      {done && <Done of={done} />}
      {all.length ? (
        <>
          <List all={all} taken={taken} choose={choose} />
          {refused && <Refused error={refused} all={all} />}
          <Together
            key={taken.map(({ id, version }) => `${id}.${version}`).join(" ")}
            taken={taken}
            all={all}
            choose={choose}
            begun={() => {
              setDone(undefined);
              setRefused(undefined);
            }}
            refused={setRefused}
            published={(made) => {
              setDone(made);
              setChosen([]);
            }}
          />
        </>
      ) : (
        !done && <Empty icon={<IconNotes />} title={say("none")} text={say("none_text")} />
      )}
    </Page>
  );
}

function List({
  all,
  taken,
  choose,
}: {
  all: ListedDraft[];
  taken: ListedDraft[];
  choose: (ids: number[]) => void;
}) {
  const say = useTogetherTexts();
  const ready = all.filter(mayBeChosen);
  const ids = taken.map(({ id }) => id);
  const isFull = ids.length >= MOST;
  return (
    <Paper withBorder p="sm">
      <Checkbox
        label={say("choose_all")}
        disabled={!ready.length}
        checked={ready.length > 0 && ids.length === Math.min(ready.length, MOST)}
        indeterminate={ids.length > 0 && ids.length < Math.min(ready.length, MOST)}
        onChange={(event) =>
          choose(event.currentTarget.checked ? ready.slice(0, MOST).map(({ id }) => id) : [])
        }
      />
      <DraftTable
        drafts={all}
        testId="draft-row"
        lead={(each) => (
          <Checkbox
            aria-label={say("choose", { name: nameOf(each) })}
            checked={ids.includes(each.id)}
            disabled={!mayBeChosen(each) || (isFull && !ids.includes(each.id))}
            onChange={(event) =>
              choose(
                event.currentTarget.checked ? [...ids, each.id] : ids.filter((other) => other !== each.id),
              )
            }
          />
        )}
        opener={(each) => (
          <Anchor component={Link} to={addressOf(each)} size="sm">
            {nameOf(each)}
          </Anchor>
        )}
        kind={{ head: say("kind"), of: (each) => say(`kind.${each.kind}`) }}
      />
      {(ready.length < all.length || isFull) && (
        <Text size="xs" c="dimmed" mt="xs">
          {say(isFull ? "most" : "why_not", { n: MOST })}
        </Text>
      )}
    </Paper>
  );
}

/** The check and the publication of the chosen drafts. */
function Together({
  taken,
  all,
  choose,
  begun,
  refused,
  published,
}: {
  taken: ListedDraft[];
  all: ListedDraft[];
  choose: (ids: number[]) => void;
  begun: () => void;
  /** Called with why nothing was published, unless something is asked first. */
  refused: (error: Error) => void;
  published: (done: PublishedTogether) => void;
}) {
  const say = useTogetherTexts();
  const queries = useQueryClient();
  const [seen, setSeen] = useState(NOTHING_SEEN);
  const known = useQuery({ queryKey: ["sources", ""], queryFn: () => get<Vocabulary>("/faq/sources") });
  const refs = taken.map(({ id, version }) => ({ id, version })).sort((one, other) => one.id - other.id);
  const publishing = useMutation({
    mutationFn: () => ask<PublishedTogether>("POST", "/drafts/publication", { drafts: refs, ...seen }),
    onMutate: begun,
    onSuccess: (done) => {
      published(done);
      void queries.invalidateQueries();
    },
    onError: (error) => {
      if (error instanceof ApiError && ASKS.includes(error.code)) return;
      refused(error);
      void queries.invalidateQueries({ queryKey: DRAFTS });
    },
  });
  const { error } = publishing;
  const settled = settledBy(error);
  const n = taken.length;
  return (
    <Stack gap="sm">
      <DraftCheck
        draft={{ kind: "set", drafts: refs }}
        ready={n > 0}
        load={({ drafts }) =>
          choose(all.filter(({ id }) => drafts.some((each) => each.id === id)).map(({ id }) => id))
        }
      />
      {settled && (
        <AlreadySettled
          settled={settled}
          isTold
          known={seen.knows_settled}
          know={(knows_settled) => setSeen({ ...seen, knows_settled })}
        />
      )}
      <PublicContacts
        contacts={askedContacts(error)}
        confirmed={seen.public_contacts}
        confirm={(public_contacts) => setSeen({ ...seen, public_contacts })}
      />
      <SameQuestion
        entries={askedEntries(error)}
        dimensions={known.data?.dimensions ?? []}
        confirmed={seen.same_entries}
        confirm={(same_entries) => setSeen({ ...seen, same_entries })}
      />
      <Doing task="publish" pending={publishing.isPending} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {n ? say("chosen", { n }) : say("choose_first")}
        </Text>
        <AskFirst
          name={n ? say("publish", { n }) : say("confirm")}
          text={say("publish_text", { n })}
          confirm={say("confirm")}
          disabled={!n}
          pending={publishing.isPending}
          act={(closeIt) => publishing.mutate(undefined, { onSettled: closeIt })}
        />
      </Group>
    </Stack>
  );
}

/** Why nothing was published. */
function Refused({ error, all }: { error: Error; all: ListedDraft[] }) {
  const say = useTogetherTexts();
  const code = error instanceof ApiError ? error.code : "";
  const detail = error instanceof ApiError ? error.detail : {};
  if (code === "not_reviewed" || code === "same_part")
    return <Alert color="red">{say(code, { names: (detail.drafts as string[]).join("; ") })}</Alert>;
  if (code === "draft_conflict" || code === "no_kept_draft") return <Alert color="orange">{say(code)}</Alert>;
  if (code !== "parts_changed") return <Fault error={error} />;
  const changed = detail.changed as ChangedPart[];
  return (
    <Stack gap="sm" data-testid="conflict">
      <Alert color="orange" title={say("changed", { n: changed.length })}>
        {say("changed_text")}
      </Alert>
      {changed.map(({ id, name, mine, theirs, saved }) => {
        const listed = all.find((each) => each.id === id);
        return (
          <Paper key={id} withBorder p="sm">
            <Group justify="space-between" gap="xs" mb="xs">
              <Text fw={600} size="sm">
                {name}
              </Text>
              {listed && (
                <Anchor component={Link} to={addressOf(listed)} size="sm">
                  {say("open")}
                </Anchor>
              )}
            </Group>
            <SavedBy saved={saved} />
            <SimpleGrid cols={{ base: 1, md: 2 }} mt="xs">
              <Side name={say("mine")} text={mine} other={theirs} />
              {theirs ? (
                <Side name={say("theirs")} text={theirs} other={mine} />
              ) : (
                <Badge color="orange" variant="light" tt="none">
                  {say("gone")}
                </Badge>
              )}
            </SimpleGrid>
          </Paper>
        );
      })}
    </Stack>
  );
}

/** What was published, and what to look at besides. */
function Done({ of }: { of: PublishedTogether }) {
  const say = useTogetherTexts();
  const [contacts, setContacts] = useState<OldContacts>(of.old_contacts);
  return (
    <Stack gap="sm">
      <Alert color="green" data-testid="published">
        <Text size="sm">{say(of.is_live ? "done" : "done_building", { n: of.count })}</Text>
        {of.told > 0 && <Text size="sm">{say("told", { n: of.told })}</Text>}
        {of.untold.length > 0 && <Text size="sm">{say("untold", { n: of.untold.length })}</Text>}
        {of.commit && (
          <Anchor component={Link} to={`/versions/${of.commit}`} size="sm">
            {say("undo")}
          </Anchor>
        )}
      </Alert>
      {of.warnings.map((each) => (
        <Alert key={each} color="yellow" data-testid="warning">
          {each}
        </Alert>
      ))}
      {contacts.count > 0 && <OldContactPlaces of={contacts} changed={setContacts} />}
    </Stack>
  );
}
