/** The drafts that editors keep: their list above the parts that they are of, and what is known of one in its form. */
import { Alert, Anchor, Button, Group, Paper, SegmentedControl, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import {
  ask,
  get,
  withQuery,
  type KeptDraft,
  type KeptEdit,
  type ListedDraft,
  type KeptDraftList,
} from "../api";
import { timeText, useTexts } from "../texts";
import { AskFirst } from "./AskFirst";
import { useMutation } from "./acting";
import { DraftTable, nameOf, StateBadge } from "./DraftTable";
import { useDraftTexts } from "./draft_texts";
import { Failed, tell, tellError } from "./parts";

export const DRAFTS = ["kept-drafts"];

const ALL = "all";

/** The kept drafts of a kind; nothing without one. The one that the address names (`draft`) is opened. */
export function KeptDrafts({ kind, open }: { kind: KeptEdit["kind"]; open: (draft: ListedDraft) => void }) {
  const { say } = useTexts();
  const drafts = useDraftTexts();
  const [state, setState] = useState(ALL);
  const found = useQuery({
    queryKey: [...DRAFTS, kind],
    queryFn: () => get<KeptDraftList>(withQuery("/drafts", { kind })),
  });
  const discarding = useDiscarding();
  const [query, setQuery] = useSearchParams();
  const named = found.data?.drafts.find((each) => String(each.id) === query.get("draft"));
  useEffect(() => {
    if (!named) return;
    setQuery({}, { replace: true });
    open(named);
    // Once for each draft that an address names.
  }, [named?.id]);
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  if (!found.data?.drafts.length) return null;
  const all = found.data.drafts;
  const inState = (wanted: string) => all.filter((each) => wanted === ALL || each.state === wanted);
  return (
    <Paper withBorder p="sm" className="kept">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text fw={600} size="sm">
            {drafts("list", { n: all.length })}
          </Text>
          <Anchor component={Link} to="/drafts" size="sm">
            {drafts("together")}
          </Anchor>
        </Group>
        <SegmentedControl
          size="xs"
          aria-label={drafts("state")}
          value={state}
          onChange={setState}
          data={[
            { value: ALL, label: drafts("all") },
            ...(["draft", "reviewed"] as const).map((value) => ({
              value,
              label: `${drafts(`state.${value}`)} (${inState(value).length})`,
            })),
          ]}
        />
      </Group>
      <DraftTable
        drafts={inState(state)}
        testId="kept-draft"
        opener={(each) => (
          <Anchor component="button" type="button" size="sm" ta="start" onClick={() => open(each)}>
            {nameOf(each)}
          </Anchor>
        )}
        acts={(each) =>
          each.part === "gone" && (
            <Discard
              act={(done) =>
                discarding.mutate(each, { onError: (error) => tellError(say, error), onSettled: done })
              }
              pending={discarding.isPending}
            />
          )
        }
      />
    </Paper>
  );
}

/** What is known of the draft that a form is of, with the buttons that mark it as reviewed and discard it. */
export function DraftState<D>({
  kept,
  isChanged,
  isOfGone,
  setKept,
  discarded,
  onFault,
}: {
  kept: KeptDraft<D>;
  /** Whether the form has another text than the draft. */
  isChanged: boolean;
  /** Whether what it changes is gone. */
  isOfGone: boolean;
  setKept: (kept: KeptDraft<D>) => void;
  discarded: () => void;
  onFault: (error: Error) => void;
}) {
  const { language } = useTexts();
  const drafts = useDraftTexts();
  const queries = useQueryClient();
  const reviewing = useMutation({
    mutationFn: () => ask<KeptDraft<D>>("POST", `/drafts/${kept.id}/review`, { version: kept.version }),
    onSuccess: (reviewed) => {
      setKept(reviewed);
      void queries.invalidateQueries({ queryKey: DRAFTS });
    },
    onError: onFault,
  });
  const discarding = useDiscarding();
  return (
    <Paper withBorder p="xs" data-testid="draft-state">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <StateBadge state={kept.state} />
          <Text size="sm">
            {drafts("saved_by", { name: kept.author, at: timeText(kept.at, language) })}
            {kept.reviewed_by && ` ${drafts("reviewed_by", { name: kept.reviewed_by })}`}
          </Text>
        </Group>
        <Group gap="xs">
          <Discard
            act={(done) =>
              discarding.mutate(kept, { onSuccess: discarded, onError: onFault, onSettled: done })
            }
            pending={discarding.isPending}
          />
          {kept.state === "draft" && (
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => reviewing.mutate()}
              loading={reviewing.isPending}
              disabled={isChanged}
            >
              {drafts("review")}
            </Button>
          )}
        </Group>
      </Group>
      {kept.state === "draft" && isChanged && (
        <Text size="xs" c="dimmed">
          {drafts("save_first")}
        </Text>
      )}
      {isOfGone && (
        <Alert color="orange" mt="xs">
          {drafts("of_gone")}
        </Alert>
      )}
    </Paper>
  );
}

function Discard({ act, pending }: { act: (done: () => void) => void; pending: boolean }) {
  const drafts = useDraftTexts();
  return (
    <AskFirst
      variant="subtle"
      color="red"
      size="compact-sm"
      name={drafts("discard")}
      text={drafts("discard_text")}
      act={act}
      pending={pending}
    />
  );
}

function useDiscarding() {
  const drafts = useDraftTexts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, version }: { id: number; version: number }) =>
      ask<void>("DELETE", withQuery(`/drafts/${id}`, { version })),
    onSuccess: () => {
      tell(drafts("discarded"));
      void queries.invalidateQueries({ queryKey: DRAFTS });
    },
  });
}
