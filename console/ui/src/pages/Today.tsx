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
import { useState, type ReactNode } from "react";
import { Link } from "react-router-dom";
import {
  get,
  withQuery,
  type Gap,
  type Me,
  type Percentiles,
  type Statistics,
  type FilterValues,
  type GapList,
} from "../api";
import { Bar, COLOURS } from "../parts/Bar";
import { TopicChanges } from "../parts/TopicChanges";
import { download, Empty, Failed, Page, Waiting } from "../parts/parts";
import { numberText, percentText, sayIfKnown, timeText, useTexts, type Say } from "../texts";

/** The outcomes of the bot's own turns, and all of them: what is left to an advisor is no turn of the bot. */
const DECISIONS = ["answer", "clarify", "no_answer"] as const;
const OUTCOMES = [...DECISIONS, "passed_on"] as const;

const MOST_QUESTIONS = 10;
const GAPS_MS = 120_000;

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, n) => all + n, 0);

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
    queryFn: () => get<FilterValues>("/conversations/filters"),
  });
  const gaps = useQuery({
    queryKey: ["gaps", "of days", days],
    queryFn: () => get<GapList>(`/gaps?days=${days}`),
    staleTime: GAPS_MS,
    refetchInterval: GAPS_MS,
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
  const { decisions, before, by, thumbs, seconds, waiting, waiting_by, waiting_since, top, students } =
    found.data;
  const { hand_overs } = found.data;
  const all = sum(decisions);
  const share = (counts: Record<string, number>, name: string) => {
    const whole = sum(counts);
    return whole ? percentText((counts[name] ?? 0) / whole, language, 0) : "–";
  };
  const dates = [...new Set(found.data.days.map(({ day }) => day))].sort();
  const byDay = OUTCOMES.map((name) => ({
    name,
    label: sayIfKnown(say, `decision.${name}`, name),
    counts: dates.map(
      (day) => found.data.days.find((each) => each.day === day && each.decision === name)?.n ?? 0,
    ),
  }));
  const hours = Array.from({ length: 24 }, (_, hour) => by.hour[String(hour)] ?? {});
  const byHour = OUTCOMES.map((name) => ({
    name,
    label: sayIfKnown(say, `decision.${name}`, name),
    counts: hours.map((counts) => counts[name] ?? 0),
  }));
  const times = (["median", "p95"] as const).map((name) => ({
    name,
    label: say(`today.${name}_label`),
    counts: seconds.days.map((each) => Math.round(100 * (each[name] ?? 0)) / 100),
  }));
  const inSeconds = (value: number | null) =>
    value === null ? "–" : say("today.seconds_value", { n: numberText(value, language) });
  const dayNames = (isoDays: string[]) => isoDays.map((day) => day.slice(5).split("-").reverse().join("/"));
  const secondsText = ({ median, p95 }: Percentiles) =>
    median === null || p95 === null
      ? "–"
      : say("today.seconds_both", { median: numberText(median, language), p95: numberText(p95, language) });
  const since = dayOf(found.data.since);
  const unanswered = unansweredOf(gaps.data?.groups ?? []);
  const slices = (counts: Record<string, Record<string, number>>, kind: "source" | "channel") =>
    Object.entries(counts)
      .map(([name, outcomes]) => ({
        key: name,
        name: sayIfKnown(say, `${kind}.${name}`, name || say("today.unknown")),
        outcomes,
        to: name ? withQuery("/conversations", { [kind]: name, since }) : undefined,
      }))
      .sort((one, other) => sum(other.outcomes) - sum(one.outcomes))
      .slice(0, 6);
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
            onClick={() =>
              download("covan", table(say, found.data, unanswered, names.data?.topic_names ?? {}))
            }
          >
            {say("today.export")}
          </Button>
        </Group>
      }
    >
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
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
          title={say("today.clarified")}
          value={share(decisions, "clarify")}
          note={say("today.before", { n: share(before, "clarify") })}
          to={withQuery("/conversations", { decision: "clarify", since })}
        />
        <Figure
          title={say("today.unanswered")}
          value={share(decisions, "no_answer")}
          note={say("today.before", { n: share(before, "no_answer") })}
          to="/gaps"
        />
        <Figure
          title={say("today.handed_over")}
          value={numberText(hand_overs.now, language)}
          note={[
            say("today.taken", { n: numberText(hand_overs.taken, language) }),
            say("today.before", { n: numberText(hand_overs.before, language) }),
          ].join(" · ")}
          {...(me.rights.includes("reply") && { to: "/inbox" })}
          help={
            <>
              {say("today.handed_over_help")}{" "}
              <Anchor
                component={Link}
                to={withQuery("/conversations", { decision: "passed_on", since })}
                size="xs"
              >
                {say("today.passed_on", { share: share(decisions, "passed_on") })}
              </Anchor>
            </>
          }
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
          value={inSeconds(seconds.median)}
          note={[
            seconds.p95 !== null && say("today.p95", { n: numberText(seconds.p95, language) }),
            say("today.before", { n: secondsText(seconds.before) }),
          ]
            .filter(Boolean)
            .join(" · ")}
        />
      </SimpleGrid>
      {Object.keys(waiting_by).length > 0 && (
        <Group gap="xs" data-testid="waiting-by">
          <Text size="sm">{say("today.waiting_by")}</Text>
          {Object.entries(waiting_by)
            .sort((one, other) => other[1] - one[1])
            .map(([office, n]) => {
              const text = `${office || say("today.no_office")}: ${numberText(n, language)}`;
              return office && me.rights.includes("reply") ? (
                <Anchor key={office} component={Link} to={withQuery("/inbox", { office })} size="sm">
                  {text}
                </Anchor>
              ) : (
                <Text key={office} size="sm">
                  {text}
                </Text>
              );
            })}
        </Group>
      )}
      {all === 0 ? (
        <Empty icon={<IconChartBar />} title={say("today.empty")} text={say("today.empty_text")} />
      ) : (
        <>
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <Plot title={say("today.by_day")}>
              <Bar label={say("today.by_day")} names={dayNames(dates)} rows={byDay} />
            </Plot>
            <Plot title={say("today.by_hour")}>
              <Bar label={say("today.by_hour")} names={hours.map((_, hour) => `${hour}h`)} rows={byHour} />
            </Plot>
          </SimpleGrid>
          <TopicChanges
            topics={found.data.topics}
            names={names.data?.topic_names ?? {}}
            days={Number(days)}
            since={found.data.since}
          />
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <Plot title={say("today.by_channel")}>
              <Outcomes rows={slices(by.channel, "channel")} />
            </Plot>
            <Plot title={say("today.by_source")}>
              <Outcomes rows={slices(by.source, "source")} />
            </Plot>
            {top.length > 0 && (
              <Plot title={say("today.top")}>
                <Questions
                  rows={top.map(({ answer_id, question, n }) => ({
                    key: answer_id,
                    question,
                    n,
                    to: withQuery("/conversations", { answer: answer_id, since }),
                  }))}
                />
              </Plot>
            )}
            {unanswered.length > 0 && (
              <Plot title={say("today.top_unanswered")}>
                <Questions
                  rows={unanswered.map(({ id, question, n }) => ({
                    key: String(id),
                    question,
                    n,
                    to: `/gaps/${id}`,
                  }))}
                />
              </Plot>
            )}
            {seconds.days.length > 0 && (
              <Plot title={say("today.seconds_by_day")}>
                <Bar
                  label={say("today.seconds_by_day")}
                  names={dayNames(seconds.days.map(({ day }) => day))}
                  rows={times}
                  whole={false}
                  stacked={false}
                />
              </Plot>
            )}
          </SimpleGrid>
        </>
      )}
    </Page>
  );
}

