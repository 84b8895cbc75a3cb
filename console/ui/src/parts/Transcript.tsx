import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useEffect, useRef, type ReactNode } from "react";
import type { TranscriptMessage } from "../api";
import type { Key } from "../locales/vi";
import { timeText, useTexts } from "../texts";
import { Markdown } from "./Markdown";

/** A message of a transcript, of the inbox, or a note. */
export type Said = Pick<TranscriptMessage, "id" | "author" | "by" | "text"> &
  Partial<Pick<TranscriptMessage, "turn" | "good" | "reason">> & {
    at: number | string;
    options: (string | { title: string })[];
  };

/**
 * The messages of a conversation; `onWhy` is called with the turn whose reasons are wanted, and `reasons` are those of the
 * turn `chosen`, shown below its last message.
 */
export function Transcript({
  messages,
  onWhy,
  chosen,
  reasons,
}: {
  messages: Said[];
  onWhy?: (turn: number) => void;
  chosen?: number | undefined;
  reasons?: ReactNode;
}) {
  const { say, language } = useTexts();
  const first = useRef<HTMLDivElement>(null);
  const replies = messages.map(({ turn }) => Boolean(turn) && turn === chosen);
  const ends = replies.lastIndexOf(true);
  // A student's message has no turn: the question is the last one before the reply.
  const asked = messages.slice(0, Math.max(0, replies.indexOf(true))).map(({ author }) => author);
  const begins = asked.lastIndexOf("student");
  useEffect(() => {
    const shown = first.current?.getBoundingClientRect();
    if (shown && (shown.top < 0 || shown.bottom > innerHeight))
      void first.current?.scrollIntoView({ block: "center" });
  }, [chosen]);
  return (
    <Stack gap="sm" role="log">
      {messages.map((message, place) => {
        const seconds = typeof message.at === "number" ? message.at : Date.parse(message.at) / 1000;
        const { turn } = message;
        // A turn may be answered with several messages: its reasons are under the last.
        const last = messages[place + 1]?.turn !== turn;
        const author = say(`author.${message.author}` as Key);
        const who = message.author === "note" ? `${author} · ${message.by}` : message.by || author;
        return (
          <Stack
            key={`${message.author} ${message.id}`}
            ref={place === begins ? first : null}
            gap={4}
            align={message.author === "student" ? "flex-start" : "flex-end"}
          >
            <Text size="xs" c="dimmed">
              {who} · {timeText(seconds, language)}
            </Text>
            <div className={`bubble ${message.author} ${replies[place] || place === begins ? "chosen" : ""}`}>
              {["bot", "notice", "advisor"].includes(message.author) ? (
                <Markdown text={message.text} />
              ) : (
                message.text
              )}
            </div>
            {message.options.length > 0 && (
              <Group gap={4} justify="flex-end">
                {message.options.map((option, number) => (
                  <Badge key={number} variant="outline" color="gray" tt="none" fw={400}>
                    {typeof option === "string" ? option : option.title}
                  </Badge>
                ))}
              </Group>
            )}
            <Group gap={6}>
              {message.good === false && (
                <Badge color="red" variant="light" tt="none">
                  {say("feedback.down")}
                  {message.reason ? `: ${message.reason}` : ""}
                </Badge>
              )}
              {message.good === true && (
                <Badge color="green" variant="light" tt="none">
                  {say("feedback.up")}
                </Badge>
              )}
              {onWhy && turn && last && message.author === "bot" && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-expanded={turn === chosen}
                  onClick={() => onWhy(turn)}
                >
                  {say("conv.why")}
                </Button>
              )}
            </Group>
            {place === ends && reasons && <div style={{ alignSelf: "stretch" }}>{reasons}</div>}
          </Stack>
        );
      })}
    </Stack>
  );
}
