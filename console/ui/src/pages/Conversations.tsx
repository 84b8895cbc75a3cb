import {
  Anchor,
  Badge,
  Button,
  Collapse,
  Group,
  Paper,
  Pill,
  Select,
  SimpleGrid,
  Slider,
  Stack,
  Text,
} from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { IconFilter, IconMessages } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router-dom";
import {
  get,
  withQuery,
  WITHOUT,
  type Conversation,
  type Me,
  type ListedTurn,
  type Settled,
  type TurnPage,
} from "../api";
import { Back, DecisionBadge, Empty, Failed, Page, Waiting, More } from "../parts/parts";
import { DateField } from "../parts/DateField";
import { dayEnd, dayStart, isReadable } from "../parts/day_times";
import { Transcript } from "../parts/Transcript";
import { Correction } from "../parts/Correction";
import { Why } from "../parts/Why";
import { useCorrectionTexts } from "../parts/correction_texts";
import type { Key } from "../locales/vi";
import { byName, dayText, percentText, sayIfKnown, saying, timeText, useTexts } from "../texts";
import { ListRow } from "../parts/ListRow";
import { SearchBox } from "../parts/SearchBox";

interface Values {
  channel: string[];
  topic: string[];
  source: string[];
  intent: string[];
  topic_names: Record<string, string>;
}

type Filters = Record<
  | "text"
  | "channel"
  | "topic"
  | "decision"
  | "source"
  | "intent"
  | "answer"
  | "feedback"
  | "since"
  | "until"
  | "confidence",
  string
>;

const NONE: Filters = {
  text: "",
  channel: "",
  topic: "",
  decision: "",
  source: "",
  intent: "",
  answer: "",
  feedback: "",
  since: "",
  until: "",
  confidence: "",
};

const NAMED = [
  "decision",
  "channel",
  "topic",
  "source",
  "feedback",
  "intent",
  "answer",
  "since",
  "until",
  "confidence",
] as const;

/** The filters that an address names. */
const filtersIn = (given: URLSearchParams): Filters => {
  const known = [...given].filter(([name]) => name in NONE);
  return { ...NONE, ...Object.fromEntries(known) };
};

/** What students do without words, by the commands of the channels' menus. */
const presses = {
  pressed: "Bấm “{title}”",
  start: "Mở trò chuyện",
  help: "Mở phần trợ giúp",
  profile: "Xem hồ sơ của mình",
  forget: "Xin xóa dữ liệu",
  advisor: "Xin gặp người tư vấn",
  back_to_bot: "Trở lại với Covan",
  nothing: "Không có chữ nào",
};

type PressKey = keyof typeof presses;

const presses_en: Record<PressKey, string> = {
  pressed: "Pressed “{title}”",
  start: "Opened the chat",
  help: "Opened the help",
  profile: "Looked at their profile",
  forget: "Asked to erase their data",
  advisor: "Asked for a person",
  back_to_bot: "Went back to Covan",
  nothing: "No words",
};

const PRESSES = { vi: saying(presses), en: saying(presses_en) };

export default function Conversations({ me }: { me: Me }) {
  const { say } = useTexts();
  const { id } = useParams();
  const [given] = useSearchParams();
  const [filters, setFilters] = useState(() => filtersIn(given));
  const [asked] = useDebouncedValue(filters, 250);
  const values = useQuery({ queryKey: ["filters"], queryFn: () => get<Values>("/conversations/filters") });
  const found = useInfiniteQuery({
    queryKey: ["conversations", asked],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam }) => {
      const { since, until, confidence, ...rest } = asked;
      return get<TurnPage>(
        withQuery("/conversations", {
          ...rest,
          since: dayStart(since),
          until: dayEnd(until),
          confidence_below: confidence || undefined,
          before: pageParam,
        }),
      );
    },
    getNextPageParam: (page) => (page.more ? page.turns.at(-1)?.id : undefined),
    refetchInterval: 15_000,
  });
  const turns = found.data?.pages.flatMap((page) => page.turns) ?? [];
  return (
    <Page title={say("conv.title")}>
      <FilterBar filters={filters} set={setFilters} values={values.data} />
      {found.isPending ? (
        <Waiting />
      ) : found.error ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : turns.length === 0 && !id ? (
        <Empty icon={<IconMessages />} title={say("conv.empty")} text={say("conv.empty_text")} />
      ) : (
        <div className={`two ${id ? "open" : ""}`}>
          <Stack gap={6} className="list">
            {turns.map((turn) => (
              <TurnRow key={turn.id} turn={turn} chosen={String(turn.id) === id} />
            ))}
            <More list={found} />
          </Stack>
          <div className="detail">
            {id ? <Detail key={id} id={id} me={me} /> : <Text c="dimmed">{say("conv.pick")}</Text>}
          </div>
        </div>
      )}
    </Page>
  );
}

