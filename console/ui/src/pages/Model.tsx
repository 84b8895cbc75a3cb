import {
  Alert,
  Badge,
  Blockquote,
  Button,
  Code,
  Group,
  Loader,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Table,
  Text,
  Title,
} from "@mantine/core";
import { IconChartBar, IconCpu, IconPencil, IconPlugConnected } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import {
  ask,
  get,
  type Me,
  type ModelCheck,
  type DayUsage,
  type ModelSetUp,
  type ModelState,
  type ModelTrial,
  type ModelUsage,
} from "../api";
import { Bar } from "../parts/Bar";
import { Markdown } from "../parts/Markdown";
import { ModelForm } from "../parts/ModelForm";
import { sayOfModelIfKnown, useModelTexts, type SayOfModel } from "../parts/model_texts";
import { Empty, errorText, Failed, Page, Waiting } from "../parts/parts";
import { QuestionForm } from "../parts/QuestionForm";
import { numberText, sayIfKnown, useTexts } from "../texts";
import { useMutation } from "../parts/acting";

const ENV = "COVAN_LLM_URL=http://127.0.0.1:11434/v1\nCOVAN_LLM_MODEL=qwen2.5:7b-instruct";

export default function Model({ me }: { me: Me }) {
  const said = useModelTexts();
  const found = useQuery({ queryKey: ["model"], queryFn: () => get<ModelState>("/model") });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const { configured } = found.data;
  const mayAsk = me.rights.includes("publish");
  const mayChoose = me.rights.includes("administer");
  return (
    <Page title={said("title")} intro={said("intro")}>
      {configured ? (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <SetUp state={found.data} configured={configured} mayCheck={mayAsk} mayChoose={mayChoose} />
          {mayAsk && <TryOut timeout={configured.timeout_s} />}
        </SimpleGrid>
      ) : (
        <Empty icon={<IconCpu />} title={said("none")} text={said("none_text")}>
          <Code block ta="start">
            {ENV}
          </Code>
          {mayChoose && <Choose state={found.data} label={said("choose")} />}
        </Empty>
      )}
      <Usage />
    </Page>
  );
}

function SetUp({
  state,
  configured,
  mayCheck,
  mayChoose,
}: {
  state: ModelState;
  configured: ModelSetUp;
  mayCheck: boolean;
  mayChoose: boolean;
}) {
  const { say, language } = useTexts();
  const said = useModelTexts();
  const queries = useQueryClient();
  const checking = useMutation({
    mutationFn: () => ask<ModelCheck>("POST", "/model/check"),
    onSettled: () => void queries.invalidateQueries({ queryKey: ["model"] }),
  });
  const spent = (used: number, most: number) =>
    most
      ? said("of", { used: numberText(used, language, 4), most: numberText(most, language, 4) })
      : said("no_limit", { used: numberText(used, language, 4) });
  const rows: [string, ReactNode][] = [
    [said("name"), <Code key="model">{configured.model}</Code>],
    [said("url"), <Code key="url">{configured.url}</Code>],
    [said("key"), said(configured.has_key ? "key_set" : "key_none")],
    [
      said("sources"),
      configured.sources.length
        ? `${configured.sources.map((each) => sayIfKnown(say, `source.${each}`, each)).join(", ")}; ${said("sources_kept")}`
        : said("sources_none"),
    ],
    [said("fallback"), said(configured.fallback ? "fallback_yes" : "fallback_no")],
    [said("timeout"), said("timeout_value", { n: numberText(configured.timeout_s, language, 4) })],
    [said("temperature"), numberText(configured.temperature, language, 4)],
    [said("budget_tokens"), spent(state.tokens_today, configured.daily_tokens)],
    [said("budget_cost"), spent(state.cost_today, configured.daily_cost)],
    [
      said("prices"),
      said("prices_value", {
        prompt: numberText(configured.prompt_price, language, 4),
        completion: numberText(configured.completion_price, language, 4),
      }),
    ],
  ];
  return (
    <Paper withBorder p="md" data-testid="set-up">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={3} size="h5">
            {said("set_up")}
          </Title>
          <Group gap="xs">
            {mayChoose && <Choose state={state} label={said("change")} />}
            {mayCheck && (
              <Button
                size="xs"
                variant="light"
                leftSection={<IconPlugConnected size={14} />}
                loading={checking.isPending}
                onClick={() => checking.mutate()}
              >
                {said("check")}
              </Button>
            )}
          </Group>
        </Group>
        {!configured.preset_generates && (
          <Alert color="orange">{said("preset", { preset: configured.preset })}</Alert>
        )}
        <div role="status">
          {checking.data && <Checked check={checking.data} limit={configured.timeout_s} />}
          {checking.error && <Alert color="red">{errorText(say, checking.error)}</Alert>}
        </div>
        <Table verticalSpacing={3} withRowBorders={false} layout="fixed">
          <Table.Tbody>
            {rows.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Td w={150} c="dimmed" style={{ verticalAlign: "top" }}>
                  {name}
                </Table.Td>
                <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="xs" c="dimmed">
          {said(state.is_chosen ? "from_console" : "from_env")} {said("env_else")}
        </Text>
      </Stack>
    </Paper>
  );
}

/** The button that opens the form of the model. */
function Choose({ state, label }: { state: ModelState; label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPencil size={14} />}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen && <ModelForm state={state} close={() => setOpen(false)} />}
    </>
  );
}

