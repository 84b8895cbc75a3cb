import { Anchor, Button, Group, Paper, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import type { Dimension, NamedEntry } from "../api";
import { saying, useTexts } from "../texts";
import { AskFirst } from "./AskFirst";

const SAY = {
  vi: saying({
    refuses: "không trả lời",
    asks: "hỏi về {what}",
    offers: "cho chọn: {what}",
    ruled: "theo quy tắc",
  }),
  en: saying({
    refuses: "is not answered",
    asks: "asks for {what}",
    offers: "offers: {what}",
    ruled: "by a rule",
  }),
};

/** The outcome that an advisor has set: an entry, a question back, or, with neither, a refusal. */
export interface Outcome {
  entry?: NamedEntry | null;
  dimension: string;
  entries: NamedEntry[];
  /** Whether a query rule demands it of a checked question. */
  ruled?: boolean;
}

/** A question of a list with its outcome, and the button that takes it out. */
export function JudgedQuestion({
  question,
  variants = [],
  outcome,
  dimensions,
  testid,
  edit = false,
  removal,
}: {
  question: string;
  variants?: string[];
  outcome: Outcome;
  dimensions: Dimension[];
  testid: string;
  /** The button that changes it; false where it cannot be changed here. */
  edit?: false | { name: string; open: () => void };
  /** What `AskFirst` needs; false for who may not take it out. */
  removal:
    | false
    | { name: string; text: string; confirm?: string; act: (done: () => void) => void; pending: boolean };
}) {
  return (
    <Paper withBorder p="sm" data-testid={testid}>
      <Group justify="space-between" align="start" wrap="nowrap">
        <div style={{ minWidth: 0, overflowWrap: "anywhere" }}>
          <Text size="sm" fw={550}>
            {question}
          </Text>
          {variants.map((variant) => (
            <Text key={variant} size="xs" c="dimmed">
              {variant}
            </Text>
          ))}
          <OutcomeLine of={outcome} dimensions={dimensions} />
        </div>
        <Group gap={4} wrap="nowrap" style={{ flexShrink: 0 }}>
          {edit && (
            <Button variant="subtle" size="compact-sm" onClick={edit.open}>
              {edit.name}
            </Button>
          )}
          {removal && <AskFirst variant="subtle" color="red" size="compact-sm" {...removal} />}
        </Group>
      </Group>
    </Paper>
  );
}

function OutcomeLine({ of, dimensions }: { of: Outcome; dimensions: Dimension[] }) {
  const { language } = useTexts();
  const said = SAY[language];
  if (of.entry)
    return (
      <Anchor component={Link} to={`/faq/${encodeURIComponent(of.entry.id)}`} size="xs">
        → {of.entry.question}
      </Anchor>
    );
  const spec = dimensions.find((each) => of.dimension === each.id || of.dimension === each.key);
  const name = (language === "en" && spec?.name_en) || spec?.name || of.dimension;
  const told = of.entries.length
    ? said("offers", { what: of.entries.map(({ question }) => question).join(" · ") })
    : of.dimension
      ? said("asks", { what: name })
      : said("refuses");
  return (
    <Text size="xs">
      → {told}
      {of.ruled && ` (${said("ruled")})`}
    </Text>
  );
}
