/** What a version changed, in words: each thing with its fields by their names; the raw difference is behind a button. */
import { Badge, Button, Group, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import type { VersionChanges } from "../api";
import { sayIfKnown, saying, useTexts } from "../texts";
import { Side } from "./Conflict";

const vi = {
  added: "thêm",
  removed: "xóa",
  changed: "sửa",
  before: "Trước",
  after: "Sau",
  raw: "Xem bản gốc",
  less: "Ẩn bản gốc",
  more: "Phiên bản này đổi nhiều hơn những gì kể ở đây: xem bản gốc.",
  "field.question": "Câu hỏi",
  "field.variants": "Cách hỏi khác",
  "field.answer": "Câu trả lời",
  "field.topic": "Chủ đề",
  "field.aspect": "Hỏi về điều gì",
  "field.applies_to": "Áp dụng cho",
  "field.sources": "Căn cứ",
  "field.owner": "Phòng phụ trách",
  "field.office": "Phòng phụ trách",
  "field.reviewed_at": "Ngày rà soát",
  "field.name": "Tên",
  "field.name_en": "Tên tiếng Anh",
  "field.aliases": "Tên khác",
  "field.phone": "Điện thoại",
  "field.email": "Thư điện tử",
  "field.address": "Địa chỉ",
  "field.hours": "Giờ làm việc",
  "field.website": "Trang web",
  "field.examples": "Câu ví dụ",
  "field.keywords": "Từ khóa",
  "field.title": "Tên văn bản",
  "field.number": "Số hiệu",
  "field.issued": "Ngày ban hành",
  "field.effective_from": "Có hiệu lực từ",
  "field.effective_to": "Có hiệu lực đến",
  "field.supersedes": "Thay cho",
  "field.url": "Trang gốc",
  "field.text": "Nội dung",
  "field.inputs": "Giá trị cần hỏi",
  "field.steps": "Các bước tính",
  "field.cases": "Các trường hợp",
  "field.phrasings": "Cách hỏi",
  "field.programs": "Chương trình",
  "field.year": "Năm vào học",
  "field.after": "Sau câu",
  "field.said": "Sinh viên hỏi tiếp",
  "field.entries": "Câu trả lời là của",
};

type VersionKey = keyof typeof vi;

const en: Record<VersionKey, string> = {
  added: "added",
  removed: "removed",
  changed: "changed",
  before: "Before",
  after: "After",
  raw: "Show the raw diff",
  less: "Hide the raw diff",
  more: "This version changed more than is told here: see the raw diff.",
  "field.question": "Question",
  "field.variants": "Other wordings",
  "field.answer": "Answer",
  "field.topic": "Topic",
  "field.aspect": "What is asked of it",
  "field.applies_to": "Applies to",
  "field.sources": "Sources",
  "field.owner": "Office in charge",
  "field.office": "Office in charge",
  "field.reviewed_at": "Day of the review",
  "field.name": "Name",
  "field.name_en": "English name",
  "field.aliases": "Other names",
  "field.phone": "Phone",
  "field.email": "E-mail",
  "field.address": "Address",
  "field.hours": "Hours",
  "field.website": "Website",
  "field.examples": "Examples",
  "field.keywords": "Keywords",
  "field.title": "Title",
  "field.number": "Number",
  "field.issued": "Issued",
  "field.effective_from": "In force from",
  "field.effective_to": "In force until",
  "field.supersedes": "Replaces",
  "field.url": "Original page",
  "field.text": "Text",
  "field.inputs": "Values to ask for",
  "field.steps": "Steps",
  "field.cases": "Cases",
  "field.phrasings": "Wordings",
  "field.programs": "Programmes",
  "field.year": "Year of entry",
  "field.after": "After the answer of",
  "field.said": "The student goes on",
  "field.entries": "Answered by",
};

const SAY = { vi: saying(vi), en: saying(en) };
const COLOURS = { added: "green", removed: "red", changed: "blue" } as const;

const isKnown = (key: string): key is VersionKey => key in vi;

export function VersionWords({ found, raw }: { found: VersionChanges; raw: ReactNode }) {
  const { say, language } = useTexts();
  const said = SAY[language];
  const [shown, { toggle }] = useDisclosure(found.changes.length === 0);
  const nameOf = (field: string) => {
    const key = `field.${field}`;
    return isKnown(key) ? said(key) : sayIfKnown(say, key, field);
  };
  return (
    <Stack gap="sm">
      {found.changes.map((thing, place) => (
        <Paper key={place} withBorder p="sm" data-testid="changed-thing">
          <Group gap="xs" mb={6}>
            <Badge variant="light" color={COLOURS[thing.kind]} tt="none">
              {said(thing.kind)}
            </Badge>
            <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
              {(thing.name && sayIfKnown(say, `intent.${thing.name}`, thing.name)) || thing.file}
            </Text>
          </Group>
          <Stack gap="xs">
            {thing.fields.map(({ field, before, after }) => (
              <div key={field}>
                <Text size="sm" fw={550}>
                  {nameOf(field)}
                </Text>
                <SimpleGrid cols={{ base: 1, md: before && after ? 2 : 1 }}>
                  {before && <Side name={said("before")} text={before} other={after} />}
                  {after && <Side name={said("after")} text={after} other={before} />}
                </SimpleGrid>
              </div>
            ))}
          </Stack>
        </Paper>
      ))}
      {found.more && <Text size="sm">{said("more")}</Text>}
      <Button
        size="compact-sm"
        variant="subtle"
        style={{ alignSelf: "start" }}
        onClick={toggle}
        aria-expanded={shown}
      >
        {said(shown ? "less" : "raw")}
      </Button>
      {shown && raw}
    </Stack>
  );
}
