/** Entries by their questions, each with the way to it. */
import { Anchor, Text } from "@mantine/core";
import { Link } from "react-router-dom";

export function EntryNames({ entries }: { entries: { id: string; question: string }[] }) {
  return entries.map(({ id, question }) => (
    <Text key={id} size="sm">
      <Anchor component={Link} to={`/faq/${encodeURIComponent(id)}`} size="sm">
        {question}
      </Anchor>{" "}
      <Text span size="xs" c="dimmed">
        {id}
      </Text>
    </Text>
  ));
}
