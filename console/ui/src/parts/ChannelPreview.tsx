/** An answer as a student reads it on each channel that is set up. */
import { Button, Paper, SegmentedControl, Stack, Text } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask, type Source } from "../api";
import { sayIfKnown, useTexts } from "../texts";
import { Markdown } from "./Markdown";
import { usePreviewTexts } from "./preview_texts";

const WEBSITE = "web";
const SETTLED_MS = 300;
const NO_SOURCES: Source[] = [];

/** An answer with the values of its facts, its citations, and the messages that it is on each channel. */
export interface Preview {
  answer: string;
  channels: Record<string, string[]>;
  citations: { title: string; locator: string }[];
}

/** Return the preview of an answer, renewed when its editor pauses. */
export function usePreview(answer: string, sources: Source[] = NO_SOURCES): Preview | undefined {
  const [settled] = useDebouncedValue(answer, SETTLED_MS);
  const preview = useQuery({
    queryKey: ["preview", settled, sources],
    queryFn: () => ask<Preview>("POST", "/faq/preview", { answer: settled, sources }),
    enabled: settled.trim() !== "",
    placeholderData: (before) => before,
    gcTime: 0,
    retry: false,
  });
  return preview.data;
}

/** A preview beside the question; `shown` is the text on the website. */
export function ChannelPreview({
  question = "",
  shown,
  preview,
}: {
  question?: string;
  shown: string;
  preview: Preview | undefined;
}) {
  const { say } = useTexts();
  const sayPreview = usePreviewTexts();
  const [channel, setChannel] = useState<string>(WEBSITE);
  const channels = shown.trim() ? (preview?.channels ?? {}) : {};
  const others = Object.keys(channels).filter((name) => name !== WEBSITE);
  const sources = (preview?.citations ?? [])
    .map(({ title, locator }) => [title, locator].filter(Boolean).join(", "))
    .join(" · ");
  return (
    <Paper withBorder p="md" style={{ overflowWrap: "anywhere" }}>
      <Text size="xs" c="dimmed" mb={6}>
        {say("entry.preview")}
      </Text>
      {others.length > 0 && (
        <SegmentedControl
          fullWidth
          size="xs"
          mb="xs"
          aria-label={say("entry.preview")}
          value={channels[channel] ? channel : WEBSITE}
          onChange={setChannel}
          data={[WEBSITE, ...others].map((name) => ({
            value: name,
            label: sayIfKnown(say, `channel.${name}`, name),
          }))}
        />
      )}
      {question && <div className="bubble student">{question}</div>}
      <Stack gap={6} mt="xs" align="flex-end">
        {channels[channel] && channel !== WEBSITE ? (
          channels[channel].map((text, place) => (
            <div key={place} className="bubble" data-testid="preview">
              {text}
            </div>
          ))
        ) : (
          <>
            <div className="bubble" data-testid="preview">
              <Markdown text={shown || "…"} />
            </div>
            {sources && (
              <Text size="xs" c="dimmed" data-testid="preview-sources">
                {sayPreview("source", { sources })}
              </Text>
            )}
          </>
        )}
      </Stack>
    </Paper>
  );
}

/** The button that shows the preview of an answer. */
export function PreviewButton({ question = "", answer, sources }: Shown) {
  const say = usePreviewTexts();
  const [opened, { toggle }] = useDisclosure(false);
  return (
    <>
      <Button size="compact-xs" variant="subtle" onClick={toggle} style={{ alignSelf: "start" }}>
        {say(opened ? "hide" : "show")}
      </Button>
      {opened && <Previewed {...{ question, answer }} {...(sources && { sources })} />}
    </>
  );
}

interface Shown {
  question?: string;
  answer: string;
  sources?: Source[];
}

function Previewed({ question = "", answer, sources }: Shown) {
  const preview = usePreview(answer, sources);
  return <ChannelPreview question={question} shown={answer} preview={preview} />;
}
