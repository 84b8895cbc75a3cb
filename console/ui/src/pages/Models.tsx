import {
  Alert,
  Anchor,
  Badge,
  Button,
  Code,
  Group,
  Loader,
  Paper,
  Progress,
  SimpleGrid,
  Stack,
  Table,
  Tabs,
  Text,
} from "@mantine/core";
import { IconArrowBackUp, IconBrain, IconRocket } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import {
  ask,
  get,
  type Comparison,
  type Me,
  type Models as Found,
  type Training,
  type Understood,
} from "../api";
import type { Key } from "../locales/vi";
import { AskFirst } from "../parts/AskFirst";
import { modelName } from "../parts/model_name";
import { Seconds } from "../parts/Doing";
import { TrainButton } from "../parts/TrainButton";
import { WaitingLabels } from "../parts/WaitingLabels";
import { Empty, Failed, Page, tell, tellError, Waiting } from "../parts/parts";
import { Thresholds } from "../parts/Thresholds";
import { useThresholdTexts } from "../parts/threshold_texts";
import { percentText, sayIfKnown, timeText, useTexts } from "../texts";
import { useMutation } from "../parts/acting";

const SHOWN = 10;
const STEPS = ["index", "model", "compare"];

/** Instead of the first step, while a reading goes on that a change has begun. */
const WAITS = {
  vi: "Bước 1/3: chờ Covan đọc xong những thay đổi vừa đăng, rồi mới huấn luyện được. Đăng thêm thay đổi thì lần đọc bắt đầu lại…",
  en: "Step 1/3: waiting until Covan has read what was just published; the training comes after it. A further change begins the reading again…",
};

export default function Models({ me }: { me: Me }) {
  const { say } = useTexts();
  const saidOfThresholds = useThresholdTexts();
  const mayChange = me.rights.includes("publish");
  return (
    <Page title={say("models.title")} intro={say("models.intro")}>
      <Tabs defaultValue="models" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="models">{say("models.tab")}</Tabs.Tab>
          <Tabs.Tab value="thresholds">{saidOfThresholds("tab")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="models" pt="md">
          <Trained mayChange={mayChange} />
        </Tabs.Panel>
        <Tabs.Panel value="thresholds" pt="md">
          <Thresholds mayChange={mayChange} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Trained({ mayChange }: { mayChange: boolean }) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ["models"],
    queryFn: () => get<Found>("/models"),
    refetchInterval: (query) => (isUnderWay(query.state.data?.training) ? 1_000 : 15_000),
  });
  const ended = found.data?.training.ended_at;
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ["comparison"] });
  }, [queries, ended]);
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const { training, candidate, live } = found.data;
  // Another model may have been made live since.
  const isLearnt = training.learnt !== "" && training.learnt === live;
  return (
    <Stack gap="md">
      <Live models={found.data} mayChange={mayChange} />
      {isUnderWay(training) ? (
        <UnderWay training={training} />
      ) : (
        <>
          {training.step === "failed" && (
            <Alert color="red" title={say("models.failed")}>
              {training.told && <Code block>{training.told}</Code>}
            </Alert>
          )}
          {candidate ? (
            <Candidate models={found.data} mayChange={mayChange} />
          ) : (
            <Empty
              icon={<IconBrain />}
              title={say(isLearnt ? "models.nothing_new" : "models.empty")}
              text={say("models.empty_text")}
            >
              <Anchor component={Link} to="/nlu" size="sm">
                {say("models.to_labels")}
              </Anchor>
            </Empty>
          )}
        </>
      )}
      <History history={found.data.history} />
    </Stack>
  );
}

/** The model in use, with the way back to the one before. */
function Live({ models, mayChange }: { models: Found; mayChange: boolean }) {
  const { say } = useTexts();
  const change = useChange("roll-back", "models.back_done");
  return (
    <Paper withBorder p="sm" data-testid="live-model">
      <Group justify="space-between" gap="sm">
        <div style={{ flex: "1 1 16rem" }}>
          <Text fw={600}>
            {models.live ? say("models.live", { model: modelName(models.live) }) : say("models.none")}
          </Text>
          <Text size="sm" c="dimmed">
            {models.before
              ? say("models.before", { model: modelName(models.before) })
              : say("models.no_before")}
          </Text>
          <WaitingLabels />
        </div>
        {mayChange && (
          <Group gap="xs">
            {models.before && (
              <AskFirst
                size="xs"
                variant="subtle"
                leftSection={<IconArrowBackUp size={16} />}
                name={say("models.back")}
                text={say("models.back_text", { model: modelName(models.before) })}
                act={(done) => change.mutate(models.before, { onSettled: done })}
                pending={change.isPending}
              />
            )}
            <TrainButton disabled={isUnderWay(models.training)} />
          </Group>
        )}
      </Group>
    </Paper>
  );
}

