import { Button, Group, TextInput } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { useTexts } from "../texts";

/** A question that is asked of Covan. */
export function QuestionForm({
  first = "",
  example,
  ask,
  pending,
}: {
  /** What stands there at first. */
  first?: string;
  example: string;
  ask: (question: string) => void;
  pending: boolean;
}) {
  const { say } = useTexts();
  const [question, setQuestion] = useState(first);
  const asked = question.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (asked) ask(asked);
      }}
    >
      <Group gap="xs" align="end">
        <TextInput
          style={{ flex: "1 1 16rem" }}
          label={say("try.question")}
          placeholder={example}
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
          maxLength={2000}
        />
        <Button type="submit" leftSection={<IconSend size={16} />} loading={pending} disabled={!asked}>
          {say("try.ask")}
        </Button>
      </Group>
    </form>
  );
}
