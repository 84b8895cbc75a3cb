/** An entry in a list: its question, and how its answer begins. */
import { Text } from "@mantine/core";
import { plainText } from "./Markdown";

export function EntryLines({ question, answer }: { question: string; answer: string }) {
  return (
    <div>
      <Text size="sm" fw={550}>
        {question}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {plainText(answer)}
      </Text>
    </div>
  );
}