function UnderWay({ training }: { training: Training }) {
  const { say, language } = useTexts();
  const share = training.messages ? training.read / training.messages : 0;
  const done = Math.max(0, STEPS.indexOf(training.step)) + (training.step === "compare" ? share : 0.1);
  return (
    <Paper withBorder p="sm" data-testid="training" role="status">
      <Group gap="xs">
        <Loader size="xs" />
        <Text size="sm">
          {training.waits_for_changes ? WAITS[language] : say(`models.step.${training.step}` as Key)}
          {training.messages > 0 && ` ${training.read}/${training.messages}`}
        </Text>
      </Group>
      <Progress value={(100 * done) / STEPS.length} my="xs" aria-label={say("models.progress")} />
      <Text size="xs" c="dimmed">
        {say("models.began", { name: training.by, at: timeText(training.began_at, language) })}{" "}
        <Seconds since={1000 * training.began_at} />
      </Text>
    </Paper>
  );
}

/** The model that is not live yet, and what it would change. */
function Candidate({ models, mayChange }: { models: Found; mayChange: boolean }) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ["comparison", models.candidate],
    queryFn: () => get<Comparison>("/models/comparison"),
  });
  const promoting = useChange("promotion", "models.promoted");
  const discarding = useChange("discard", "models.discarded");
  const comparing = useMutation({
    mutationFn: () => ask<Found>("POST", "/models/comparison"),
    onSuccess: (told) => queries.setQueryData(["models"], told),
    onError: (error) => tellError(say, error),
  });
  const again = mayChange && (
    <Button size="xs" variant="default" loading={comparing.isPending} onClick={() => comparing.mutate()}>
      {say("models.compare_again")}
    </Button>
  );
  return (
    <Paper withBorder p="md" data-testid="candidate">
      <Stack gap="md">
        <Group justify="space-between" gap="sm" align="start">
          <div style={{ flex: "1 1 16rem" }}>
            <Text fw={600}>{say("models.candidate", { model: modelName(models.candidate) })}</Text>
            <Text size="sm" c="dimmed">
              {say("models.candidate_text")}
            </Text>
          </div>
          {mayChange && (
            <Group gap="xs">
              <AskFirst
                variant="subtle"
                color="gray"
                disabled={promoting.isPending}
                name={say("models.discard")}
                text={say("models.discard_text", { model: modelName(models.candidate) })}
                act={(done) => discarding.mutate(models.candidate, { onSettled: done })}
                pending={discarding.isPending}
              />
              <AskFirst
                leftSection={<IconRocket size={16} />}
                disabled={discarding.isPending}
                name={say("models.promote")}
                text={say("models.promote_text", { model: modelName(models.candidate) })}
                act={(done) => promoting.mutate(models.candidate, { onSettled: done })}
                pending={promoting.isPending}
              />
            </Group>
          )}
        </Group>
        {promoting.isPending && (
          <Text size="sm" role="status">
            {say("models.promoting")}
          </Text>
        )}
        {found.isPending ? (
          <Waiting />
        ) : found.error ? (
          <Failed error={found.error} retry={() => void found.refetch()} />
        ) : found.data.candidate === "" ? (
          <Group justify="space-between" gap="sm">
            <Text size="sm">{say("models.not_compared")}</Text>
            {again}
          </Group>
        ) : (
          <>
            {!found.data.is_current && (
              <Alert color="yellow">
                <Group justify="space-between" gap="sm">
                  <Text size="sm">{say("models.compared_with_another")}</Text>
                  {again}
                </Group>
              </Alert>
            )}
            <Compared found={found.data} />
          </>
        )}
      </Stack>
    </Paper>
  );
}

