import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import type { Message } from "../api";
import type { Key } from "../locales/vi";
import { timeText, useTexts } from "../texts";
import { Markdown } from "./Markdown";

/** The messages of a conversation; `onWhy` is called with the turn whose reasons are wanted. */
export function Transcript({
  messages,
  onWhy,
  chosen,
}: {
  messages: Message[];
  onWhy?: (turn: number) => void;
  chosen?: number | undefined;
}) {
  const { say, language } = useTexts();
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
            gap={4}
            align={message.author === "student" ? "flex-start" : "flex-end"}
          >
            <Text size="xs" c="dimmed">
              {who} · {timeText(seconds, language)}
            </Text>
            <div className={`bubble ${message.author} ${turn && turn === chosen ? "chosen" : ""}`}>
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
                <Button size="compact-xs" variant="subtle" onClick={() => onWhy(turn)}>
                  {say("conv.why")}
                </Button>
              )}
            </Group>
          </Stack>
        );
      })}
    </Stack>
  );
}
