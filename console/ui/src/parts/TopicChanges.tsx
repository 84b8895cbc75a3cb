/** What got better or worse, by topic. */
import { Anchor, Badge, Button, Group, Paper, Table, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import { withQuery, WITHOUT, type Outcomes, type TopicChange } from "../api";
import { numberText, percentText, useTexts } from "../texts";

const FIRST = 10;
const COLOURS = { better: "green", worse: "red" };
const WORST_FIRST = { worse: 0, "": 1, better: 1 };

const questions = ({ answer, clarify, no_answer }: Outcomes) => answer + clarify + no_answer;
const verdict = ({ unanswered, thumbs }: TopicChange) =>
  unanswered === "worse" || thumbs === "worse" ? "worse" : unanswered || thumbs;

/** The topics of the last `days` beside those of as many days before, the ones that got worse first. */
export function TopicChanges({
  topics,
  names,
  days,
  since,
}: {
  topics: TopicChange[];
  names: Record<string, string>;
  days: number;
  since: number;
}) {
  const { say, language } = useTexts();
  const [isWhole, setIsWhole] = useState(false);
  const sorted = [...topics].sort((one, other) => WORST_FIRST[verdict(one)] - WORST_FIRST[verdict(other)]);
  const shown = isWhole ? sorted : sorted.slice(0, FIRST);
  const share = (outcomes: Outcomes, name: keyof Outcomes) =>
    questions(outcomes) ? percentText(outcomes[name] / questions(outcomes), language, 0) : "–";
  // As a field for a date has it.
  const day = new Date(since * 1000).toLocaleDateString("sv");
  return (
    <Paper withBorder p="md" data-testid="topics">
      <Text fw={600}>{say("today.topics")}</Text>
      <Text size="xs" c="dimmed" mb="xs">
        {say(days === 1 ? "today.topics_help_day" : "today.topics_help", { n: days })}
      </Text>
      <Table verticalSpacing={6} className="stacked">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say("today.kind.topic")}</Table.Th>
            <Table.Th className="figure">{say("today.questions")}</Table.Th>
            <Table.Th className="figure">{say("today.answered")}</Table.Th>
            <Table.Th className="figure">{say("today.clarified")}</Table.Th>
            <Table.Th className="figure">{say("today.unanswered")}</Table.Th>
            <Table.Th className="figure">{say("today.thumbs")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((each) => {
            const { topic, now, before, unanswered, thumbs } = each;
            return (
              <Table.Tr key={topic} data-testid="topic">
                <Table.Td>
                  <Group gap="xs">
                    <Anchor
                      component={Link}
                      to={withQuery("/conversations", { topic: topic || WITHOUT, since: day })}
                      size="sm"
                    >
                      {topic ? (names[topic] ?? topic) : say("today.unknown")}
                    </Anchor>
                    <Verdict change={verdict(each)} />
                  </Group>
                </Table.Td>
                <Figure
                  label={say("today.questions")}
                  now={numberText(questions(now), language)}
                  before={numberText(questions(before), language)}
                />
                <Figure
                  label={say("today.answered")}
                  now={`${share(now, "answer")} (${now.answer})`}
                  before={share(before, "answer")}
                />
                <Figure
                  label={say("today.clarified")}
                  now={`${share(now, "clarify")} (${now.clarify})`}
                  before={share(before, "clarify")}
                />
                <Figure
                  label={say("today.unanswered")}
                  now={`${share(now, "no_answer")} (${now.no_answer})`}
                  before={share(before, "no_answer")}
                  change={unanswered}
                />
                <Figure
                  label={say("today.thumbs")}
                  now={`${now.up} · ${now.down}`}
                  before={`${before.up} · ${before.down}`}
                  change={thumbs}
                />
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {sorted.length > FIRST && (
        <Button variant="subtle" size="compact-sm" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? say("today.topics_fewer") : say("today.topics_all", { n: sorted.length })}
        </Button>
      )}
    </Paper>
  );
}

function Verdict({ change }: { change: "" | "better" | "worse" }) {
  const { say } = useTexts();
  return (
    change && (
      <Badge variant="light" tt="none" color={COLOURS[change]}>
        {say(`today.${change}`)}
      </Badge>
    )
  );
}

/** A figure of now, with the one before below it; in the colour of its change. */
function Figure({
  label,
  now,
  before,
  change = "",
}: {
  label: string;
  now: string;
  before: string;
  change?: "" | "better" | "worse";
}) {
  const { say } = useTexts();
  return (
    <Table.Td className="figure" data-label={label}>
      <Text span size="sm" c={change ? `${COLOURS[change]}.8` : undefined} fw={change ? 600 : undefined}>
        {now}
      </Text>{" "}
      <Text span size="xs" c="dimmed" className="before">
        {say("today.before", { n: before })}
      </Text>
    </Table.Td>
  );
}
