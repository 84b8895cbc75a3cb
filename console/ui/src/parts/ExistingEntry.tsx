/** Choosing the entry that answers a group of gaps already. */
import { Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "./Dialog";
import { get, withQuery, type Entry, type EntryPage } from "../api";
import { useTexts } from "../texts";
import { useGapTexts } from "./gap_texts";
import { Failed } from "./parts";
import { ListRow } from "./ListRow";
import { SearchBox } from "./SearchBox";
import { EntryLines } from "./EntryLines";
import { MAX_NEAR_CHARS } from "./LimitedInput";
import { useOpenedEntry } from "./opened_entry";

const SHOWN = 20;

export function ExistingEntry({
  questions,
  choose,
  close,
}: {
  /** The students' questions that want the entry. */
  questions: string[];
  choose: (entry: Entry) => void;
  close: () => void;
}) {
  const { say } = useTexts();
  const said = useGapTexts();
  const [text, setText] = useState("");
  const [wanted] = useDebouncedValue(text.trim(), 200);
  const near = questions[0]?.slice(0, MAX_NEAR_CHARS);
  const found = useQuery({
    queryKey: ["faq", "existing", wanted, near],
    queryFn: () => get<EntryPage>(withQuery("/faq", { text: wanted, near })),
    placeholderData: keepPreviousData,
  });
  const opening = useOpenedEntry(choose);
  return (
    <Dialog
      opened
      onClose={close}
      title={<b>{said("existing.title")}</b>}
      size="lg"
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <Stack gap="sm">
        {questions.map((each) => (
          <Text key={each} size="sm" fw={550}>
            {each}
          </Text>
        ))}
        <Text size="sm" c="dimmed">
          {said("existing.text")}
        </Text>
        <SearchBox label={said("existing.search")} value={text} set={setText} autofocus />
        {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
        {found.data?.entries.length === 0 && (
          <Text size="sm" c="dimmed" role="status">
            {said("existing.none")}
          </Text>
        )}
        <Stack gap={6} mah="50vh" style={{ overflowY: "auto" }}>
          {found.data?.entries.slice(0, SHOWN).map((entry) => (
            <ListRow
              key={entry.id}
              disabled={opening.isPending}
              open={() => opening.mutate(entry.id)}
              testid="existing-entry"
            >
              <EntryLines question={entry.question} answer={entry.answer} />
            </ListRow>
          ))}
        </Stack>
      </Stack>
    </Dialog>
  );
}
