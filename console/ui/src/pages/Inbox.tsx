import { Alert, Badge, Button, Group, Paper, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { IconArrowLeft, IconBell, IconInbox } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { ask, get, type InboxConversation, type Me, type Waiting as Conversation } from "../api";
import { Empty, errorText, Failed, Page, Waiting } from "../parts/parts";
import { Transcript } from "../parts/Transcript";
import { sayIfKnown, timeText, useTexts } from "../texts";

const POLL_MS = 4_000;

const seconds = (at: string) => Date.parse(at) / 1000;

export default function Inbox({ me }: { me: Me }) {
  const { say, language } = useTexts();
  const { id } = useParams();
  const go = useNavigate();
  const [status, setStatus] = useState("waiting");
  const found = useQuery({
    queryKey: ["inbox"],
    queryFn: () => get<{ conversations: Conversation[] }>("/inbox"),
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
  });
  useNotification(found.data?.conversations);
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const of = (name: string) => found.data.conversations.filter((each) => each.status === name);
  const shown = of(status);
  return (
    <Page
      title={say("inbox.title")}
      aside={
        "Notification" in window && Notification.permission === "default" ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconBell size={14} />}
            onClick={() => void Notification.requestPermission()}
          >
            {say("inbox.notify")}
          </Button>
        ) : undefined
      }
    >
      <SegmentedControl
        value={status}
        onChange={setStatus}
        data={(["waiting", "taken", "closed"] as const).map((value) => ({
          value,
          label: `${say(`inbox.${value}`)} (${of(value).length})`,
        }))}
        style={{ alignSelf: "start" }}
      />
      {shown.length === 0 && !id ? (
        <Empty icon={<IconInbox />} title={say("inbox.empty")} text={say("inbox.empty_text")} />
      ) : (
        <div className={`two ${id ? "open" : ""}`}>
          <Stack gap={6} className="list">
            {shown.map((each) => (
              <Paper
                key={each.id}
                withBorder
                p="xs"
                component="button"
                type="button"
                className={`row ${String(each.id) === id ? "chosen" : ""}`}
                onClick={() => void go(`/inbox/${each.id}`)}
                data-testid="waiting"
              >
                <Text size="sm" fw={500} lineClamp={2}>
                  {each.question || "…"}
                </Text>
                <Group gap={6} mt={4} justify="space-between">
                  <Text size="xs" c="dimmed">
                    {sayIfKnown(say, `channel.${each.channel}`, each.channel)}
                    {each.office && ` · ${each.office}`}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {each.taken_by
                      ? each.taken_by === me.name
                        ? say("inbox.mine")
                        : say("inbox.by", { name: each.taken_by })
                      : say("inbox.since", { time: timeText(seconds(each.opened_at), language) })}
                  </Text>
                </Group>
              </Paper>
            ))}
          </Stack>
          <div className="detail">
            {id ? <Detail key={id} id={id} me={me} /> : <Text c="dimmed">{say("inbox.pick")}</Text>}
          </div>
        </div>
      )}
    </Page>
  );
}

function Detail({ id, me }: { id: string; me: Me }) {
  const { say, language } = useTexts();
  const go = useNavigate();
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const found = useQuery({
    queryKey: ["inbox", id],
    queryFn: () => get<InboxConversation>(`/inbox/${id}`),
    refetchInterval: POLL_MS,
  });
  const renew = () => void queries.invalidateQueries({ queryKey: ["inbox"] });
  const acting = useMutation({
    mutationFn: (action: "take" | "give-back") => ask("POST", `/inbox/${id}/${action}`),
    onSettled: renew,
  });
  const replying = useMutation({
    mutationFn: () => ask("POST", `/inbox/${id}/reply`, { text }),
    onSuccess: () => setText(""),
    onSettled: renew,
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const it = found.data;
  const ofOthers = it.status === "taken" && it.taken_by !== me.name;
  const fault = acting.error ?? replying.error;
  return (
    <Paper withBorder p="md">
      <Stack>
        <Group justify="space-between">
          <Button
            hiddenFrom="md"
            variant="subtle"
            size="compact-sm"
            leftSection={<IconArrowLeft size={16} />}
            onClick={() => void go("/inbox")}
          >
            {say("conv.back")}
          </Button>
          <Group gap={6}>
            <Badge variant="light" tt="none">
              {sayIfKnown(say, `channel.${it.channel}`, it.channel)}
            </Badge>
            {it.taken_by && (
              <Badge variant="light" color={ofOthers ? "orange" : "green"} tt="none">
                {ofOthers ? say("inbox.by", { name: it.taken_by }) : say("inbox.mine")}
              </Badge>
            )}
            {it.reply_until && (
              <Text size="xs" c="dimmed">
                {say("inbox.until", { time: timeText(seconds(it.reply_until), language) })}
              </Text>
            )}
          </Group>
          <Group gap="xs">
            {it.status === "waiting" && (
              <Button size="xs" onClick={() => acting.mutate("take")} loading={acting.isPending}>
                {say("inbox.take")}
              </Button>
            )}
            {it.status !== "closed" && (
              <Button
                size="xs"
                variant="default"
                onClick={() => acting.mutate("give-back")}
                loading={acting.isPending}
                disabled={ofOthers}
              >
                {say("inbox.give_back")}
              </Button>
            )}
          </Group>
        </Group>
        <Transcript messages={it.messages} />
        {it.undelivered.map((each) => (
          <Alert key={each.id} color="orange">
            {say("inbox.undelivered", { why: each.why })}
          </Alert>
        ))}
        {fault && <Alert color="red">{errorText(say, fault)}</Alert>}
        {it.status !== "closed" && !ofOthers && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              replying.mutate();
            }}
          >
            <Textarea
              label={say("inbox.reply")}
              autosize
              minRows={2}
              maxRows={10}
              maxLength={4000}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Group justify="flex-end" mt="xs">
              <Button type="submit" disabled={!text.trim()} loading={replying.isPending}>
                {say("inbox.send")}
              </Button>
            </Group>
          </form>
        )}
      </Stack>
    </Paper>
  );
}

/** Tell of a conversation that was not waiting before, where the person has allowed it. */
function useNotification(conversations: Conversation[] | undefined): void {
  const { say } = useTexts();
  const known = useRef<Set<number>>(undefined);
  useEffect(() => {
    if (!conversations) return;
    const waiting = conversations.filter((each) => each.status === "waiting").map((each) => each.id);
    const fresh = known.current ? waiting.filter((id) => !known.current!.has(id)) : [];
    known.current = new Set(waiting);
    if (fresh.length && "Notification" in window && Notification.permission === "granted")
      new Notification(say("inbox.new"), { tag: "covan-inbox" });
  }, [conversations, say]);
}
