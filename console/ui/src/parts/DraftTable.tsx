/** A table of kept drafts: their names, what is known of each, who saved them and when. */
import { Badge, Group, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ListedDraft } from "../api";
import { timeText, useTexts } from "../texts";
import { useDraftTexts } from "./draft_texts";

const COLOURS = { draft: "gray", reviewed: "green" };

export const nameOf = ({ label, part_id }: ListedDraft) => label || part_id || "…";

export function DraftTable({
  drafts,
  testId,
  lead,
  opener,
  kind,
  acts,
}: {
  drafts: ListedDraft[];
  testId: string;
  /** What stands before a draft's name. */
  lead?: (draft: ListedDraft) => ReactNode;
  /** The name as what opens a draft. A removed document's draft has nothing to open. */
  opener: (draft: ListedDraft) => ReactNode;
  /** The column of kinds, where a table has several. */
  kind?: { head: string; of: (draft: ListedDraft) => string };
  /** What stands behind a draft's state. */
  acts?: (draft: ListedDraft) => ReactNode;
}) {
  const { language } = useTexts();
  const say = useDraftTexts();
  return (
    <Table verticalSpacing={5} className="stacked" mt="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{say("name")}</Table.Th>
          {kind && <Table.Th>{kind.head}</Table.Th>}
          <Table.Th>{say("state")}</Table.Th>
          <Table.Th>{say("author")}</Table.Th>
          <Table.Th>{say("at")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {drafts.map((each) => (
          <Table.Tr key={each.id} data-testid={testId}>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                {lead?.(each)}
                {each.kind === "document" && each.part === "gone" ? (
                  <Text size="sm">{nameOf(each)}</Text>
                ) : (
                  opener(each)
                )}
              </Group>
            </Table.Td>
            {kind && <Table.Td data-label={kind.head}>{kind.of(each)}</Table.Td>}
            <Table.Td>
              <Group gap={4}>
                <StateBadge state={each.state} />
                <PartBadge part={each.part} />
                {acts?.(each)}
              </Group>
            </Table.Td>
            <Table.Td data-label={say("author")}>{each.author}</Table.Td>
            <Table.Td data-label={say("at")}>{timeText(each.at, language)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export function StateBadge({ state }: Pick<ListedDraft, "state">) {
  const say = useDraftTexts();
  return (
    <Badge variant="light" tt="none" color={COLOURS[state]}>
      {say(`state.${state}`)}
    </Badge>
  );
}

/** Whether what a draft changes is still as it was; nothing when it is. */
function PartBadge({ part }: Pick<ListedDraft, "part">) {
  const say = useDraftTexts();
  return (
    (part === "changed" || part === "gone") && (
      <Badge variant="light" tt="none" color="orange">
        {say(`part.${part}`)}
      </Badge>
    )
  );
}