function Compared({ found }: { found: Comparison }) {
  const { say } = useTexts();
  const { labelled, messages } = found;
  const intentText = (intent: string) =>
    intent ? (found.topics[intent] ?? sayIfKnown(say, `intent.${intent}`, intent)) : say("models.no_intent");
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Right title={say("models.right_live")} right={labelled.right.live} count={labelled.count} />
        <Right
          title={say("models.right_candidate")}
          right={labelled.right.candidate}
          count={labelled.count}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {say("models.right_help")}
      </Text>
      <Changes
        title={say("models.messages", { n: messages.changes.length, all: messages.count })}
        none={say("models.messages_none")}
        testId="changed-message"
        rows={messages.changes.map((each) => ({
          ...each,
          key: `trace-${each.trace}`,
          text: (
            <Anchor component={Link} to={`/conversations/${each.trace}`} size="sm" c="inherit">
              {each.text}
            </Anchor>
          ),
        }))}
        intentText={intentText}
      />
      <Changes
        title={say("models.labelled", { n: labelled.changes.length, all: labelled.count })}
        none={say("models.labelled_none")}
        testId="changed-label"
        rows={labelled.changes.map((each) => ({
          key: `${each.intent} ${each.text}`,
          right: each.intent,
          ...each,
        }))}
        intentText={intentText}
      />
      <div>
        <Text fw={550} size="sm">
          {say("models.confusion")}
        </Text>
        {labelled.confusion.length === 0 ? (
          <Text size="sm" c="dimmed">
            {say("models.confusion_none")}
          </Text>
        ) : (
          <Table verticalSpacing={4} data-testid="confusion">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{say("models.is")}</Table.Th>
                <Table.Th>{say("models.taken_for")}</Table.Th>
                <Table.Th ta="right">{say("models.now")}</Table.Th>
                <Table.Th ta="right">{say("models.new")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {labelled.confusion.slice(0, 2 * SHOWN).map((row) => (
                <Table.Tr key={`${row.intent} ${row.given}`}>
                  <Table.Td>{intentText(row.intent)}</Table.Td>
                  <Table.Td>{intentText(row.given)}</Table.Td>
                  <Table.Td ta="right">{labelled.right.live === null ? "–" : row.live}</Table.Td>
                  <Table.Td ta="right" c={row.candidate > row.live ? "red" : undefined}>
                    {row.candidate}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </div>
    </>
  );
}

function Right({ title, right, count }: { title: string; right: number | null; count: number }) {
  const { say, language } = useTexts();
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text fz={26} fw={650} lh={1.3}>
        {right === null || count === 0
          ? "–"
          : percentText(Math.floor((1000 * right) / count) / 1000, language)}
      </Text>
      <Text size="xs" c="dimmed">
        {right === null ? say("models.right_unknown") : say("models.right", { n: right, all: count })}
      </Text>
    </Paper>
  );
}

interface Row {
  key: string;
  text: React.ReactNode;
  live: Understood;
  candidate: Understood;
  right?: string;
}

function Changes({
  title,
  none,
  testId,
  rows,
  intentText,
}: {
  title: string;
  none: string;
  testId: string;
  rows: Row[];
  intentText: (intent: string) => string;
}) {
  const { say } = useTexts();
  const [shown, setShown] = useState(SHOWN);
  return (
    <div>
      <Text fw={550} size="sm" mb={4}>
        {title}
      </Text>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <Stack gap={6}>
          {rows.slice(0, shown).map(({ key, text, live, candidate, right }) => (
            <Paper key={key} withBorder p="xs" data-testid={testId}>
              <Text size="sm">{text}</Text>
              <Group gap={6}>
                <Taken found={live} intentText={intentText} right={right} />
                <Text size="xs" c="dimmed">
                  →
                </Text>
                <Taken found={candidate} intentText={intentText} right={right} isNew />
              </Group>
            </Paper>
          ))}
          {rows.length > shown && (
            <Button size="xs" variant="subtle" onClick={() => setShown(shown + 5 * SHOWN)}>
              {say("more")}
            </Button>
          )}
        </Stack>
      )}
    </div>
  );
}

/** What a model takes a message for: green and red where it is known what is right. */
function Taken({
  found,
  intentText,
  right,
  isNew = false,
}: {
  found: Understood;
  intentText: (intent: string) => string;
  right: string | undefined;
  isNew?: boolean;
}) {
  const known = right === undefined ? (isNew ? "blue" : "gray") : right === found.intent ? "green" : "red";
  return (
    <Badge variant="light" color={known} tt="none" size="sm">
      {intentText(found.intent)} {Math.round(100 * found.probability)} %
    </Badge>
  );
}

function History({ history }: { history: Found["history"] }) {
  const { say, language } = useTexts();
  const saidOfThresholds = useThresholdTexts();
  if (history.length === 0) return null;
  return (
    <div>
      <Text fw={600} mb="xs">
        {say("models.history")}
      </Text>
      <Stack gap={4} data-testid="history">
        {history.map((each, place) => (
          <Text key={place} size="sm">
            {[
              timeText(each.at, language),
              each.by,
              say(ACTIONS[each.action as keyof typeof ACTIONS], {
                target: modelName(each.target) || saidOfThresholds("shipped"),
              }),
            ].join(" · ")}
          </Text>
        ))}
      </Stack>
    </div>
  );
}

const ACTIONS = {
  train: "models.did.train",
  promote: "models.did.promote",
  roll_back: "models.did.roll_back",
  discard_model: "models.did.discard",
  threshold: "models.did.threshold",
  threshold_back: "models.did.threshold_back",
} as const;

/** Change which model is live; another's change meanwhile is told, and shown. */
function useChange(address: "promotion" | "roll-back" | "discard", done: Key) {
  const { say } = useTexts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (model: string) =>
      ask<Found & { is_live?: boolean }>("POST", `/models/${address}`, { model }),
    onSuccess: async (told) => {
      // A look that began before the change would show the state before it.
      await queries.cancelQueries({ queryKey: ["models"] });
      queries.setQueryData(["models"], told);
      tell(say(told.is_live === false ? "models.later" : done));
    },
    onError: (error) => {
      tellError(say, error);
      void queries.invalidateQueries({ queryKey: ["models"] });
    },
  });
}

const isUnderWay = (training: Training | undefined) =>
  training !== undefined && STEPS.includes(training.step);
