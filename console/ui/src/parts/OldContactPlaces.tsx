import { Alert, Anchor, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import type { OldContacts } from "../api";
import { saying, useTexts } from "../texts";

const SAY = {
  vi: saying({
    title: "Số hay địa chỉ cũ còn ở {count} chỗ",
    text: "Sinh viên còn đọc thấy số cũ ở những chỗ này. Hãy mở và sửa.",
    entry: "Câu hỏi",
    fact: "Số liệu",
    document: "Văn bản",
    more: "và {n} chỗ nữa",
  }),
  en: saying({
    title: "The old number or address still stands in {count} {count|place|places}",
    text: "Students still read the old one there. Open these and change them.",
    entry: "Question",
    fact: "Fact",
    document: "Document",
    more: "and {n} more",
  }),
};

/** Where a contact that was changed in the catalogue still stands, each with a link to it. */
export function OldContactPlaces({ of: { places, count } }: { of: OldContacts }) {
  const say = SAY[useTexts().language];
  return (
    <Alert color="orange" title={say("title", { count })} data-testid="old-contacts">
      <Text size="sm">{say("text")}</Text>
      {places.map(({ kind, id, name, locator }) => (
        <Text key={`${kind} ${id}`} size="sm" style={{ overflowWrap: "anywhere" }}>
          {say(kind)}:{" "}
          <Anchor component={Link} size="sm" to={addressOf(kind, id, locator)}>
            {[name, locator].filter(Boolean).join(" · ")}
          </Anchor>
        </Text>
      ))}
      {count > places.length && <Text size="sm">{say("more", { n: count - places.length })}</Text>}
    </Alert>
  );
}

function addressOf(kind: "entry" | "fact" | "document", id: string, locator: string): string {
  const part = encodeURIComponent(id);
  if (kind === "document") return `/documents/${part}?${new URLSearchParams({ at: locator })}`;
  return kind === "entry" ? `/faq/${part}` : `/facts/${part}`;
}