function Checked({ check, limit }: { check: ModelCheck; limit: number }) {
  const { language } = useTexts();
  const said = useModelTexts();
  return (
    <Alert color={check.in_time ? "green" : "orange"} data-testid="checked">
      <Text size="sm">
        {said("check_ok", {
          first: numberText(check.first_s, language, 1),
          tokens: check.answer_tokens,
          answer: numberText(check.answer_s, language, 1),
        })}
      </Text>
      {!check.in_time && (
        <Text size="sm">{said("check_slow", { limit: numberText(limit, language, 4) })}</Text>
      )}
      <Text size="sm">{said(check.holds_schema ? "check_schema" : "check_no_schema")}</Text>
    </Alert>
  );
}

function TryOut({ timeout }: { timeout: number }) {
  const { say, language } = useTexts();
  const said = useModelTexts();
  const queries = useQueryClient();
  const trying = useMutation({
    mutationFn: (question: string) => ask<ModelTrial>("POST", "/model/try", { question }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ["model"] }),
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={said("try")}>
      <Stack gap="sm">
        <div>
          <Title order={3} size="h5">
            {said("try")}
          </Title>
          <Text size="sm" c="dimmed">
            {said("try_intro", { n: numberText(timeout, language, 4) })}
          </Text>
        </div>
        <QuestionForm
          example={said("example")}
          ask={(question) => trying.mutate(question)}
          pending={trying.isPending}
        />
        <div role="status">
          {trying.isPending && (
            <Group gap="xs">
              <Loader size="xs" />
              <Text size="sm">{said("asking")}</Text>
            </Group>
          )}
          {trying.error && <Alert color="red">{errorText(say, trying.error)}</Alert>}
        </div>
        {trying.data && !trying.isPending && <Tried trial={trying.data} />}
      </Stack>
    </Paper>
  );
}

function Tried({ trial }: { trial: ModelTrial }) {
  const { say, language } = useTexts();
  const said = useModelTexts();
  const { reply, without, calls, dropped } = trial;
  return (
    <Stack gap="sm" data-testid="tried">
      <div>
        <Text fw={600} size="sm" mb={4}>
          {said("with")}
        </Text>
        <div className="bubble">
          <Said reply={reply} />
        </div>
      </div>
      {reply.citations.map((each, place) => (
        <Blockquote key={place} p="sm" fz="sm" cite={`[${place + 1}] ${each.title} · ${each.locator}`}>
          {each.quote}
        </Blockquote>
      ))}
      {calls.length === 0 ? (
        <Text size="sm">{said("not_used")}</Text>
      ) : (
        <>
          {dropped.length > 0 ? (
            <div data-testid="dropped">
              <Text fw={600} size="sm">
                {said("dropped")}
              </Text>
              {dropped.map((each, place) => (
                <Group key={place} gap="xs" align="baseline">
                  <Text size="sm" td="line-through" style={{ overflowWrap: "anywhere" }}>
                    {each.text}
                  </Text>
                  <Badge size="sm" variant="default" tt="none" fw={400}>
                    {sayOfModelIfKnown(said, `rejected.${each.reason}`, each.reason)}
                  </Badge>
                </Group>
              ))}
            </div>
          ) : (
            reply.text !== without.text && <Text size="sm">{said("dropped_none")}</Text>
          )}
          {reply.text === without.text && calls.every((call) => call.outcome === "ok") && (
            <Text size="sm">{said(dropped.length ? "too_little" : "abstained")}</Text>
          )}
          <div>
            <Text fw={600} size="sm">
              {said("calls")}
            </Text>
            {calls.map((call, place) => (
              <Text key={place} size="sm">
                {sayOfModelIfKnown(said, `purpose.${call.purpose}`, call.purpose)}:{" "}
                {call.outcome === "ok"
                  ? call.cached
                    ? said("cached")
                    : said("call_used", {
                        tokens: numberText(call.prompt_tokens + call.completion_tokens, language, 4),
                        cost: numberText(call.cost, language, 4),
                        seconds: numberText(call.latency_ms / 1000, language, 1),
                      })
                  : sayIfKnown(say, `error.model_${call.outcome}`, call.outcome)}
              </Text>
            ))}
            <Text size="sm" c="dimmed">
              {said("total", { seconds: numberText(trial.seconds, language, 1) })}
            </Text>
          </div>
        </>
      )}
      <div>
        <Text fw={600} size="sm" mb={4}>
          {said("without")}
        </Text>
        <div className="bubble">
          {without.text && without.text === reply.text ? said("same") : <Said reply={without} />}
        </div>
      </div>
    </Stack>
  );
}

