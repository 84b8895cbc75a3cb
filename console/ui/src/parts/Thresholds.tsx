/** How sure Covan must be to answer: a risk is chosen on labelled questions. */
import { Alert, Button, Code, Group, Loader, Paper, Slider, Stack, Text } from "@mantine/core";
import {
  IconAdjustmentsHorizontal,
  IconArrowBackUp,
  IconFileUpload,
  IconListCheck,
} from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  ask,
  get,
  isConflict,
  upload,
  withQuery,
  type ApiError,
  type RiskOption,
  type ThresholdChoice,
  type Thresholds as Found,
} from "../api";
import { conflicts } from "../locales/conflicts";
import { percentText, timeText, useTexts } from "../texts";
import { useThresholdTexts } from "./threshold_texts";
import { AskFirst } from "./AskFirst";
import { Conflict } from "./Conflict";
import { Curve } from "./Curve";
import { LabelNames } from "./LabelNames";
import { Empty, Failed, tell, tellError, Waiting } from "./parts";
import { useTableFault, useTableTexts } from "./table_texts";
import { ThresholdCheck } from "./ThresholdCheck";
import { useMutation } from "./acting";
import { TableFile } from "./TableFile";
import { UnknownLabels } from "./UnknownLabels";

export function Thresholds({ mayChange }: { mayChange: boolean }) {
  const { say, language } = useTexts();
  const said = useThresholdTexts();
  const percent = (share: number) => percentText(share, language);
  const words = conflicts[language];
  const queries = useQueryClient();
  // Of the choice that was shown when the question was asked: the page looks again by itself.
  const [seen, setSeen] = useState("");
  const [refused, setRefused] = useState<{ fault: ApiError; mine: string }>();
  const [loaded, setLoaded] = useState(0);
  const tableTexts = useTableTexts();
  const tableFault = useTableFault();
  const found = useQuery({
    queryKey: ["thresholds"],
    queryFn: () => get<Found>("/thresholds"),
    refetchInterval: (query) => (query.state.data?.measuring.step === "asking" ? 1_500 : 30_000),
  });
  const taken = (told: Found, message?: string) => {
    queries.setQueryData(["thresholds"], told);
    void queries.invalidateQueries({ queryKey: ["models"] });
    if (message) tell(message);
  };
  const onError = (error: Error) => {
    tellError(say, error);
    void queries.invalidateQueries({ queryKey: ["thresholds"] });
  };
  const measuring = useMutation({
    mutationFn: (file: File) =>
      upload<Found>(withQuery("/thresholds/questions", { name: file.name }), file, () => undefined),
    onSuccess: (told) => taken(told),
  });
  const measuringChecked = useMutation({
    mutationFn: () => ask<Found>("POST", "/thresholds/checked"),
    onSuccess: (told) => taken(told),
    onError,
  });
  const told = (risk: number, counts: { questions: number; answered: number; wrong: number }) =>
    `${percent(risk)}\n${said("option_text", counts)}`;
  const onRefused = (error: Error, mine: string) => {
    if (!isConflict(error)) return onError(error);
    setRefused({ fault: error, mine });
    const { theirs, version } = error.detail as { theirs: ThresholdChoice | null; version: string };
    queries.setQueryData<Found>(["thresholds"], (old) => old && { ...old, current: theirs, version });
    void queries.invalidateQueries({ queryKey: ["thresholds"] });
  };
  const choosing = useMutation({
    mutationFn: (option: RiskOption | null) =>
      ask<Found>("PUT", "/thresholds", {
        version: seen,
        risk: option?.risk ?? null,
        measured_at: found.data?.measured?.at ?? 0,
      }),
    onSuccess: (told) => taken(told, said("chosen")),
    onError: (error, option) =>
      onRefused(
        error,
        option
          ? told(option.risk, { ...option, questions: found.data?.measured?.questions ?? 0 })
          : said("shipped"),
      ),
  });
  const goingBack = useMutation({
    mutationFn: () => ask<Found>("POST", "/thresholds/roll-back", { version: seen }),
    onSuccess: (told) => taken(told, said("back_done")),
    onError: (error) => onRefused(error, words.choice_before),
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const { current, version, measured, measuring: progress, has_before, index_version, checked } = found.data;
  const opened = () => setSeen(version);
  const isAsking = progress.step === "asking";
  const open = mayChange && (
    <>
      <TableFile
        name={said(measured ? "measure_again" : "measure")}
        accept=".csv"
        chosen={measuring.mutate}
        variant={measured ? "default" : "filled"}
        leftSection={<IconFileUpload size={16} />}
        disabled={isAsking}
        loading={measuring.isPending}
      />
      {checked > 0 && (
        <Button
          variant="default"
          leftSection={<IconListCheck size={16} />}
          disabled={isAsking}
          loading={measuringChecked.isPending}
          onClick={() => measuringChecked.mutate()}
        >
          {said("measure_checked", { n: checked })}
        </Button>
      )}
      {measuring.error && (
        <Alert
          color="red"
          title={tableTexts("refused", { file: measuring.variables.name })}
          ta="left"
          w="100%"
          mah="16rem"
          style={{ overflow: "auto", whiteSpace: "pre-wrap" }}
        >
          {tableFault(measuring.error)}
        </Alert>
      )}
    </>
  );
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {said("intro")}
      </Text>
      {refused && (
        <Conflict
          title={words.threshold}
          fault={refused.fault}
          of="console"
          parts={[
            {
              name: words.choice,
              mine: refused.mine,
              theirs: current ? told(current.risk, current.counts) : said("shipped"),
            },
          ]}
          loadTheirs={() => {
            setLoaded(loaded + 1);
            setRefused(undefined);
          }}
          takeLatest={() => setRefused(undefined)}
        />
      )}
      <Paper withBorder p="sm" data-testid="threshold">
        <Group justify="space-between" gap="sm">
          <div style={{ flex: "1 1 16rem" }}>
            <Text fw={600}>
              {current ? said("current", { risk: percent(current.risk) }) : said("shipped_title")}
            </Text>
            <Text size="sm" c="dimmed">
              {current
                ? said("current_text", {
                    at: timeText(current.made_at, language),
                    answered: current.counts.answered,
                    questions: current.counts.questions,
                    wrong: current.counts.wrong,
                  })
                : said("shipped_text")}
            </Text>
          </div>
          {mayChange && (
            <Group gap="xs">
              {has_before && (
                <AskFirst
                  size="xs"
                  variant="light"
                  leftSection={<IconArrowBackUp size={16} />}
                  name={said("back")}
                  text={said("change_text")}
                  opened={opened}
                  asking={<ThresholdCheck choice={{ back: true }} />}
                  act={(done) => goingBack.mutate(undefined, { onSettled: done })}
                  pending={goingBack.isPending}
                />
              )}
              {current && (
                <AskFirst
                  size="xs"
                  variant="subtle"
                  color="gray"
                  name={said("use_shipped")}
                  text={said("change_text")}
                  opened={opened}
                  asking={<ThresholdCheck choice={{ risk: null, measured_at: 0 }} />}
                  act={(done) => choosing.mutate(null, { onSettled: done })}
                  pending={choosing.isPending && choosing.variables === null}
                />
              )}
            </Group>
          )}
        </Group>
      </Paper>
      {isAsking && (
        <Group gap="xs" role="status">
          <Loader size="xs" />
          <Text size="sm">
            {said("asking", {
              name: progress.by,
              at: timeText(progress.began_at, language),
            })}
          </Text>
        </Group>
      )}
      {progress.step === "failed" && (
        <Alert color="red" title={said("failed")}>
          <Code block>{progress.told}</Code>
        </Alert>
      )}
      <UnknownLabels labels={(isAsking || progress.step === "failed" ? progress : measured)?.unknown ?? []} />
      {measured ? (
        <Paper withBorder p="md">
          <Choose
            key={`${measured.at} ${loaded}`}
            measured={measured}
            mayChange={mayChange}
            now={current?.risk}
            isChoosing={choosing.isPending && choosing.variables !== null}
            opened={opened}
            choose={(option, done) => choosing.mutate(option, { onSettled: done })}
          />
          <Group justify="space-between" mt="md" gap="sm">
            <Text size="sm" c="dimmed" style={{ flex: "1 1 16rem" }}>
              {said(measured.file ? "measured" : "measured_checked", {
                n: measured.questions,
                file: measured.file,
                name: measured.by,
                at: timeText(measured.at, language),
              })}
              {measured.index_version !== index_version && ` ${said("older")}`}
            </Text>
            {open}
          </Group>
        </Paper>
      ) : (
        <Empty icon={<IconAdjustmentsHorizontal />} title={said("empty")} text={said("empty_text")}>
          {open}
        </Empty>
      )}
      {mayChange && <LabelNames />}
    </Stack>
  );
}

function Choose({
  measured,
  mayChange,
  now,
  isChoosing,
  opened,
  choose,
}: {
  measured: NonNullable<Found["measured"]>;
  mayChange: boolean;
  now: number | undefined;
  isChoosing: boolean;
  opened: () => void;
  choose: (option: RiskOption, done: () => void) => void;
}) {
  const { language } = useTexts();
  const said = useThresholdTexts();
  const percent = (share: number) => percentText(share, language);
  const { options } = measured;
  const first = options.findIndex((each) => each.risk === (now ?? 0.05));
  const [place, setPlace] = useState(Math.max(0, first));
  const option = options[place];
  if (!option) return null;
  // Covan was corrected by the checked questions: they show the curve and vouch for nothing.
  const vouches = measured.file !== "";
  const certified: [number, number] | undefined =
    option.threshold === null ? undefined : [option.coverage, option.error];
  const seen = measured.curve.filter(([, error]) => error <= option.risk).at(-1);
  const marked = vouches ? certified : seen;
  const marks = [0.01, 0.03, 0.05, 0.1, 0.2]
    .map((risk) => ({ value: options.findIndex((each) => each.risk === risk), label: percent(risk) }))
    .filter(({ value }) => value >= 0);
  return (
    <Stack gap="sm">
      <Curve
        label={said("curve")}
        x={said("coverage")}
        y={said("error")}
        points={measured.curve}
        {...(marked && { marked })}
      />
      <div>
        <Text size="sm" fw={550} mt="xs">
          {said("slide")}
        </Text>
        <Text size="xs" c="dimmed">
          {said("slide_help")}
        </Text>
      </div>
      <Slider
        min={0}
        max={options.length - 1}
        value={place}
        onChange={setPlace}
        marks={marks}
        label={percent(option.risk)}
        thumbLabel={said("slide")}
        mb="lg"
        mx="xs"
      />
      <Group justify="space-between" gap="sm" data-testid="option" aria-live="polite">
        <div style={{ flex: "1 1 16rem" }}>
          {!vouches ? (
            <Text fz="lg" fw={600}>
              {said("option", { risk: percent(option.risk), coverage: percent(marked?.[0] ?? 0) })}
            </Text>
          ) : option.threshold === null ? (
            <Text c="orange.8">{said("not_certified", { risk: percent(option.risk) })}</Text>
          ) : (
            <>
              <Text fz="lg" fw={600}>
                {said("option", {
                  risk: percent(option.risk),
                  coverage: percent(option.coverage),
                })}
              </Text>
              <Text size="sm" c="dimmed">
                {said("option_text", {
                  answered: option.answered,
                  questions: measured.questions,
                  wrong: option.wrong,
                })}
              </Text>
            </>
          )}
        </div>
        {mayChange && vouches && (
          <AskFirst
            disabled={option.threshold === null || option.risk === now}
            name={said("choose")}
            text={said("change_text")}
            opened={opened}
            asking={<ThresholdCheck choice={{ risk: option.risk, measured_at: measured.at }} />}
            act={(done) => choose(option, done)}
            pending={isChoosing}
          />
        )}
      </Group>
    </Stack>
  );
}
