import {
  Anchor,
  Button,
  Group,
  Paper,
  Progress,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Table,
  Text,
} from "@mantine/core";
import { IconChartBar, IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { get, type Statistics, type Me } from "../api";
import { Bar } from "../parts/Bar";
import { TopicChanges } from "../parts/TopicChanges";
import { download, Empty, Failed, Page, Waiting } from "../parts/parts";
import { numberText, percentText, sayIfKnown, timeText, useTexts, type Say } from "../texts";

const DECISIONS = ["answer", "clarify", "no_answer"] as const;

export default function Today({ me }: { me: Me }) {
  const { say, language } = useTexts();
  const [days, setDays] = useState("7");
  const found = useQuery({
    queryKey: ["today", days],
    queryFn: () => get<Statistics>(`/today?days=${days}`),
    refetchInterval: 30_000,
  });
  const names = useQuery({
    queryKey: ["filters"],
    queryFn: () => get<{ topic_names: Record<string, string> }>("/conversations/filters"),
  });
  const choose = (
    <SegmentedControl
      value={days}
      onChange={setDays}
      data={["1", "7", "30", "90"].map((n) => ({ value: n, label: say("today.days", { n }) }))}
      size="xs"
    />
  );
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const { decisions, before, by, thumbs, seconds, waiting, waiting_since, top, students } = found.data;
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, n) => all + n, 0);
  const all = sum(decisions);
  const share = (counts: Record<string, number>, name: string) => {
    const whole = sum(counts);
    return whole ? percentText((counts[name] ?? 0) / whole, language, 0) : "–";
  };
  const dates = [...new Set(found.data.days.map(({ day }) => day))].sort();
  const byDay = DECISIONS.map((name) => ({
    name,
    label: sayIfKnown(say, `decision.${name}`, name),
    counts: dates.map(
      (day) => found.data.days.find((each) => each.day === day && each.decision === name)?.n ?? 0,
    ),
  }));
  const hours = Array.from({ length: 24 }, (_, hour) => by.hour[String(hour)] ?? 0);
  const slices = (counts: Record<string, number>, kind: string) =>
    Object.entries(counts)
      .sort((a, b) => b[1] - a[1])
      .slice(0, 6)
      .map(([name, value]) => ({
        name: sayIfKnown(
          say,
          `${kind}.${name}`,
          names.data?.topic_names[name] ?? (name || say("today.unknown")),
        ),
        value,
      }));
  return (
    <Page
      title={say("today.title")}
      aside={
        <Group gap="xs">
          {choose}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            onClick={() => download("covan", table(say, found.data, names.data?.topic_names ?? {}))}
          >
            {say("today.export")}
          </Button>
        </Group>
      }
    >
      <SimpleGrid cols={{ base: 2, md: 3, xl: 6 }} spacing="sm">
        <Figure
          title={say("today.questions")}
          value={numberText(all, language)}
          note={say("today.before", { n: numberText(sum(before), language) })}
        />
        <Figure
          title={say("today.answered")}
          value={share(decisions, "answer")}
          note={say("today.before", { n: share(before, "answer") })}
        />
        <Figure
          title={say("today.unanswered")}
          value={share(decisions, "no_answer")}
          note={say("today.before", { n: share(before, "no_answer") })}
          to="/gaps"
        />
        <Figure
          title={say("today.waiting")}
          value={waiting === null ? "–" : String(waiting)}
          note={
            waiting_since === null
              ? say("today.nobody")
              : say("today.waiting_since", { time: timeText(waiting_since, language) })
          }
          {...(me.rights.includes("reply") && { to: "/inbox" })}
        />
        <Figure
          title={say("today.thumbs")}
          value={`${thumbs.up} · ${thumbs.down}`}
          note={`${say("today.students")}: ${students}`}
        />
        <Figure
          title={say("today.seconds")}
          value={
            seconds.median === null
              ? "–"
              : say("today.seconds_value", { n: numberText(seconds.median, language) })
          }
          note={seconds.p95 === null ? "" : say("today.p95", { n: numberText(seconds.p95, language) })}
        />
      </SimpleGrid>
      {all === 0 ? (
        <Empty icon={<IconChartBar />} title={say("today.empty")} text={say("today.empty_text")} />
      ) : (
        <>
          <TopicChanges
            topics={found.data.topics}
            names={names.data?.topic_names ?? {}}
            days={Number(days)}
            since={found.data.since}
          />
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <Paper withBorder p="md">
              <Text fw={600} mb="sm">
                {say("today.by_day")}
              </Text>
              <Bar
                label={say("today.by_day")}
                names={dates.map((day) => day.slice(5).split("-").reverse().join("/"))}
                rows={byDay}
              />
            </Paper>
            <Paper withBorder p="md">
              <Text fw={600} mb="sm">
                {say("today.by_hour")}
              </Text>
              <Bar
                label={say("today.by_hour")}
                names={hours.map((_, hour) => `${hour}h`)}
                rows={[{ name: "", label: say("today.questions"), counts: hours }]}
              />
            </Paper>
            <Paper withBorder p="md">
              <Group grow align="start">
                <div>
                  <Text fw={600} mb="sm">
                    {say("today.by_source")}
                  </Text>
                  <Bars rows={slices(by.source, "source")} />
                </div>
                <div>
                  <Text fw={600} mb="sm">
                    {say("today.by_channel")}
                  </Text>
                  <Bars rows={slices(by.channel, "channel")} />
                </div>
              </Group>
            </Paper>
            {top.length > 0 && (
              <Paper withBorder p="md">
                <Text fw={600} mb="sm">
                  {say("today.top")}
                </Text>
                <Table verticalSpacing={6}>
                  <Table.Tbody>
                    {top.map((row) => (
                      <Table.Tr key={row.answer_id}>
                        <Table.Td>{row.question}</Table.Td>
                        <Table.Td ta="right" w={60}>
                          {numberText(row.n, language)}
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Paper>
            )}
          </SimpleGrid>
        </>
      )}
    </Page>
  );
}

function Figure({ title, value, note, to }: { title: string; value: string; note: string; to?: string }) {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {to ? (
          <Anchor component={Link} to={to} size="xs">
            {title}
          </Anchor>
        ) : (
          title
        )}
      </Text>
      <Text fz={26} fw={650} lh={1.3}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </Paper>
  );
}

interface Slice {
  name: string;
  value: number;
}

function Bars({ rows }: { rows: Slice[] }) {
  const { language } = useTexts();
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <Stack gap={8}>
      {rows.map(({ name, value }) => (
        <div key={name}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">{name}</Text>
            <Text size="sm" c="dimmed">
              {numberText(value, language)}
            </Text>
          </Group>
          <Progress value={(100 * value) / most} size="sm" aria-label={name} />
        </div>
      ))}
    </Stack>
  );
}

