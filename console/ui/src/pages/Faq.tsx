import { Badge, Button, Chip, Group, Select, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconBooks, IconPlus } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import {
  get,
  withQuery,
  type Entry,
  type KeptDraft,
  type KeptEntry,
  type Me,
  type Vocabulary,
  type EntryPage,
} from "../api";
import { AppliesBadges } from "../parts/AppliesBadges";
import { CheckedList } from "../parts/CheckedList";
import { KeptDrafts } from "../parts/KeptDrafts";
import { EntryForm } from "../parts/EntryForm";
import { EntryReading } from "../parts/EntryReading";
import { Empty, Failed, More, Page, Waiting } from "../parts/parts";
import { QueryRules } from "../parts/QueryRules";
import { Spreadsheet } from "../parts/Spreadsheet";
import { dayText, useTexts } from "../texts";
import { ALL, DueFilter, OwnerFilter } from "../parts/Review";
import { ListRow } from "../parts/ListRow";
import { SearchBox } from "../parts/SearchBox";
import { EntryLines } from "../parts/EntryLines";
import { useOpenedEntry, useOpenedEntryDraft } from "../parts/opened_entry";
import { NearDuplicates, useNearDuplicates } from "../parts/NearDuplicates";
import { useNearDuplicateTexts } from "../parts/near_duplicate_texts";

export default function Faq({ me }: { me: Me }) {
  const { say, language } = useTexts();
  const sayNear = useNearDuplicateTexts();
  const [text, setText] = useState("");
  const [topic, setTopic] = useState<string | null>(null);
  const [review, setReview] = useState(ALL);
  const [outdated, setOutdated] = useState(false);
  const [changed, setChanged] = useState(false);
  const [near, setNear] = useState(false);
  const [wanted] = useDebouncedValue(text, 200);
  const [editing, setEditing] = useState<Entry>();
  const [adding, setAdding] = useState(false);
  const [kept, setKept] = useState<KeptDraft<KeptEntry>>();
  const mayWrite = me.rights.includes("publish");
  const known = useQuery({
    queryKey: ["sources", ""],
    queryFn: () => get<Vocabulary>("/faq/sources"),
  });
  const found = useInfiniteQuery({
    queryKey: ["faq", wanted, topic, outdated, changed, review],
    queryFn: ({ pageParam }) =>
      get<EntryPage>(
        withQuery("/faq", {
          text: wanted,
          topic: topic ?? undefined,
          owner: review.owner ?? undefined,
          outdated: outdated ? "true" : "",
          changed: changed ? "true" : "",
          due: review.due ? "true" : "",
          skip: pageParam || undefined,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, page) => sum + page.entries.length, 0);
      return last.entries.length && shown < last.count ? shown : undefined;
    },
    placeholderData: keepPreviousData,
  });
  const duplicates = useNearDuplicates(false).data?.pages.at(-1);
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? [];
  const latest = found.data?.pages.at(-1);
  const opening = useOpenedEntry(setEditing);
  const { id } = useParams();
  const go = useNavigate();
  const open = opening.mutate;
  useEffect(() => {
    if (id) open(id);
    // The action is another function at each drawing: an address opens its entry once.
  }, [id]);
  const openingDraft = useOpenedEntryDraft((opened) => {
    setEditing(opened.entry);
    setKept(opened.kept);
  });
  const close = () => {
    setEditing(undefined);
    setKept(undefined);
    setAdding(false);
    if (id) void go("/faq");
  };
  const names = Object.fromEntries(known.data?.topics.map(({ id, name }) => [id, name]) ?? []);
  return (
    <Page
      title={say("faq.title")}
      intro={latest ? say("faq.count", { n: latest.count }) : ""}
      aside={
        <Group gap="xs">
          <QueryRules dimensions={known.data?.dimensions ?? []} mayWrite={mayWrite} />
          <CheckedList dimensions={known.data?.dimensions ?? []} mayWrite={mayWrite} />
          {mayWrite && (
            <>
              <Spreadsheet topics={known.data?.topics ?? []} />
              <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
                {say("faq.add")}
              </Button>
            </>
          )}
        </Group>
      }
    >
      {mayWrite && <KeptDrafts kind="entry" open={({ id }) => openingDraft.mutate(id)} />}
      <Group gap="xs">
        <SearchBox label={say("faq.search")} value={text} set={setText} style={{ flex: "1 1 14rem" }} />
        <Select
          aria-label={say("entry.topic")}
          placeholder={say("entry.topic")}
          clearable
          value={topic}
          onChange={setTopic}
          data={known.data?.topics.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        />
        <OwnerFilter filter={review} set={setReview} />
        {(outdated || !!latest?.outdated) && (
          <Chip checked={outdated} onChange={setOutdated} color="orange" variant="light">
            {say("faq.outdated", { n: latest?.outdated ?? 0 })}
          </Chip>
        )}
        {(changed || !!latest?.changed) && (
          <Chip checked={changed} onChange={setChanged} color="orange" variant="light">
            {say("faq.changed", { n: latest?.changed ?? 0 })}
          </Chip>
        )}
        <DueFilter filter={review} set={setReview} count={latest?.due ?? 0} days={latest?.due_days ?? 0} />
        {(near || !!duplicates?.near || !!duplicates?.differing) && (
          <Chip checked={near} onChange={setNear} color="orange" variant="light">
            {sayNear("chip", { n: duplicates?.near ?? 0 })}
          </Chip>
        )}
      </Group>
      {near ? (
        <NearDuplicates
          dimensions={known.data?.dimensions ?? []}
          mayWrite={mayWrite}
          open={(id) => opening.mutate(id)}
        />
      ) : found.isPending ? (
        <Waiting />
      ) : found.error ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : entries.length === 0 ? (
        <Empty icon={<IconBooks />} title={say("faq.empty")} text={say("faq.empty_text")} />
      ) : (
        <Stack gap={6}>
          {entries.map((entry) => (
            <ListRow key={entry.id} open={() => opening.mutate(entry.id)} testid="entry">
              <Group justify="space-between" align="start" gap="xs">
                <div style={{ flex: "1 1 14rem", minWidth: 0 }}>
                  <EntryLines question={entry.question} answer={entry.answer} />
                  <AppliesBadges dimensions={known.data?.dimensions ?? []} students={entry.applies_to} />
                </div>
                <Stack gap={4} className="marks" style={{ flexShrink: 0 }}>
                  {entry.outdated && (
                    <Badge variant="light" color="orange" tt="none">
                      {say("faq.source_over")}
                    </Badge>
                  )}
                  {entry.changed && (
                    <Badge variant="light" color="orange" tt="none">
                      {say("faq.source_changed")}
                    </Badge>
                  )}
                  <Badge variant="light" tt="none">
                    {names[entry.topic] ?? entry.topic}
                  </Badge>
                  <Text size="xs" c="dimmed">
                    {say("faq.variants", { n: entry.variants })}
                    {entry.reviewed_at && ` · ${dayText(entry.reviewed_at, language)}`}
                  </Text>
                </Stack>
              </Group>
            </ListRow>
          ))}
          {found.hasNextPage && (
            <Text size="sm" c="dimmed" ta="center">
              {say("faq.shown", { shown: entries.length, n: latest?.count ?? 0 })}
            </Text>
          )}
          <More list={found} />
        </Stack>
      )}
      {mayWrite ? (
        <EntryForm
          entry={editing}
          kept={kept}
          opened={editing !== undefined || kept !== undefined || adding}
          close={close}
        />
      ) : (
        <EntryReading entry={editing} known={known.data} close={close} />
      )}
    </Page>
  );
}
