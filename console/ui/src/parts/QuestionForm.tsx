import { Button, Group } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { useTexts } from "../texts";
import { MOST_QUESTION_CHARS } from "./LimitedInput";
import { SentenceField } from "./SentenceField";

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
  /** Calls `done` when what was typed is not needed any longer. */
  ask: (question: string, done: () => void) => void;
  pending: boolean;
}) {
  const { say } = useTexts();
  const [question, setQuestion] = useState(first);
  const asked = question.trim();
  const mayAsk = asked !== "" && question.length <= MOST_QUESTION_CHARS;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (mayAsk) ask(asked, () => setQuestion((typed) => (typed.trim() === asked ? "" : typed)));
      }}
    >
      <Group gap="xs" align="end">
        <SentenceField
          style={{ flex: "1 1 16rem" }}
          label={say("try.question")}
          placeholder={example}
          value={question}
          set={setQuestion}
          most={MOST_QUESTION_CHARS}
        />
        <Button type="submit" leftSection={<IconSend size={16} />} loading={pending} disabled={!mayAsk}>
          {say("try.ask")}
        </Button>
      </Group>
    </form>
  );
}
