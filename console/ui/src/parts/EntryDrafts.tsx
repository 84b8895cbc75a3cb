import { Alert, Anchor, Badge, Button, Group, Paper, SegmentedControl, Table, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, get, withQuery, type KeptDraft, type ListedDraft } from "../api";
import { timeText, useTexts } from "../texts";
import { AskFirst } from "./AskFirst";
import { Failed, tell } from "./parts";
import { useMutation } from "./acting";

const ALL = "all";
const COLOURS = { draft: "gray", reviewed: "green" };

/** The drafts of entries that are kept, above the entries; nothing without one. */
export function EntryDrafts({ open }: { open: (id: number) => void }) {
  const { say, language } = useTexts();
  const [state, setState] = useState(ALL);
  const found = useQuery({
    queryKey: ["entry-drafts"],
    queryFn: () => get<{ drafts: ListedDraft[] }>("/faq/drafts"),
  });
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  if (!found.data?.drafts.length) return null;
  const { drafts } = found.data;
  const inState = (wanted: string) => drafts.filter((each) => wanted === ALL || each.state === wanted);
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" gap="xs">
        <Text fw={600} size="sm">
          {say("draft.list", { n: drafts.length })}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={say("draft.state")}
          value={state}
          onChange={setState}
          data={[
            { value: ALL, label: say("draft.all") },
            ...(["draft", "reviewed"] as const).map((value) => ({
              value,
              label: `${say(`draft.state.${value}`)} (${inState(value).length})`,
            })),
          ]}
        />
      </Group>
      <Table verticalSpacing={5} className="stacked">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say("entry.question")}</Table.Th>
            <Table.Th>{say("draft.state")}</Table.Th>
            <Table.Th>{say("draft.author")}</Table.Th>
            <Table.Th>{say("draft.at")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {inState(state).map((each) => (
            <Table.Tr key={each.id} data-testid="entry-draft">
              <Table.Td>
                <Anchor component="button" type="button" size="sm" ta="start" onClick={() => open(each.id)}>
                  {each.question}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Group gap={4}>
                  <Badge variant="light" tt="none" color={COLOURS[each.state]}>
                    {say(`draft.state.${each.state}`)}
                  </Badge>
                  {(each.entry === "changed" || each.entry === "gone") && (
                    <Badge variant="light" tt="none" color="orange">
                      {say(`draft.entry.${each.entry}`)}
                    </Badge>
                  )}
                </Group>
              </Table.Td>
              <Table.Td data-label={say("draft.author")}>{each.author}</Table.Td>
              <Table.Td data-label={say("draft.at")}>{timeText(each.at, language)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** What is known of the draft that a form is of, with the buttons that mark it as reviewed and discard it. */
export function DraftState({
  kept,
  isChanged,
  isOfGone,
  setKept,
  discarded,
  onFault,
}: {
  kept: KeptDraft;
  /** Whether the form has another text than the draft. */
  isChanged: boolean;
  /** Whether the entry that it changes is gone. */
  isOfGone: boolean;
  setKept: (kept: KeptDraft) => void;
  discarded: () => void;
  onFault: (error: Error) => void;
}) {
  const { say, language } = useTexts();
  const queries = useQueryClient();
  const path = `/faq/drafts/${kept.id}`;
  const reviewing = useMutation({
    mutationFn: () => ask<KeptDraft>("POST", `${path}/review`, { version: kept.version }),
    onSuccess: (reviewed) => {
      setKept(reviewed);
      void queries.invalidateQueries({ queryKey: ["entry-drafts"] });
    },
    onError: onFault,
  });
  const discarding = useMutation({
    mutationFn: () => ask<void>("DELETE", withQuery(path, { version: kept.version })),
    onSuccess: () => {
      tell(say("draft.discarded"));
      void queries.invalidateQueries({ queryKey: ["entry-drafts"] });
      discarded();
    },
    onError: onFault,
  });
  return (
    <Paper withBorder p="xs" data-testid="draft-state">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Badge variant="light" tt="none" color={COLOURS[kept.state]}>
            {say(`draft.state.${kept.state}`)}
          </Badge>
          <Text size="sm">
            {say("draft.saved_by", { name: kept.author, at: timeText(kept.at, language) })}
            {kept.reviewed_by && ` ${say("draft.reviewed_by", { name: kept.reviewed_by })}`}
          </Text>
        </Group>
        <Group gap="xs">
          <AskFirst
            variant="subtle"
            color="red"
            size="compact-sm"
            name={say("draft.discard")}
            text={say("draft.discard_text")}
            act={(done) => discarding.mutate(undefined, { onSettled: done })}
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
              {say("draft.review")}
            </Button>
          )}
        </Group>
      </Group>
      {kept.state === "draft" && isChanged && (
        <Text size="xs" c="dimmed">
          {say("draft.save_first")}
        </Text>
      )}
      {isOfGone && (
        <Alert color="orange" mt="xs">
          {say("draft.of_gone")}
        </Alert>
      )}
    </Paper>
  );
}
