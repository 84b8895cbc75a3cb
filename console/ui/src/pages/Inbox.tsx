import { Alert, Badge, Button, Group, Paper, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { IconArrowForwardUp, IconBell, IconInbox } from "@tabler/icons-react";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useNavigate, useParams, useSearchParams } from "react-router-dom";
import {
  ask,
  get,
  WAITING_COUNT,
  withQuery,
  type InboxConversation,
  type Me,
  type Waiting as Conversation,
  type WaitingCount,
  type InboxList,
  type FoundConversations,
} from "../api";
import { Composer } from "../parts/Composer";
import { HandOn } from "../parts/HandOn";
import { Back, Empty, errorText, Failed, Page, Waiting } from "../parts/parts";
import { StudentPanel } from "../parts/StudentPanel";
import { AskFirst } from "../parts/AskFirst";
import { Transcript, type Said } from "../parts/Transcript";
import { byName, durationText, sayIfKnown, timeText, useTexts, type Say } from "../texts";
import { useMutation } from "../parts/acting";
import { ListRow } from "../parts/ListRow";
import { SearchBox } from "../parts/SearchBox";
import { mayAskToNotify } from "../parts/waiting_notification";

const POLL_MS = 4_000;

const SECTIONS = ["waiting", "of_me", "of_others", "closed"] as const;
type Section = (typeof SECTIONS)[number];

const sectionOf = ({ status, taken_by }: Conversation, me: Me): Section =>
  status !== "taken" ? status : taken_by === me.name ? "of_me" : "of_others";

/** The values of the filters that name no office or topic: those of the person's own offices, and all. */
const OWN = "own";
const ALL = "all";

const seconds = (at: string) => Date.parse(at) / 1000;

