/** Entries of the FAQ that nearly ask the same, side by side: opened, merged, or found to differ. */
import { Alert, Anchor, Badge, Button, Chip, Group, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconCopyCheck } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  ApiError,
  ask,
  get,
  isConflict,
  withQuery,
  type Dimension,
  type NearDuplicateList,
  type NearEntry,
  type NearPair,
} from "../api";
import { percentText, useTexts } from "../texts";
import { useMutation } from "./acting";
import { studentsNamed } from "./AppliesTo";
import { AskFirst } from "./AskFirst";
import { Conflict } from "./Conflict";
import { Markdown } from "./Markdown";
import { NoVersions, useKeepsVersions } from "./NoVersions";
import { useNearDuplicateTexts } from "./near_duplicate_texts";
import { Empty, Failed, More, tell, tellError, Waiting } from "./parts";
import { Fault } from "./Removal";

const LOOK_AGAIN_MS = 2_000;

/** Return the pairs that nearly ask the same, or those that were found to differ; renewed while they are looked for. */
export function useNearDuplicates(differing: boolean) {
  return useInfiniteQuery({
    queryKey: ["faq-duplicates", differing],
    queryFn: ({ pageParam }) =>
      get<NearDuplicateList>(
        withQuery("/faq/duplicates", { differing: differing ? "true" : "", skip: pageParam || undefined }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, page) => sum + page.pairs.length, 0);
      return last.pairs.length && shown < last.count ? shown : undefined;
    },
    refetchInterval: ({ state }) => (state.data?.pages.at(-1)?.searching ? LOOK_AGAIN_MS : false),
    placeholderData: keepPreviousData,
  });
}

export function NearDuplicates({
  dimensions,
  mayWrite,
  open,
}: {
  dimensions: Dimension[];
  mayWrite: boolean;
  open: (id: string) => void;
}) {
  const say = useNearDuplicateTexts();
  const [differing, setDiffering] = useState(false);
  const list = useNearDuplicates(differing);
  if (list.isPending) return <Waiting />;
  if (list.error) return <Failed error={list.error} retry={() => void list.refetch()} />;
  const pairs = list.data.pages.flatMap((page) => page.pairs);
  const latest = list.data.pages.at(-1);
  return (
    <Stack gap="sm" data-testid="near-duplicates">
      {latest?.searching && <Alert color="blue">{say("looking")}</Alert>}
      <Text size="sm" c="dimmed">
        {say("text")}
      </Text>
      {(differing || !!latest?.differing) && (
        <Chip checked={differing} onChange={setDiffering} variant="light">
          {say("differing", { n: latest?.differing ?? 0 })}
        </Chip>
      )}
      {pairs.length === 0 && !latest?.searching && (
        <Empty icon={<IconCopyCheck />} title={say("none")} text={say("none_text")} />
      )}
      {pairs.map((pair) => (
        <Pair
          key={pair.entries.map(({ id }) => id).join(" ")}
          of={pair}
          {...{ dimensions, mayWrite, open, differing }}
        />
      ))}
      <More list={list} />
    </Stack>
  );
}

