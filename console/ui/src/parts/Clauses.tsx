import { Anchor, Badge, Group, Paper, Stack, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import type { Clause } from "../api";
import { useTexts } from "../texts";

/** The clauses that a rule rests on; with `value`, whether it stands in each of them. */
export function Clauses({ clauses, value }: { clauses: Clause[]; value?: string }) {
  const { say } = useTexts();
  if (clauses.length === 0) return null;
  const isFound = clauses.some((each) => each.has_value);
  return (
    <div>
      <Text size="sm" fw={600}>
        {say("facts.clauses")}
      </Text>
      {value !== undefined && (
        <Text size="xs" c="dimmed">
          {say(isFound ? "facts.value_found" : "facts.value_not_found", { value })}
        </Text>
      )}
      <Stack gap={6} mt={6} data-testid="clauses">
        {clauses.map((each) => (
          <Paper key={`${each.document} ${each.locator}`} withBorder p="sm">
            <Group justify="space-between" gap="xs">
              <Text size="xs" fw={600}>
                <Anchor
                  component={Link}
                  to={`/documents/${encodeURIComponent(each.document)}`}
                  size="xs"
                  fw={600}
                >
                  {each.title}
                </Anchor>{" "}
                · {each.locator}
              </Text>
              {each.has_value && (
                <Badge variant="light" color="green" tt="none">
                  {say("facts.has_value")}
                </Badge>
              )}
            </Group>
            <Text size="sm" lineClamp={6} style={{ whiteSpace: "pre-wrap" }}>
              {each.text}
            </Text>
          </Paper>
        ))}
      </Stack>
    </div>
  );
}
