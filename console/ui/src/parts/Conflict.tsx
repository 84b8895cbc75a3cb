import { Alert, Button, Code, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useTexts } from "../texts";

/** What the editor has written beside what stands in the file by now. */
export function Conflict({
  title,
  mine,
  theirs,
  loading = false,
  loadTheirs,
  takeLatest,
}: {
  title: string;
  mine: string;
  theirs: string;
  loading?: boolean;
  loadTheirs: () => void;
  takeLatest: () => void;
}) {
  const { say } = useTexts();
  return (
    <Stack data-testid="conflict">
      <Alert color="orange" title={title}>
        {say("entry.conflict_text")}
      </Alert>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <div>
          <Text fw={600}>{say("entry.mine")}</Text>
          <Code block>{mine}</Code>
        </div>
        <div>
          <Text fw={600}>{say("entry.theirs")}</Text>
          <Code block>{theirs}</Code>
        </div>
      </SimpleGrid>
      <Group justify="flex-end">
        <Button variant="default" onClick={loadTheirs} loading={loading}>
          {say("entry.load_theirs")}
        </Button>
        <Button onClick={takeLatest} loading={loading}>
          {say("entry.take_latest")}
        </Button>
      </Group>
    </Stack>
  );
}
