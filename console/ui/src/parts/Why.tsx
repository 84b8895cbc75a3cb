import {
  Anchor,
  Badge,
  Blockquote,
  Button,
  Code,
  Collapse,
  Group,
  Paper,
  Progress,
  Stack,
  Table,
  Text,
  Title,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "react-router-dom";
import type { Trace, Turn } from "../api";
import { numberText, sayIfKnown, useTexts } from "../texts";
import { Markdown, plainText } from "./Markdown";
import { DecisionBadge } from "./parts";

const percent = (value: number) => `${Math.round(value * 100)} %`;

/** Why a turn was answered as it was: the reading, what was considered, what decided. */
export function Why({ turn }: { turn: Turn & { trace: Trace } }) {
  const { say, language } = useTexts();
  const { trace } = turn;
  const candidates = trace.candidates ?? [];
  const [opened, { toggle }] = useDisclosure();
  const intent = (name: string) =>
    trace.topics[name]
      ? say("why.about", { topic: trace.topics[name] })
      : sayIfKnown(say, `intent.${name}`, name);
  return (
    <Paper withBorder p="md" data-testid="why">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={3} size="h5">
            {say("why.title")}
          </Title>
          <Group gap={6}>
            <DecisionBadge decision={turn.decision} />
            {turn.decision && (
              <Badge variant="outline" tt="none">
                {say("conv.sure")}: {percent(turn.confidence)}
              </Badge>
            )}
          </Group>
        </Group>
        <div>
          <Text fw={600} size="sm">
            {say("why.reading")}
          </Text>
          <Table verticalSpacing={3} withRowBorders={false} layout="fixed">
            <Table.Tbody>
              <Row name={say("why.typed")} value={turn.question} />
              <Row name={say("why.normalized")} value={trace.normalized} />
              {trace.resolved && trace.resolved !== turn.question && (
                <Row name={say("why.resolved")} value={trace.resolved} />
              )}
              <Row
                name={say("why.intents")}
                value={Object.entries(trace.intents)
                  .map(([name, share]) => `${intent(name)} ${percent(share)}`)
                  .join(" · ")}
              />
              <Row
                name={say("why.mentions")}
                value={trace.mentions.map((each) => each.join(": ")).join(" · ")}
              />
              <Row
                name={say("why.profile")}
                value={trace.profile.map((each) => each.join(": ")).join(" · ")}
              />
            </Table.Tbody>
          </Table>
        </div>
        {turn.decision === "" ? (
          <Text size="sm">{say("why.not_asked")}</Text>
        ) : (
          <>
            <div>
              <Text fw={600} size="sm">
                {say("why.decision")}
              </Text>
              <Text size="sm">
                {(trace.reasons ?? []).map((each) => sayIfKnown(say, `reason.${each}`, each)).join("; ")}
              </Text>
            </div>
            <div>
              <Text fw={600} size="sm" mb={4}>
                {say("why.candidates")}
              </Text>
              {candidates.length === 0 && <Text size="sm">{say("why.no_candidates")}</Text>}
              {candidates.length > 1 && (
                <Text size="xs" c="dimmed" mb={4}>
                  {say("why.scores_help")}
                </Text>
              )}
              <Stack gap="xs">
                {candidates.map((each) => (
                  <Paper
                    key={`${each.source} ${each.id}`}
                    withBorder
                    p="xs"
                    className={each.id === turn.answer_id ? "chosen" : ""}
                  >
                    <Group justify="space-between" wrap="nowrap" align="start">
                      <div>
                        <Text size="sm" fw={550}>
                          {each.title || each.id} {each.locator && `· ${each.locator}`}
                        </Text>
                        <Text size="xs" c="dimmed" lineClamp={2}>
                          {plainText(each.text)}
                        </Text>
                      </div>
                      <Stack gap={2} align="end" style={{ flexShrink: 0 }}>
                        <Badge size="sm" variant="light" tt="none">
                          {sayIfKnown(say, `source.${each.source}`, each.source)}
                        </Badge>
                        <Text size="xs" c="dimmed">
                          {numberText(each.score, language, 2)}
                        </Text>
                      </Stack>
                    </Group>
                    <Progress
                      mt={4}
                      size="xs"
                      value={Math.min(100, Math.max(0, each.score * 100))}
                      aria-hidden
                    />
                  </Paper>
                ))}
              </Stack>
            </div>
            {(trace.citations ?? []).map((each, place) => (
              <Blockquote
                key={place}
                p="sm"
                cite={
                  <Anchor
                    component={Link}
                    size="sm"
                    to={`/documents/${encodeURIComponent(each.document_id)}?${new URLSearchParams({ at: each.locator })}`}
                    state={{ quote: each.quote }}
                  >
                    {[each.title, each.locator].filter(Boolean).join(" · ")}
                  </Anchor>
                }
                aria-label={say("why.quote")}
              >
                <Markdown text={each.quote} />
              </Blockquote>
            ))}
            <div>
              <Button size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={opened}>
                {say("why.signals")}
              </Button>
              <Collapse expanded={opened}>
                <Text size="xs" c="dimmed" my={4}>
                  {say("why.signals_help")}
                </Text>
                <Group gap={6}>
                  {Object.entries(trace.signals ?? {}).map(([name, value]) => {
                    const limit = trace.thresholds?.[name];
                    return (
                      <Badge key={name} variant="default" tt="none" fw={400}>
                        {name} {numberText(value, language, 2)}
                        {limit !== undefined &&
                          ` (${say("why.threshold", { n: numberText(limit, language, 2) })})`}
                      </Badge>
                    );
                  })}
                </Group>
                <Text size="xs" c="dimmed" mt={4}>
                  {say("why.versions")}: <Code>{trace.preset}</Code> <Code>{trace.index_version}</Code>
                </Text>
              </Collapse>
            </div>
          </>
        )}
      </Stack>
    </Paper>
  );
}

function Row({ name, value }: { name: string; value: string }) {
  return value ? (
    <Table.Tr>
      <Table.Td w={150} c="dimmed">
        {name}
      </Table.Td>
      <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
    </Table.Tr>
  ) : null;
}