function TurnRow({ turn, chosen }: { turn: ListedTurn; chosen: boolean }) {
  const { say, language } = useTexts();
  const said = useCorrectionTexts();
  const go = useNavigate();
  return (
    <ListRow p="xs" chosen={chosen} open={() => void go(`/conversations/${turn.id}`)}>
      <Text size="sm" fw={500} lineClamp={2}>
        {turn.question || <Press turn={turn} />}
      </Text>
      <Group gap={6} mt={4} justify="space-between">
        <Group gap={4}>
          <DecisionBadge decision={turn.decision} />
          {turn.corrected && (
            <Badge color="green" variant="light" tt="none">
              {said("corrected.mark")}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {sayIfKnown(say, `channel.${turn.channel}`, turn.channel)} · {timeText(turn.at, language)}
          {turn.good === null ? "" : turn.good ? " · 👍" : " · 👎"}
        </Text>
      </Group>
    </ListRow>
  );
}

/** What was done in a turn without words. */
function Press({ turn: { pressed, command } }: { turn: ListedTurn }) {
  const told = PRESSES[useTexts().language];
  return (
    <Text span inherit c="dimmed" fs="italic">
      {pressed
        ? told("pressed", { title: pressed })
        : told(command in presses ? (command as PressKey) : "nothing")}
    </Text>
  );
}

function Detail({ id, me }: { id: string; me: Me }) {
  const said = useCorrectionTexts();
  const go = useNavigate();
  const [picked, setPicked] = useState<number>();
  const [correcting, setCorrecting] = useState(false);
  const mayCorrect = me.rights.includes("publish");
  const found = useQuery({
    queryKey: ["conversation", id],
    queryFn: () => get<Conversation>(`/conversations/${id}`),
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const { messages, turns } = found.data;
  const own = Object.values(turns).find((turn) => turn.id === Number(id));
  const shown = picked === undefined ? own : turns[String(picked)];
  return (
    <Stack>
      <Back name="conv.back" go={() => void go("/conversations")} />
      <Paper withBorder p="md">
        <Transcript
          messages={messages}
          onWhy={setPicked}
          chosen={shown?.turn_id}
          reasons={
            shown && (
              <Stack gap="xs" my="xs">
                {shown.corrected && <Corrected by={shown.corrected} />}
                {mayCorrect && shown.question && (
                  <Button variant="light" color="orange" onClick={() => setCorrecting(true)}>
                    {said("correct.open")}
                  </Button>
                )}
                <Why key={shown.id} turn={shown} />
              </Stack>
            )
          }
        />
      </Paper>
      {shown && (
        <Correction key={shown.id} turn={shown} opened={correcting} close={() => setCorrecting(false)} />
      )}
    </Stack>
  );
}

/** Who has put a turn right, and how. */
function Corrected({ by: { name, at, how, entry, question } }: { by: Settled }) {
  const { language } = useTexts();
  const said = useCorrectionTexts();
  const told = said(how === "rule" ? "corrected.rule" : "corrected.entry", {
    name,
    at: timeText(at, language),
  });
  return (
    <Text size="sm" c="green.8" data-testid="corrected">
      {told}{" "}
      {entry && (
        <Anchor component={Link} to={`/faq/${encodeURIComponent(entry)}`} size="sm">
          {question || entry}
        </Anchor>
      )}
    </Text>
  );
}

function FilterBar({
  filters,
  set,
  values,
}: {
  filters: Filters;
  set: (filters: Filters) => void;
  values: Values | undefined;
}) {
  const { say, language } = useTexts();
  const [opened, { toggle }] = useDisclosure();
  const change = (name: keyof Filters, value: string | null) => set({ ...filters, [name]: value ?? "" });
  const isDay = (name: keyof Filters) => name === "since" || name === "until";
  const used = NAMED.filter((name) => filters[name] && (!isDay(name) || isReadable(filters[name])));
  const named = (kind: string, value: string) =>
    value === WITHOUT
      ? say("today.unknown")
      : sayIfKnown(say, `${kind}.${value}`, values?.topic_names[value] ?? value);
  const shown = (name: (typeof NAMED)[number]) => {
    const value = filters[name];
    if (name === "confidence") return percentText(Number(value), language, 0);
    return isDay(name) ? dayText(value, language) : named(name, value);
  };
  const day = (name: "since" | "until") => (
    <DateField
      size="xs"
      label={say(`conv.${name}`)}
      value={filters[name]}
      set={(value) => change(name, value)}
    />
  );
  const select = (name: keyof Filters, label: Key, kind: string, options: string[]) => (
    <Select
      size="xs"
      label={say(label)}
      placeholder={say("all")}
      clearable
      value={filters[name] || null}
      onChange={(value) => change(name, value)}
      data={options
        .map((value) => ({ value, label: named(kind, value) }))
        .sort((one, other) => byName(one.label, other.label))}
    />
  );
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        <SearchBox
          label={say("conv.search")}
          value={filters.text}
          set={(text) => change("text", text)}
          style={{ flexGrow: 1 }}
        />
        <Button
          variant="default"
          leftSection={<IconFilter size={16} />}
          onClick={toggle}
          aria-expanded={opened}
        >
          {say("conv.filters")}
          {used.length ? ` · ${used.length}` : ""}
        </Button>
      </Group>
      {!opened && used.length > 0 && (
        <Group gap={6} data-testid="used-filters">
          {used.map((name) => (
            <Pill
              key={name}
              withRemoveButton
              removeButtonProps={{
                "aria-label": say("conv.without", { name: say(`conv.${name}`) }),
                "aria-hidden": false,
                tabIndex: 0,
              }}
              onRemove={() => change(name, "")}
            >
              {say(`conv.${name}`)}: {shown(name)}
            </Pill>
          ))}
        </Group>
      )}
      <Collapse expanded={opened}>
        <Paper withBorder p="sm">
          <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="xs">
            {select("decision", "conv.decision", "decision", ["answer", "clarify", "no_answer", "passed_on"])}
            {select("channel", "conv.channel", "channel", values?.channel ?? [])}
            {select("topic", "conv.topic", "topic", values ? [...values.topic, WITHOUT] : [])}
            {select("source", "conv.source", "source", values?.source ?? [])}
            {select("feedback", "conv.feedback", "feedback", ["up", "down"])}
            {select("intent", "conv.intent", "intent", values?.intent ?? [])}
            {day("since")}
            {day("until")}
            <div>
              <Text size="xs" fw={500}>
                {say("conv.confidence")}
              </Text>
              <Slider
                size="sm"
                mt={8}
                min={0.1}
                max={1}
                step={0.05}
                label={(value) => percentText(value, language, 0)}
                thumbLabel={say("conv.confidence")}
                value={Number(filters.confidence || 1)}
                onChange={(value) => change("confidence", value < 1 ? String(value) : "")}
              />
            </div>
            <Button size="xs" variant="subtle" mt="lg" onClick={() => set(NONE)}>
              {say("conv.clear")}
            </Button>
          </SimpleGrid>
        </Paper>
      </Collapse>
    </Stack>
  );
}
