import { Alert, Button, Group, Paper, SegmentedControl, Stack, Text } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { IconEye, IconEyeOff, IconLock, IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ask, type InboxConversation, type Previews } from "../api";
import { sayIfKnown, timeText, useTexts } from "../texts";
import { CannedReplies } from "./CannedReplies";
import { Markdown } from "./Markdown";
import { errorText } from "./parts";
import { useMutation } from "./acting";
import { LimitedText, MOST_MESSAGE_CHARS } from "./LimitedInput";

const PREVIEW_MS = 400;

type Kind = "reply" | "note";

/** What was written and not sent, by conversation and kind: reading another conversation loses nothing. */
const drafts = new Map<string, string>();

/** Keep what is written; while there is some, the browser asks before the page is closed or loaded again. */
function keep(key: string, text: string): void {
  if (text.trim()) drafts.set(key, text);
  else drafts.delete(key);
  if (drafts.size) window.addEventListener("beforeunload", askBeforeClosing);
  else window.removeEventListener("beforeunload", askBeforeClosing);
}

function askBeforeClosing(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Write to the student, or a note that only advisors see; `mayReply`: the conversation is nobody else's. */
export function Composer({
  it,
  mayReply,
  renew,
}: {
  it: InboxConversation;
  mayReply: boolean;
  renew: () => void;
}) {
  const { say } = useTexts();
  const [chosen, setKind] = useState<Kind>("reply");
  const kind = mayReply ? chosen : "note";
  const key = `${it.id} ${kind}`;
  const [, redraw] = useState({});
  const text = drafts.get(key) ?? "";
  // Where the person has written last, and in which draft: a canned reply goes there.
  const cursor = useRef({ key, at: Infinity });
  const write = (written: string) => {
    keep(key, written);
    redraw({});
  };
  const sending = useMutation({
    mutationFn: (sent: { key: string; kind: Kind; text: string }) =>
      ask("POST", `/inbox/${it.id}/${sent.kind === "reply" ? "reply" : "notes"}`, { text: sent.text }),
    onSuccess: (_, sent) => {
      // What was typed while it was sent stays.
      if (drafts.get(sent.key) === sent.text) keep(sent.key, "");
      redraw({});
    },
    onSettled: renew,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sending.mutate({ key, kind, text });
      }}
    >
      <Stack gap="xs">
        {mayReply && (
          <SegmentedControl
            size="xs"
            value={kind}
            onChange={(value) => {
              setKind(value as Kind);
              sending.reset();
            }}
            data={[
              { value: "reply", label: say("inbox.reply") },
              { value: "note", label: say("inbox.note") },
            ]}
            style={{ alignSelf: "start" }}
          />
        )}
        {mayReply && kind === "reply" && <Window it={it} />}
        <LimitedText
          aria-label={say(kind === "reply" ? "inbox.reply" : "inbox.note")}
          placeholder={say(kind === "reply" ? "inbox.reply_hint" : "inbox.note_hint")}
          leftSection={kind === "note" ? <IconLock size={16} /> : undefined}
          autosize
          minRows={2}
          maxRows={8}
          most={MOST_MESSAGE_CHARS}
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
          onBlur={(event) => {
            cursor.current = { key, at: event.currentTarget.selectionEnd };
          }}
        />
        {sending.error && <Alert color="red">{errorText(say, sending.error)}</Alert>}
        <Group justify="space-between" gap="xs">
          {kind === "reply" ? (
            <CannedReplies
              reply={text}
              onPick={(picked) => {
                const made = inserted(
                  text,
                  cursor.current.key === key ? cursor.current.at : Infinity,
                  picked,
                );
                cursor.current = { key, at: made.end };
                write(made.text);
              }}
            />
          ) : (
            <span />
          )}
          <Button
            type="submit"
            disabled={!text.trim() || text.length > MOST_MESSAGE_CHARS}
            loading={sending.isPending}
            color={kind === "note" ? "yellow.8" : undefined}
            leftSection={kind === "note" ? <IconLock size={16} /> : <IconSend size={16} />}
          >
            {say(kind === "reply" ? "inbox.send" : "inbox.save_note")}
          </Button>
        </Group>
        {kind === "reply" && <Preview it={it} text={text} />}
      </Stack>
    </form>
  );
}

/** Return `text` with a paragraph at a place, and its end; a paragraph that stands there already is not doubled. */
function inserted(text: string, at: number, paragraph: string): { text: string; end: number } {
  const before = text.slice(0, at).trimEnd();
  const after = text.slice(at).trimStart();
  const isThere =
    `\n\n${before}`.endsWith(`\n\n${paragraph}`) || `${after}\n\n`.startsWith(`${paragraph}\n\n`);
  if (isThere) return { text, end: Math.min(at, text.length) };
  const upTo = [before, paragraph].filter(Boolean).join("\n\n");
  return { text: [upTo, after].filter(Boolean).join("\n\n"), end: upTo.length };
}

/** Until when the channel lets the reply through, and from when on it costs. */
function Window({ it }: { it: InboxConversation }) {
  const { say, language } = useTexts();
  if (!it.reply_until) return null;
  const channel = sayIfKnown(say, `channel.${it.channel}`, it.channel);
  const time = (at: string) => timeText(Date.parse(at) / 1000, language);
  const over = (at: string) => Date.parse(at) < Date.now();
  if (over(it.reply_until)) return <Alert color="orange">{say("inbox.window_over", { channel })}</Alert>;
  const free = it.reply_free_until;
  return (
    <Text size="xs" c="dimmed">
      {say("inbox.until", { time: time(it.reply_until) })}
      {free &&
        ` · ${over(free) ? say("inbox.costs", { channel }) : say("inbox.free_until", { time: time(free) })}`}
    </Text>
  );
}

/** The messages that the student would get: a long reply takes several on some channels. */
function Preview({ it, text }: { it: InboxConversation; text: string }) {
  const { say } = useTexts();
  const [opened, { toggle }] = useDisclosure();
  const [settled] = useDebouncedValue(text.trim(), PREVIEW_MS);
  const found = useQuery({
    queryKey: ["preview", it.id, settled],
    queryFn: () => ask<Previews>("POST", `/inbox/${it.id}/preview`, { text: settled }),
    enabled: settled !== "" && text.trim() !== "",
    placeholderData: (before) => before,
    gcTime: 0,
    retry: false,
  });
  if (!text.trim() || !settled) return null;
  const channel = sayIfKnown(say, `channel.${it.channel}`, it.channel);
  if (found.error)
    return (
      <Text size="xs" c="dimmed">
        {errorText(say, found.error)}
      </Text>
    );
  if (!found.data) return null;
  const { messages } = found.data;
  return (
    <Stack gap={6}>
      <Button
        size="compact-xs"
        variant="subtle"
        style={{ alignSelf: "start" }}
        onClick={toggle}
        aria-expanded={opened}
        leftSection={opened ? <IconEyeOff size={14} /> : <IconEye size={14} />}
      >
        {say("inbox.preview", { channel, n: messages.length })}
      </Button>
      {opened && (
        <Paper withBorder p="xs" data-testid="preview">
          <Stack gap={6} align="flex-start">
            {messages.map((message, place) => (
              <div key={place} className="bubble advisor">
                {it.channel === "web" ? <Markdown text={message} /> : message}
              </div>
            ))}
          </Stack>
        </Paper>
      )}
    </Stack>
  );
}
