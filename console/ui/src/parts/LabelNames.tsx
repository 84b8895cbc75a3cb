/** How the labels of a file of questions are written: with the names of the school's things, which can be copied here. */
import { Badge, Button, Code, CopyButton, Group, List, Paper, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, withQuery, type LabelNames as Found } from "../api";
import { saying, useTexts } from "../texts";
import { Failed } from "./parts";
import { SearchBox } from "./SearchBox";

const vi = {
  title: "Cách ghi tệp câu hỏi",
  id: "id: một số khác nhau cho mỗi dòng.",
  question: "question: lời sinh viên, đúng như đã viết.",
  decision: "decision: trả lời, hỏi lại hoặc không trả lời.",
  source:
    "source: câu trả lời đúng nằm ở đâu. Trả lời thì ghi tên: câu hỏi của mục có sẵn, của công thức, hay tên văn bản. Hỏi lại thì ghi điều phải hỏi, như khóa hay ngành. Không trả lời thì để trống. Nhiều tên thì cách nhau bằng dấu |.",
  topic: "topic (không bắt buộc): tên chủ đề.",
  example:
    "id,question,decision,source\n1,đóng học phí trễ có sao không,trả lời,Hạn đóng học phí là khi nào?\n2,chuẩn ngoại ngữ ra trường,hỏi lại,khóa\n3,mai trời mưa không,không trả lời,",
  search: "Tìm tên để ghi vào tệp",
  copy: "Chép tên",
  copied: "Đã chép",
  none: "Trường không có gì tên như vậy.",
  faq: "câu hỏi có sẵn",
  calculator: "công thức",
  document: "văn bản",
  dimension: "điều phải hỏi",
  topic_name: "chủ đề",
};

const en: typeof vi = {
  title: "How to write the file of questions",
  id: "id: another number for each row.",
  question: "question: the student's words as they were written.",
  decision: "decision: answer, ask back, or no answer.",
  source:
    "source: where the right answer is. For an answer, its name: the question of an entry or a calculator, or the title of a document. For a question back, what has to be asked, such as the cohort or the major. Empty for no answer. Several names have | between them.",
  topic: "topic (if you like): the name of a topic.",
  example:
    "id,question,decision,source\n1,can I pay the fee late,answer,When is the tuition fee due?\n2,language requirement,ask back,cohort\n3,will it rain tomorrow,no answer,",
  search: "Find a name to write into the file",
  copy: "Copy the name",
  copied: "Copied",
  none: "The school has nothing of this name.",
  faq: "entry",
  calculator: "calculator",
  document: "document",
  dimension: "to be asked",
  topic_name: "topic",
};

const SAY = { vi: saying(vi), en: saying(en) };
const KINDS = {
  faq: "faq",
  calculator: "calculator",
  document: "document",
  dimension: "dimension",
  topic: "topic_name",
} as const;

export function LabelNames() {
  const said = SAY[useTexts().language];
  const [text, setText] = useState("");
  const [wanted] = useDebouncedValue(text.trim(), 200);
  const found = useQuery({
    queryKey: ["label-names", wanted],
    queryFn: () => get<Found>(withQuery("/thresholds/names", { text: wanted })),
    placeholderData: keepPreviousData,
  });
  return (
    <Paper withBorder p="sm" ta="left" data-testid="label-names">
      <Stack gap="xs">
        <Text fw={600} size="sm">
          {said("title")}
        </Text>
        <List size="sm">
          {(["id", "question", "decision", "source", "topic"] as const).map((each) => (
            <List.Item key={each}>{said(each)}</List.Item>
          ))}
        </List>
        <Code block fz="xs" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {said("example")}
        </Code>
        <SearchBox label={said("search")} value={text} set={setText} />
        {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
        {found.data?.names.length === 0 && (
          <Text size="sm" c="dimmed" role="status">
            {said("none")}
          </Text>
        )}
        <Stack gap={4} mah="16rem" style={{ overflowY: "auto" }}>
          {found.data?.names.map(({ kind, id, name }) => (
            <Group key={`${kind} ${id} ${name}`} gap="xs" wrap="nowrap" data-testid="label-name">
              <Text size="sm" style={{ flex: 1, minWidth: 0, overflowWrap: "anywhere" }}>
                {name}
              </Text>
              <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
                {said(KINDS[kind])}
              </Badge>
              <CopyButton value={name}>
                {({ copied, copy }) => (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    style={{ flexShrink: 0 }}
                    onClick={copy}
                    aria-label={`${said("copy")}: ${name}`}
                  >
                    {said(copied ? "copied" : "copy")}
                  </Button>
                )}
              </CopyButton>
            </Group>
          ))}
        </Stack>
      </Stack>
    </Paper>
  );
}