/** The figures as a table in the reader's language. */
function table(say: Say, found: Statistics, topics: Record<string, string>): (string | number)[][] {
  const named = (kind: string, name: string) =>
    sayIfKnown(say, `${kind}.${name}`, topics[name] ?? (name || say("today.unknown")));
  const counted = (kind: string, counts: Record<string, number>) =>
    Object.entries(counts).map(([name, n]) => [
      sayIfKnown(say, `today.kind.${kind}`, kind),
      named(kind, name),
      n,
    ]);
  return [
    [say("today.kind"), say("today.name"), say("today.count")],
    ...counted("decision", found.decisions),
    ...found.topics.flatMap(({ topic, now }) =>
      DECISIONS.map((decision) => [
        say("today.kind.topic"),
        `${named("topic", topic)} · ${named("decision", decision)}`,
        now[decision],
      ]),
    ),
    ...Object.entries(found.by).flatMap(([kind, counts]) => counted(kind, counts)),
    ...found.days.map(({ day, decision, n }) => [
      say("today.kind.day"),
      `${day} ${named("decision", decision)}`,
      n,
    ]),
    [say("today.kind.thumbs"), say("today.up"), found.thumbs.up],
    [say("today.kind.thumbs"), say("today.down"), found.thumbs.down],
  ];
}
