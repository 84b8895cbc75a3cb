import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconListCheck } from "@tabler/icons-react";
import { ask, type ThresholdTrial } from "../api";
import { useTexts } from "../texts";
import { useCheckTexts } from "./check_texts";
import { CheckedQuestions } from "./CheckedQuestions";
import { Doing } from "./Doing";
import { errorText } from "./parts";
import { useMutation } from "./acting";

/** Before another threshold is used: which of the school's checked questions it answers otherwise. */
export function ThresholdCheck({
  choice,
}: {
  choice: { risk: number | null; measured_at: number } | { back: true };
}) {
  const { say: sayAny } = useTexts();
  const say = useCheckTexts();
  const trying = useMutation({
    mutationFn: () => ask<ThresholdTrial>("POST", "/thresholds/try", choice),
  });
  return (
    <Stack gap="xs">
      {trying.data &&
        (trying.data.checked.count ? (
          <CheckedQuestions checked={trying.data.checked} />
        ) : (
          <Text size="xs" c="dimmed">
            {say("none")}
          </Text>
        ))}
      {trying.error && <Alert color="red">{errorText(sayAny, trying.error)}</Alert>}
      <Doing task="try" pending={trying.isPending} />
      {!trying.data && (
        <Button
          variant="light"
          size="xs"
          leftSection={<IconListCheck size={16} />}
          loading={trying.isPending}
          onClick={() => trying.mutate()}
        >
          {say("begin")}
        </Button>
      )}
    </Stack>
  );
}
