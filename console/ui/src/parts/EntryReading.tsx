import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { Dialog } from "./Dialog";
import type { Entry, Vocabulary } from "../api";
import { dayText, useTexts } from "../texts";
import { studentsText } from "./AppliesTo";
import { Markdown } from "./Markdown";

/** All of an entry, for those who may not change it. */
export function EntryReading({
  entry,
  known,
  close,
}: {
  entry: Entry | undefined;
  known: Vocabulary | undefined;
  close: () => void;
}) {
  const { say, language } = useTexts();
  const title = (id: string) => known?.documents.find(({ document }) => document === id)?.title ?? id;
  const office = known?.offices.find(({ id }) => id === entry?.owner)?.name ?? entry?.owner;
  const topic = known?.topics.find(({ id }) => id === entry?.topic)?.name ?? entry?.topic;
  const students = entry ? studentsText(entry.applies_to) : "";
  return (
    <Dialog
      opened={entry !== undefined}
      onClose={close}
      title={<b>{entry?.question}</b>}
      size="lg"
      closeButtonProps={{ "aria-label": say("close") }}
    >
      {entry && (
        <Stack gap="sm" style={{ overflowWrap: "anywhere" }}>
          <Markdown text={entry.filled} />
          {entry.sources.length > 0 && (
            <div>
              <Text size="xs" c="dimmed">
                {say("entry.sources")}
              </Text>
              {entry.sources.map(({ document, locator = "" }) => (
                <div key={`${document} ${locator}`}>
                  <Anchor
                    component={Link}
                    size="sm"
                    to={`/documents/${encodeURIComponent(document)}?${new URLSearchParams({ at: locator })}`}
                  >
                    {[title(document), locator].filter(Boolean).join(" · ")}
                  </Anchor>
                </div>
              ))}
            </div>
          )}
          {[
            [say("entry.variants"), entry.variants.join("\n")],
            [say("applies.title"), students],
            [say("entry.topic"), topic],
            [say("entry.owner"), office],
            [say("entry.reviewed_at"), entry.reviewed_at && dayText(entry.reviewed_at, language)],
          ].map(
            ([name, value]) =>
              value && (
                <div key={name}>
                  <Text size="xs" c="dimmed">
                    {name}
                  </Text>
                  <Text size="sm" style={{ whiteSpace: "pre-wrap" }}>
                    {value}
                  </Text>
                </div>
              ),
          )}
        </Stack>
      )}
    </Dialog>
  );
}