function Figure({
  title,
  value,
  note,
  to,
  help,
}: {
  title: string;
  value: string;
  note: string;
  to?: string;
  /** What is counted. */
  help?: ReactNode;
}) {
  const { say } = useTexts();
  return (
    <Paper withBorder p="sm" data-testid="figure">
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
      {help && (
        <Text component="details" size="xs" c="dimmed">
          <summary>{say("today.help")}</summary>
          {help}
        </Text>
      )}
    </Paper>
  );
}

function Plot({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Text fw={600} mb="sm">
        {title}
      </Text>
      {children}
    </Paper>
  );
}

interface Slice {
  key: string;
  name: string;
  outcomes: Record<string, number>;
  to: string | undefined;
}

/** The outcomes of each row: a bar as long as its number of turns, and the shares in words. */
function Outcomes({ rows }: { rows: Slice[] }) {
  const { say, language } = useTexts();
  const most = Math.max(1, ...rows.map(({ outcomes }) => sum(outcomes)));
  return (
    <Stack gap={10}>
      {rows.map(({ key, name, outcomes, to }) => {
        const all = sum(outcomes);
        const shown = OUTCOMES.filter((decision) => outcomes[decision]);
        const told = shown.map(
          (decision) =>
            `${sayIfKnown(say, `decision.${decision}`, decision)} ${percentText((outcomes[decision] ?? 0) / all, language, 0)}`,
        );
        return (
          <div key={key} data-testid="outcomes">
            <Group justify="space-between" gap="xs">
              {to ? (
                <Anchor component={Link} to={to} size="sm">
                  {name}
                </Anchor>
              ) : (
                <Text size="sm">{name}</Text>
              )}
              <Text size="sm" c="dimmed">
                {numberText(all, language)}
              </Text>
            </Group>
            <Progress.Root size="sm" aria-hidden>
              {shown.map((decision) => (
                <Progress.Section
                  key={decision}
                  value={(100 * (outcomes[decision] ?? 0)) / most}
                  color={COLOURS[decision]}
                  withAria={false}
                />
              ))}
            </Progress.Root>
            <Text size="xs" c="dimmed">
              {told.join(" · ")}
            </Text>
          </div>
        );
      })}
    </Stack>
  );
}

