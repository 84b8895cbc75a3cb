import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get, type NearerEntryList } from "../api";
import { saying, useTexts } from "../texts";
import { EntryNames } from "./EntryNames";

const SAY = {
  vi: saying({
    looking: "Đang tìm những câu hỏi có sẵn nói về cùng chuyện với văn bản này…",
    title: "{n} câu hỏi có sẵn nói về cùng chuyện",
    text: "Covan trả lời câu hỏi có sẵn trước văn bản. Văn bản này quy định khác thì bạn sửa những câu dưới đây, nếu không sinh viên vẫn nhận câu trả lời cũ.",
  }),
  en: saying({
    looking: "Looking for questions and answers on what this document speaks of…",
    title: "{n} {n|answer speaks|answers speak} of the same",
    text: "Covan gives these answers before any document. Where this document rules otherwise, change them: students would still get the old ones.",
  }),
};

/** The entries that would still answer before an uploaded document that speaks of their matter. */
export function NearerEntries({ address }: { address: string }) {
  const say = SAY[useTexts().language];
  const found = useQuery({
    queryKey: ["nearer-entries", address],
    queryFn: () => get<NearerEntryList>(`${address}/nearer-entries`),
    staleTime: Infinity,
  });
  if (found.isPending)
    return (
      <Text size="sm" c="dimmed" role="status">
        {say("looking")}
      </Text>
    );
  const entries = found.data?.entries ?? [];
  if (entries.length === 0) return null;
  return (
    <Alert color="orange" title={say("title", { n: entries.length })} data-testid="nearer-entries">
      <Stack gap={4}>
        <Text size="sm">{say("text")}</Text>
        <EntryNames entries={entries} />
      </Stack>
    </Alert>
  );
}
