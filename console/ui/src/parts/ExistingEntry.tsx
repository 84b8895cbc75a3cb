/** Choosing the entry that answers a group of gaps already. */
import { Modal, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, withQuery, type Entry, type Listed } from "../api";
import { useMutation } from "./acting";
import { useTexts } from "../texts";
import { useGapTexts } from "./gap_texts";
import { plainText } from "./Markdown";
import { Failed, tellError } from "./parts";

const SHOWN = 20;

/** Gets an entry by its id, for a form. */
export function useOpenedEntry(opened: (entry: Entry) => void) {
  const { say } = useTexts();
  return useMutation({
    mutationFn: (id: string) => get<Entry>(`/faq/entries/${encodeURIComponent(id)}`),
    onSuccess: opened,
    onError: (error) => tellError(say, error),
  });
}

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
  const found = useQuery({
    queryKey: ["faq", "existing", wanted],
    queryFn: () => get<{ entries: Listed[] }>(withQuery("/faq", { text: wanted })),
    placeholderData: keepPreviousData,
  });
  const opening = useOpenedEntry(choose);
  return (
    <Modal
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
        <TextInput
          data-autofocus
          aria-label={said("existing.search")}
          placeholder={said("existing.search")}
          leftSection={<IconSearch size={16} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
        {found.data?.entries.length === 0 && (
          <Text size="sm" c="dimmed" role="status">
            {said("existing.none")}
          </Text>
        )}
        <Stack gap={6} mah="50vh" style={{ overflowY: "auto" }}>
          {found.data?.entries.slice(0, SHOWN).map((entry) => (
            <Paper
              key={entry.id}
              withBorder
              p="sm"
              component="button"
              type="button"
              className="row"
              disabled={opening.isPending}
              onClick={() => opening.mutate(entry.id)}
              data-testid="existing-entry"
            >
              <Text size="sm" fw={550}>
                {entry.question}
              </Text>
              <Text size="xs" c="dimmed" lineClamp={2}>
                {plainText(entry.answer)}
              </Text>
            </Paper>
          ))}
        </Stack>
      </Stack>
    </Modal>
  );
}