function Said({ reply }: { reply: ModelTrial["reply"] }) {
  const said = useModelTexts();
  if (reply.text) return <Markdown text={reply.text} />;
  return reply.decision === "clarify"
    ? said("clarify", { options: reply.options.join(", ") || "…" })
    : said("no_answer");
}

/** Rows that are shown at first, the latest. */
/** The columns of numbers of the days' usage. */
const COUNTED = ["count", "failed", "from_cache", "sent", "written", "cost", "seconds"] as const;
const FEW = 10;
const MEASURES = ["tokens", "cost", "seconds"] as const;

function Usage() {
  const { say, language } = useTexts();
  const said = useModelTexts();
  const [days, setDays] = useState("30");
  const [isWhole, setWhole] = useState(false);
  const [measure, setMeasure] = useState<string>(MEASURES[0]);
  const found = useQuery({
    queryKey: ["model", "usage", days],
    queryFn: () => get<ModelUsage>(`/model/usage?days=${days}`),
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const used = found.data.days;
  return (
    <Paper withBorder p="md" data-testid="usage">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={3} size="h5">
            {said("usage")}
          </Title>
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              value={measure}
              onChange={setMeasure}
              aria-label={said("usage")}
              data={MEASURES.map((each) => ({ value: each, label: said(`measure.${each}`) }))}
            />
            <SegmentedControl
              size="xs"
              value={days}
              onChange={setDays}
              aria-label={said("day")}
              data={["7", "30", "90"].map((n) => ({ value: n, label: said("days", { n }) }))}
            />
          </Group>
        </Group>
        {used.length === 0 ? (
          <Empty icon={<IconChartBar />} title={said("usage_empty")} text={said("usage_empty_text")} />
        ) : (
          <>
            <Bar {...plotted(used, measure, said)} />
            <Table verticalSpacing={4} fz="sm" className="stacked">
              <Table.Thead>
                <Table.Tr>
                  {(["day", "name"] as const).map((column) => (
                    <Table.Th key={column}>{said(`${column}`)}</Table.Th>
                  ))}
                  {COUNTED.map((column) => (
                    <Table.Th key={column} ta="end">
                      {said(`${column}`)}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {(isWhole ? used : used.slice(0, FEW)).map((each) => (
                  <Table.Tr key={`${each.day} ${each.model}`}>
                    <Table.Td style={{ whiteSpace: "nowrap" }}>{each.day}</Table.Td>
                    <Table.Td>{each.model}</Table.Td>
                    {[
                      numberText(each.calls, language, 4),
                      numberText(each.failed, language, 4),
                      numberText(each.cached, language, 4),
                      numberText(each.prompt_tokens, language, 4),
                      numberText(each.completion_tokens, language, 4),
                      numberText(each.cost, language, 4),
                      each.calls ? numberText(each.latency_ms / 1000 / each.calls, language, 1) : "–",
                    ].map((told, place) => (
                      <Table.Td key={place} ta="end" data-label={said(`${COUNTED[place]!}`)}>
                        {told}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            {!isWhole && used.length > FEW && (
              <Button
                size="compact-sm"
                variant="subtle"
                style={{ alignSelf: "start" }}
                onClick={() => setWhole(true)}
              >
                {say("more")}
              </Button>
            )}
          </>
        )}
      </Stack>
    </Paper>
  );
}

/** The days, the earliest first, with all models of a day together. */
function plotted(used: DayUsage[], measure: string, said: SayOfModel) {
  const dates = [...new Set(used.map(({ day }) => day))].sort();
  const perDay = (value: (each: DayUsage) => number) =>
    dates.map((day) => used.filter((each) => each.day === day).reduce((all, each) => all + value(each), 0));
  const names = dates.map((day) => day.slice(5).split("-").reverse().join("/"));
  if (measure === "tokens")
    return {
      label: said("measure.tokens"),
      names,
      rows: [
        { name: "sent", label: said("sent"), counts: perDay((each) => each.prompt_tokens) },
        { name: "written", label: said("written"), counts: perDay((each) => each.completion_tokens) },
      ],
    };
  const calls = perDay((each) => each.calls);
  const counts =
    measure === "cost"
      ? perDay((each) => each.cost)
      : perDay((each) => each.latency_ms).map((ms, place) => ms / 1000 / (calls[place] || 1));
  return {
    label: sayOfModelIfKnown(said, `measure.${measure}`, measure),
    names,
    rows: [{ name: "", label: sayOfModelIfKnown(said, `measure.${measure}`, measure), counts }],
    whole: false,
  };
}