function Pair({
  of: { likeness, entries, alike },
  dimensions,
  mayWrite,
  open,
  differing,
}: {
  of: NearPair;
  dimensions: Dimension[];
  mayWrite: boolean;
  open: (id: string) => void;
  differing: boolean;
}) {
  const say = useNearDuplicateTexts();
  const { say: sayAll, language } = useTexts();
  const queries = useQueryClient();
  const [one, other] = entries;
  const judging = useMutation({
    mutationFn: (differ: boolean) =>
      ask("PUT", "/faq/duplicates/differing", { one: one.id, other: other.id, differ }),
    onSuccess: (_, differ) => {
      tell(say(differ ? "differ_done" : "alike_done"));
      void queries.invalidateQueries({ queryKey: ["faq-duplicates"] });
    },
    onError: (error) => tellError(sayAll, error),
  });
  return (
    <Paper withBorder p="sm" data-testid="near-pair">
      <Group justify="space-between" mb="xs">
        <Badge variant="light" color="orange" tt="none">
          {say("likeness", { percent: percentText(likeness, language, 0) })}
        </Badge>
        {mayWrite && (
          <Button
            size="compact-sm"
            variant="default"
            loading={judging.isPending}
            onClick={() => judging.mutate(!differing)}
          >
            {say(differing ? "alike_again" : "differ")}
          </Button>
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
        <Side entry={one} other={other} {...{ dimensions, open }} mayMerge={mayWrite && !differing} />
        <Side entry={other} other={one} {...{ dimensions, open }} mayMerge={mayWrite && !differing} />
      </SimpleGrid>
      {alike > 1 && (
        <Text size="xs" c="dimmed" mt="xs">
          {say("alike", { n: alike - 1 })}
        </Text>
      )}
    </Paper>
  );
}

/** One of the two entries. */
function Side({
  entry,
  other,
  dimensions,
  mayMerge,
  open,
}: {
  entry: NearEntry;
  other: NearEntry;
  dimensions: Dimension[];
  mayMerge: boolean;
  open: (id: string) => void;
}) {
  const say = useNearDuplicateTexts();
  const { language } = useTexts();
  const students = studentsNamed(entry.applies_to, dimensions, language);
  return (
    <Stack gap={4} data-testid="near-entry" style={{ overflowWrap: "anywhere", minWidth: 0 }}>
      <Anchor component="button" type="button" ta="start" fw={550} size="sm" onClick={() => open(entry.id)}>
        {entry.question}
      </Anchor>
      {entry.variants.length > 0 && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {say("variants", { variants: entry.variants.join(" · ") })}
        </Text>
      )}
      <Text size="xs">{students ? say("for_some", { students }) : say("for_all")}</Text>
      <Text size="sm" component="div">
        <Markdown text={entry.answer} />
      </Text>
      {mayMerge &&
        (entry.may_stay ? (
          <Merge kept={entry} gone={other} />
        ) : (
          <Text size="xs" c="dimmed">
            {say("keep_not")}
          </Text>
        ))}
    </Stack>
  );
}

/** The button that merges one entry into another, once that is confirmed. */
function Merge({ kept, gone }: { kept: NearEntry; gone: NearEntry }) {
  const say = useNearDuplicateTexts();
  const queries = useQueryClient();
  const keepsVersions = useKeepsVersions();
  const merging = useMutation({
    mutationFn: () =>
      ask("POST", "/faq/duplicates/merge", {
        kept: { id: kept.id, version: kept.version },
        gone: { id: gone.id, version: gone.version },
      }),
    onSuccess: () => {
      tell(say("merged"));
      void queries.invalidateQueries();
    },
  });
  const fault = merging.error;
  const code = fault instanceof ApiError ? fault.code : "";
  const renew = () => void queries.invalidateQueries({ queryKey: ["faq-duplicates"] });
  const theirs = isConflict(fault) ? String(fault.detail.theirs ?? "") : "";
  const changed = fault?.message.startsWith(`${kept.id} `) ? kept : gone;
  return (
    <AskFirst
      variant="light"
      size="compact-sm"
      style={{ alignSelf: "start" }}
      name={say("keep")}
      text={say("keep_text", { kept: kept.question, gone: gone.question })}
      asking={
        !fault ? (
          keepsVersions ? (
            <Text size="sm">{say("keep_undo")}</Text>
          ) : (
            <NoVersions />
          )
        ) : isConflict(fault) ? (
          <Conflict
            title={say("conflict")}
            fault={fault}
            parts={[{ mine: changed.text, theirs }]}
            loadTheirs={renew}
            takeLatest={renew}
          />
        ) : code === "fewer_students" || code === "too_many_wordings" ? (
          <Alert color="red">{say(code)}</Alert>
        ) : (
          <Fault error={fault} />
        )
      }
      refused={fault !== null}
      confirm={say("merge")}
      act={(done) => merging.mutate(undefined, { onSuccess: done })}
      pending={merging.isPending}
      closed={merging.reset}
    />
  );
}
