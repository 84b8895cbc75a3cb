import { Badge, Group, Paper, Stack, Text } from "@mantine/core";
import type { Tried } from "../api";
import { plainText } from "./Markdown";
import { sayIfKnown, useTexts } from "../texts";

/** The school's checked questions whose answer a draft changes. */
export function CheckedQuestions({ checked }: { checked: Tried["checked"] }) {
  const { say } = useTexts();
  if (!checked.count) return null;
  const lost = checked.changed.filter((each) => each.after.decision === "no_answer").length;
  return (
    <Paper withBorder p="md" data-testid="checked">
      <Text size="sm" fw={600}>
        {checked.changed.length
          ? say("checked.changed", { n: checked.changed.length, all: checked.count, lost })
          : say("checked.same", { all: checked.count })}
      </Text>
      <Stack gap="xs" mt="xs">
        {checked.changed.map((each) => (
          <div key={each.question}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm">{each.question}</Text>
              <Badge color={each.right ? "green" : "red"} variant="light" tt="none" style={{ flexShrink: 0 }}>
                {say(each.right ? "checked.right" : "checked.wrong")}
              </Badge>
            </Group>
            <Text size="xs" c="dimmed" lineClamp={2}>
              {say("checked.before")}:{" "}
              {plainText(each.before.text) || sayIfKnown(say, `decision.${each.before.decision}`, "")}
            </Text>
            <Text size="xs" c="dimmed" lineClamp={2}>
              {say("checked.after")}:{" "}
              {plainText(each.after.text) || sayIfKnown(say, `decision.${each.after.decision}`, "")}
            </Text>
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
