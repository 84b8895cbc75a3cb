import { Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ChangedAnswer, ToldReply, Tried } from "../api";
import { sayIfKnown, useTexts } from "../texts";
import { useCheckTexts } from "./check_texts";
import { plainText } from "./Markdown";

/** An answer of more characters is cut until somebody wants to read it. */
const SHORT_CHARS = 140;

/** The number of changed questions, and of those that are not answered any longer. */
export function countsOf(checked: Tried["checked"]): { n: number; lost: number } {
  const lost = checked.changed.filter((each) => each.after.decision === "no_answer").length;
  return { n: checked.changed.length, lost };
}

/** The school's checked questions whose answer a draft changes. */
export function CheckedQuestions({ checked }: { checked: Tried["checked"] }) {
  const say = useCheckTexts();
  if (!checked.count) return null;
  return (
    <Paper withBorder p="md" data-testid="checked">
      <Text size="sm" fw={600}>
        {say(checked.changed.length ? "changed" : "same", { all: checked.count, ...countsOf(checked) })}
      </Text>
      <Stack gap="xs" mt="xs">
        {checked.changed.map((each) => (
          <Changed key={each.question} of={each} />
        ))}
      </Stack>
    </Paper>
  );
}

function Changed({ of: { question, before, after, right } }: { of: ChangedAnswer }) {
  const { say: sayAny } = useTexts();
  const say = useCheckTexts();
  const [whole, setWhole] = useState(false);
  const told = ({ text, decision, options }: ToldReply) =>
    plainText(text) || [sayIfKnown(sayAny, `decision.${decision}`, ""), ...options].join(" · ");
  const sides = [
    { name: say("before"), text: told(before) },
    { name: say("after"), text: told(after) },
  ];
  return (
    <div data-testid="changed">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm">{question}</Text>
        <Badge color={right ? "green" : "red"} variant="light" tt="none" style={{ flexShrink: 0 }}>
          {say(right ? "right" : "wrong")}
        </Badge>
      </Group>
      {sides.map(({ name, text }) => (
        <Text
          key={name}
          size="xs"
          c="dimmed"
          lineClamp={whole ? undefined : 2}
          style={{ overflowWrap: "anywhere" }}
        >
          {name}: {text}
        </Text>
      ))}
      {sides.some(({ text }) => text.length > SHORT_CHARS) && (
        <Button size="compact-xs" variant="subtle" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {say(whole ? "short" : "whole")}
        </Button>
      )}
    </div>
  );
}
