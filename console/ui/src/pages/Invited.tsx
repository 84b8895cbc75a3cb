import { Alert, Button, Container, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { useParams } from "react-router-dom";
import { ApiError, ask, get, type ToldPart, type ToldToTester, type InvitedTo } from "../api";
import { Markdown } from "../parts/Markdown";
import { errorText, Failed, Waiting } from "../parts/parts";
import { timeText, useTexts } from "../texts";
import { useMutation } from "../parts/acting";
import { MOST_QUESTION_CHARS } from "../parts/LimitedInput";
import { SentenceField } from "../parts/SentenceField";

interface Said {
  text: string;
  told?: ToldPart[];
  live?: string[];
}

interface Sent {
  text: string;
  option?: Record<string, string>;
}

const BUILDING_MS = 3_000;
const KEPT = "covan-tester";

/** Return random digits that tell the testers of a link apart, the same after a reload. */
function testerId(): string {
  const kept = localStorage.getItem(KEPT);
  if (kept) return kept;
  const made = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  localStorage.setItem(KEPT, made);
  return made;
}

/** A tester's chat with what is live, by the link of an invitation. */
export default function Invited() {
  const { say, change, language } = useTexts();
  const { token = "" } = useParams();
  const [tester] = useState(testerId);
  const [text, setText] = useState("");
  const [said, setSaid] = useState<Said[]>([]);
  const end = useRef<HTMLDivElement>(null);
  const invitation = useQuery({
    queryKey: ["invited", token],
    queryFn: () => get<InvitedTo>(`/invited/${encodeURIComponent(token)}`),
    retry: false,
    refetchInterval: (query) => (query.state.data?.state === "building" ? BUILDING_MS : false),
  });
  const asking = useMutation({
    mutationFn: (sent: Sent) =>
      ask<ToldToTester>("POST", `/invited/${encodeURIComponent(token)}/questions`, {
        tester,
        ...sent,
      }),
    onMutate: (sent) => setSaid((before) => [...before, { text: sent.text }]),
    onSuccess: (reply) =>
      setSaid((before) =>
        before.map((each, place) =>
          place === before.length - 1 ? { ...each, told: reply.said, live: reply.live } : each,
        ),
      ),
    onError: (_, sent) => {
      setSaid((before) => before.slice(0, -1));
      if (!sent.option) setText(sent.text);
    },
  });
  useEffect(() => {
    // What it returns, a promise in some browsers, is nothing to clean up.
    end.current?.scrollIntoView({ block: "end" });
  }, [said]);
  if (invitation.isPending) return <Waiting />;
  if (invitation.error) {
    const isOver = invitation.error instanceof ApiError && invitation.error.status === 404;
    return (
      <Container size="xs" py="xl">
        {isOver ? (
          <Alert color="orange" title={say("invited.over")}>
            {say("invited.over_text")}
          </Alert>
        ) : (
          <Failed error={invitation.error} retry={() => void invitation.refetch()} />
        )}
      </Container>
    );
  }
  const { state } = invitation.data;
  const send = (event: FormEvent) => {
    event.preventDefault();
    const asked = text.trim();
    if (!asked || asking.isPending || state !== "ready") return;
    setText("");
    asking.mutate({ text: asked });
  };
  return (
    <Container size="sm" p="md">
      <Stack gap="md">
        <Group justify="space-between" wrap="nowrap" align="start">
          <div>
            <Title order={1} size="h4">
              {invitation.data.school}
            </Title>
            <Text size="sm" c="dimmed">
              {say("invited.intro", {
                title: invitation.data.title,
                until: timeText(invitation.data.expires_at, language),
              })}
            </Text>
            <Text size="sm" c="dimmed" data-testid="tried-draft">
              {invitation.data.draft
                ? say("invited.draft", { name: invitation.data.draft })
                : say("invited.live")}
            </Text>
          </div>
          <Button size="compact-sm" variant="subtle" onClick={change} style={{ flexShrink: 0 }}>
            {say("language")}
          </Button>
        </Group>
        {state === "building" && (
          <Alert color="blue" icon={<Loader size="xs" />} title={say("invited.building")} role="status">
            {say("invited.building_text")}
          </Alert>
        )}
        {state === "failed" && (
          <Alert color="orange" title={say("invited.failed")}>
            {say("error.draft_gone")}
          </Alert>
        )}
        <Stack gap="sm" aria-live="polite">
          {said.map((each, place) => (
            <Stack key={place} gap={6}>
              <Group justify="flex-end">
                <div className="bubble student">{each.text}</div>
              </Group>
              {each.told?.map((part, number) => (
                <Told
                  key={number}
                  part={part}
                  press={place === said.length - 1 && !asking.isPending ? asking.mutate : undefined}
                />
              ))}
              {each.live && each.live.length > 0 && <Live texts={each.live} />}
            </Stack>
          ))}
          {asking.isPending && <Waiting />}
        </Stack>
        {asking.error && <Alert color="red">{errorText(say, asking.error)}</Alert>}
        <form onSubmit={send}>
          <Group gap="xs" align="end" wrap="nowrap">
            <SentenceField
              style={{ flex: 1 }}
              label={say("try.question")}
              value={text}
              set={setText}
              most={MOST_QUESTION_CHARS}
              autoComplete="off"
            />
            <Button
              type="submit"
              disabled={!text.trim() || text.length > MOST_QUESTION_CHARS || state !== "ready"}
              aria-label={say("try.ask")}
            >
              <IconSend size={16} />
            </Button>
          </Group>
        </form>
        <Text size="xs" c="dimmed" ref={end}>
          {say("invited.notice")}
        </Text>
      </Stack>
    </Container>
  );
}

/** What is live says, where the draft says something else. */
function Live({ texts }: { texts: string[] }) {
  const { say } = useTexts();
  return (
    <Paper withBorder p="xs" maw="90%" data-testid="live">
      <Text size="xs" c="dimmed">
        {say("invited.live_says")}
      </Text>
      {texts.map((text, place) =>
        text ? (
          <Markdown key={place} text={text} />
        ) : (
          <Text key={place} size="sm">
            {say("invited.live_nothing")}
          </Text>
        ),
      )}
    </Paper>
  );
}

function Told({ part, press }: { part: ToldPart; press: ((sent: Sent) => void) | undefined }) {
  const { say } = useTexts();
  const instead = () => {
    if (part.talk) return say("invited.talk");
    if (part.decision !== "clarify") return say("invited.nothing");
    return part.asks.length ? say("invited.asks", { what: part.asks.join(", ") }) : say("invited.asks_which");
  };
  return (
    <Stack gap={6} align="flex-start">
      <div className="bubble">{part.text ? <Markdown text={part.text} /> : instead()}</div>
      {part.sources.length > 0 && (
        <Paper withBorder p="xs" component="details" maw="90%">
          <Text size="xs" component="summary">
            {say("invited.sources", { n: part.sources.length })}
          </Text>
          {part.sources.map((source, place) => (
            <Text key={place} size="xs" mt={4}>
              <b>
                {source.title}
                {source.locator && ` · ${source.locator}`}
              </b>
              <br />
              {source.quote}
            </Text>
          ))}
        </Paper>
      )}
      {press && part.options.length > 0 && (
        <Group gap={6}>
          {part.options.map(({ title, option }) => (
            <Button
              key={title}
              size="compact-sm"
              variant="light"
              onClick={() => press({ text: title, option })}
            >
              {title}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}
