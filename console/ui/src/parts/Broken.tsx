/** Stands in the place of a page that could not be drawn; the menu beside it stays. */
import { Button, Paper, Stack, Text } from "@mantine/core";
import { useTexts } from "../texts";

export function Broken() {
  const { say } = useTexts();
  return (
    <Paper withBorder p="lg" role="alert">
      <Stack align="center" gap="sm" maw={460} mx="auto" ta="center">
        <Text fw={600}>{say("broken.title")}</Text>
        <Text c="dimmed" size="sm">
          {say("broken.text")}
        </Text>
        <Button variant="light" onClick={() => location.reload()}>
          {say("broken.reload")}
        </Button>
      </Stack>
    </Paper>
  );
}