export default function Inbox({ me }: { me: Me }) {
  const { say, language } = useTexts();
  const { id } = useParams();
  const go = useNavigate();
  const [section, setSection] = useState<Section>("waiting");
  const [filters, setFilters] = useSearchParams();
  const { search } = useLocation();
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ["inbox"],
    queryFn: async () => {
      const listed = await get<InboxList>("/inbox");
      // The menu counts what this page lists, and tells of it.
      const open = listed.conversations.filter(({ status }) => status !== "closed");
      const waiting = open.filter(({ status }) => status === "waiting").length;
      queries.setQueryData<WaitingCount>(WAITING_COUNT, { waiting, open });
      return listed;
    },
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
  });
  const [text, setText] = useState("");
  const [words] = useDebouncedValue(text.trim(), 250);
  const searched = useQuery({
    queryKey: ["inbox", "search", words],
    queryFn: () => get<FoundConversations>(withQuery("/inbox/search", { text: words })),
    enabled: words !== "",
    placeholderData: keepPreviousData,
  });
  // On a phone, a conversation has the whole page.
  const narrow = useMediaQuery("(max-width: 62em)");
  const detail = id && <Detail key={id} id={id} me={me} follow={setSection} />;
  if (narrow && id) return detail;
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const all = found.data.conversations;
  const own = found.data.own_offices;
  const office = filters.get("office") ?? OWN;
  const wanted = {
    office: office === OWN && own.length === 0 ? ALL : office,
    topic: filters.get("topic") ?? ALL,
  };
  const offices = [...new Set([...all.map((each) => each.office), wanted.office])]
    .filter((each) => each && each !== OWN && each !== ALL)
    .sort(byName);
  const topics = new Map(all.filter(({ topic }) => topic).map((each) => [each.topic, each.topic_name]));
  if (wanted.topic !== ALL && !topics.has(wanted.topic)) topics.set(wanted.topic, wanted.topic);
  const filter = (name: "office" | "topic", value: string) => {
    filters.set(name, value);
    setFilters(filters, { replace: true });
  };
  // What no office is asked is everybody's.
  const isOfOffice = ({ office }: Conversation) =>
    wanted.office === ALL ||
    (wanted.office === OWN ? !office || own.includes(office) : office === wanted.office);
  const ids = words ? searched.data?.ids : undefined;
  const of = (section: Section) =>
    all.filter(
      (each) =>
        sectionOf(each, me) === section &&
        isOfOffice(each) &&
        (wanted.topic === ALL || each.topic === wanted.topic) &&
        (!ids || ids.includes(each.id)),
    );
  const shown = of(section);
  return (
    <Page
      title={say("inbox.title")}
      aside={
        mayAskToNotify() ? (
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
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          value={section}
          onChange={(value) => setSection(value as Section)}
          data={SECTIONS.map((value) => ({ value, label: `${say(`inbox.${value}`)} ${of(value).length}` }))}
        />
        {(offices.length > 1 || own.length > 0 || wanted.office !== ALL) && (
          <Select
            size="xs"
            aria-label={say("inbox.office")}
            allowDeselect={false}
            data={[
              ...(own.length ? [{ value: OWN, label: say("inbox.own_offices") }] : []),
              { value: ALL, label: say("inbox.all_offices") },
              ...offices.map((value) => ({ value, label: value })),
            ]}
            value={wanted.office}
            onChange={(value) => value && filter("office", value)}
          />
        )}
        {wanted.office === OWN && (
          <Button size="xs" variant="subtle" onClick={() => filter("office", ALL)}>
            {say("inbox.see_all_offices")}
          </Button>
        )}
        {(topics.size > 1 || wanted.topic !== ALL) && (
          <Select
            size="xs"
            aria-label={say("inbox.topic")}
            allowDeselect={false}
            data={[
              { value: ALL, label: say("inbox.all_topics") },
              ...[...topics]
                .map(([value, label]) => ({ value, label }))
                .sort((one, other) => byName(one.label, other.label)),
            ]}
            value={wanted.topic}
            onChange={(value) => value && filter("topic", value)}
          />
        )}
      </Group>
      <SearchBox label={say("inbox.search")} value={text} set={setText} />
      {searched.error && <Failed error={searched.error} retry={() => void searched.refetch()} />}
      {shown.length === 0 && ids && (
        <Text c="dimmed" role="status">
          {say("inbox.none_found")}
        </Text>
      )}
      {shown.length === 0 && !id ? (
        !ids && <Empty icon={<IconInbox />} title={say("inbox.empty")} text={say("inbox.empty_text")} />
      ) : (
        <div className={`two inbox ${id ? "open" : ""}`}>
          <Stack gap={6} className="list">
            {shown.map((each) => (
              <ListRow
                key={each.id}
                p="xs"
                chosen={String(each.id) === id}
                open={() => void go(`/inbox/${each.id}${search}`)}
                testid="waiting"
              >
                <Text size="sm" fw={500} lineClamp={2}>
                  {each.question || say("inbox.nothing_written")}
                </Text>
                <Group gap={6} mt={4} justify="space-between">
                  <Text size="xs" c="dimmed">
                    {sayIfKnown(say, `channel.${each.channel}`, each.channel)}
                    {each.topic && ` · ${each.topic_name}`}
                    {each.office && ` · ${each.office}`}
                  </Text>
                  <Text size="xs" c="dimmed" title={timeText(seconds(each.opened_at), language)}>
                    {each.status !== "waiting" && each.taken_by
                      ? each.taken_by === me.name
                        ? say("inbox.mine")
                        : say("inbox.by", { name: each.taken_by })
                      : each.status === "closed"
                        ? timeText(seconds(each.last_at), language)
                        : say("inbox.since", {
                            time: durationText(
                              found.dataUpdatedAt / 1000 - seconds(each.opened_at),
                              language,
                            ),
                          })}
                  </Text>
                </Group>
              </ListRow>
            ))}
          </Stack>
          <div className="detail">{detail || <Text c="dimmed">{say("inbox.pick")}</Text>}</div>
        </div>
      )}
    </Page>
  );
}

const GIVING_BACK = {
  vi: "Covan trả lời sinh viên trở lại và cuộc này đóng: bạn không nhắn tiếp ở đây được nữa.",
  en: "Covan answers the student again and this conversation is closed: you can write no more in it.",
};

function Detail({ id, me, follow }: { id: string; me: Me; follow: (section: Section) => void }) {
  const { say, language } = useTexts();
  const go = useNavigate();
  const { search } = useLocation();
  const queries = useQueryClient();
  const [handing, setHanding] = useState(false);
  const wide = useMediaQuery("(min-width: 75em)");
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
  const section = found.data && sectionOf(found.data, me);
  useEffect(() => {
    // The list goes along with a conversation that is taken or handed on; after a closed one, the next is looked for.
    if (section && section !== "closed") follow(section);
  }, [section, follow]);
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const it = found.data;
  const ofOthers = it.status === "taken" && it.taken_by !== me.name;
  const open = it.status !== "closed";
  return (
    <Paper withBorder p={{ base: "xs", sm: "md" }}>
      <Stack>
        <Group justify="space-between" gap="xs">
          <Group gap={6}>
            <Back name="conv.back" go={() => void go(`/inbox${search}`)} />
            <Badge variant="light" tt="none">
              {sayIfKnown(say, `channel.${it.channel}`, it.channel)}
            </Badge>
            {it.topic && (
              <Badge variant="light" color="gray" tt="none">
                {it.topic_name}
              </Badge>
            )}
            {it.office && (
              <Badge variant="light" color="gray" tt="none">
                {it.office}
              </Badge>
            )}
            {it.status === "taken" && (
              <Badge variant="light" color={ofOthers ? "orange" : "green"} tt="none">
                {ofOthers ? say("inbox.by", { name: it.taken_by }) : say("inbox.mine")}
              </Badge>
            )}
          </Group>
          {open && (
            <Group gap="xs">
              {it.status === "waiting" && (
                <Button size="xs" onClick={() => acting.mutate("take")} loading={acting.isPending}>
                  {say("inbox.take")}
                </Button>
              )}
              <Button
                size="xs"
                variant="default"
                leftSection={<IconArrowForwardUp size={14} />}
                onClick={() => setHanding(true)}
              >
                {say("inbox.hand_on")}
              </Button>
              <AskFirst
                size="xs"
                variant="default"
                name={say("inbox.give_back")}
                text={GIVING_BACK[language]}
                act={(done) => acting.mutate("give-back", { onSettled: done })}
                pending={acting.isPending}
                disabled={ofOthers}
              />
            </Group>
          )}
        </Group>
        {acting.error && <Alert color="red">{errorText(say, acting.error)}</Alert>}
        <div className="chat">
          <Stack className="talk">
            <div className="transcript" tabIndex={0}>
              <Transcript messages={withNotes(it, say)} />
            </div>
            {it.undelivered.map((each) => (
              <Alert key={each.id} color="orange">
                {say("inbox.undelivered", { why: each.why })}
              </Alert>
            ))}
            <Composer it={it} mayReply={open && !ofOthers} renew={renew} />
          </Stack>
          <aside aria-label={say("inbox.student")}>
            <details open={wide ?? false}>
              <summary>{say("inbox.student")}</summary>
              <StudentPanel student={it.student} />
            </details>
          </aside>
        </div>
        {handing && <HandOn it={it} me={me} onClose={() => setHanding(false)} renew={renew} />}
      </Stack>
    </Paper>
  );
}

/** Return what was said, and the advisors' notes among it, in the order of time. */
function withNotes(it: InboxConversation, say: Say): Said[] {
  const notes = it.notes.map((note): Said => {
    const handed = note.handed_to && say("inbox.handed_note", { name: note.handed_to });
    return { ...note, author: "note", text: [handed, note.text].filter(Boolean).join("\n"), options: [] };
  });
  const time = ({ at }: Said) => (typeof at === "number" ? at * 1000 : Date.parse(at));
  return [...it.messages, ...notes].sort((one, other) => time(one) - time(other));
}