/** Questions with how often they were asked, each with the way to where they stand. */
function Questions({ rows }: { rows: { key: string; question: string; n: number; to: string }[] }) {
  const { language } = useTexts();
  return (
    <Table verticalSpacing={6}>
      <Table.Tbody>
        {rows.map(({ key, question, n, to }) => (
          <Table.Tr key={key}>
            <Table.Td>
              <Anchor component={Link} to={to} size="sm" lineClamp={3} title={question}>
                {question}
              </Anchor>
            </Table.Td>
            <Table.Td ta="right" w={60}>
              {numberText(n, language)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface Unanswered {
  /** One of its turns. */
  id: number;
  question: string;
  n: number;
}

/** The questions that got no answer, grouped as on the page of gaps, those asked most first. */
function unansweredOf(groups: Gap[]): Unanswered[] {
  return groups
    .map(({ ids, question, why }) => ({ id: ids[0] ?? 0, question, n: why.no_answer ?? 0 }))
    .filter(({ n }) => n > 0)
    .sort((one, other) => other.n - one.n)
    .slice(0, MOST_QUESTIONS);
}

/** A day as a field for a date has it. */
const dayOf = (seconds: number) => new Date(seconds * 1000).toLocaleDateString("sv");

/** The figures as a table in the reader's language: what is counted, of what, which outcome, and how many. */
function table(
  say: Say,
  found: Statistics,
  unanswered: Unanswered[],
  topics: Record<string, string>,
): (string | number)[][] {
  const named = (kind: string, name: string) =>
    sayIfKnown(say, `${kind}.${name}`, topics[name] ?? (name || say("today.unknown")));
  const decided = (decision: string) => named("decision", decision);
  const timed = (name: string, { median, p95 }: Percentiles) =>
    [
      [say("today.kind.seconds"), name, say("today.median_label"), median],
      [say("today.kind.seconds"), name, say("today.p95_label"), p95],
    ].filter((row): row is [string, string, string, number] => row[3] !== null);
  return [
    [say("today.kind"), say("today.name"), say("today.outcome"), say("today.count")],
    ...Object.entries(found.decisions).map(([name, n]) => [say("today.kind.decision"), "", decided(name), n]),
    ...found.topics.flatMap(({ topic, now }) =>
      DECISIONS.map((decision) => [
        say("today.kind.topic"),
        named("topic", topic),
        decided(decision),
        now[decision],
      ]),
    ),
    ...Object.entries({ ...found.by }).flatMap(([kind, counts]) =>
      Object.entries(counts).flatMap(([name, outcomes]) =>
        Object.entries(outcomes).map(([decision, n]) => [
          sayIfKnown(say, `today.kind.${kind}`, kind),
          named(kind, name),
          decided(decision),
          n,
        ]),
      ),
    ),
    ...found.days.map(({ day, decision, n }) => [say("today.kind.day"), day, decided(decision), n]),
    ...timed("", found.seconds),
    ...timed(say("today.earlier"), found.seconds.before),
    ...found.seconds.days.flatMap(({ day, ...some }) => timed(day, some)),
    ...found.top.map(({ question, n }) => [say("today.top"), question, "", n]),
    ...unanswered.map(({ question, n }) => [say("today.top_unanswered"), question, "", n]),
    ...Object.entries(found.waiting_by).map(([office, n]) => [
      say("today.waiting"),
      office || say("today.no_office"),
      "",
      n,
    ]),
    [say("today.handed_over"), "", "", found.hand_overs.now],
    [say("today.kind.thumbs"), "", say("today.up"), found.thumbs.up],
    [say("today.kind.thumbs"), "", say("today.down"), found.thumbs.down],
  ];
}
