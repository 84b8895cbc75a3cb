import {
  Alert,
  Badge,
  Button,
  Code,
  CopyButton,
  Group,
  List,
  Paper,
  Progress,
  Stack,
  Text,
  ThemeIcon,
} from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconCircleDashed, IconCopy, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { get, withQuery, type FirstRun, type Step } from "../api";
import { DimensionSheets } from "../parts/CatalogueSheet";
import { Failed, Page, Waiting } from "../parts/parts";
import { isStartKey, useStartTexts, type StartKey } from "../parts/start_texts";

const BUILDING_MS = 3_000;
const GUIDES = ["kenh-website.md", "kenh-telegram.md", "kenh-messenger.md", "kenh-zalo.md"];
const FAULTS_SHOWN = 20;

const LOOKS: Record<Step["state"], { colour: string; icon: typeof IconCheck }> = {
  done: { colour: "green", icon: IconCheck },
  missing: { colour: "gray", icon: IconCircleDashed },
  faulty: { colour: "red", icon: IconAlertTriangle },
  old: { colour: "orange", icon: IconRefresh },
  running: { colour: "blue", icon: IconRefresh },
};

/** The way from a new folder to a school that answers; each step leads to the page that does it. */
export default function Start() {
  const said = useStartTexts();
  const found = useQuery({
    queryKey: ["first-run"],
    queryFn: () => get<FirstRun>("/first-run"),
    refetchInterval: (query) =>
      query.state.data?.steps.some((step) => step.state === "running") ? BUILDING_MS : false,
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const { steps, complete, example, embed_code } = found.data;
  const done = steps.filter((step) => step.state === "done").length;
  return (
    <Page title={said("title")} intro={said("intro")}>
      {complete && <Alert color="green">{said("complete")}</Alert>}
      <div>
        <Text size="sm" mb={4}>
          {said("progress", { done, n: steps.length })}
        </Text>
        <Progress value={(100 * done) / steps.length} aria-label={said("title")} />
      </div>
      <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: "none" }}>
        {steps.map((step) => (
          <StepCard key={step.id} step={step} example={example} code={embed_code} />
        ))}
      </Stack>
    </Page>
  );
}

function StepCard({ step, example, code }: { step: Step; example: string; code: string }) {
  const said = useStartTexts();
  const { colour, icon: Icon } = LOOKS[step.state];
  const { drafts, faulty_drafts, examples, n } = step.counts;
  const note = step.note === "unreadable" ? "unreadable" : `${step.id}.${step.note}`;
  const told = [
    isStartKey(note) && said(note, step.counts),
    !!drafts && said("drafts", step.counts),
    !!faulty_drafts && said("faulty_drafts", step.counts),
    !!examples && !!n && said("examples_left", step.counts),
    step.id === "try" && example && said("try.example", { question: example }),
  ].filter(Boolean);
  return (
    <Paper withBorder p="sm" component="li" data-testid={`step-${step.id}`} data-state={step.state}>
      <Group align="start" wrap="nowrap" gap="sm">
        <ThemeIcon variant="light" color={colour} radius="xl" aria-hidden>
          <Icon size={18} />
        </ThemeIcon>
        <Stack gap={6} style={{ flex: 1, minWidth: 0 }}>
          <Group gap="xs" justify="space-between">
            <Text fw={600}>{said(`${step.id}` as StartKey)}</Text>
            <Group gap={4}>
              {!step.is_needed && step.state !== "done" && (
                <Badge variant="outline" color="gray" tt="none" fw={500}>
                  {said("later")}
                </Badge>
              )}
              <Badge variant="light" color={colour} tt="none">
                {said(`state.${step.state}`)}
              </Badge>
            </Group>
          </Group>
          <Text size="sm" c="dimmed">
            {said(`${step.id}.why` as StartKey)}
          </Text>
          {told.length > 0 && <Text size="sm">{told.join(" ")}</Text>}
          {step.faults.length > 0 && (
            <List size="sm" data-testid="faults" style={{ overflowWrap: "anywhere" }}>
              {step.faults.slice(0, FAULTS_SHOWN).map((fault) => (
                <List.Item key={fault}>{fault}</List.Item>
              ))}
            </List>
          )}
          {step.id === "website" ? (
            <Website code={code} />
          ) : (
            <Group gap="xs">
              <Button
                component={Link}
                to={placeOf(step, example)}
                size="xs"
                variant={step.state === "done" ? "default" : "light"}
              >
                {said(`${step.id}.go` as StartKey)}
              </Button>
              {step.id === "catalogue" && <DimensionSheets />}
            </Group>
          )}
        </Stack>
      </Group>
    </Paper>
  );
}

function Website({ code }: { code: string }) {
  const said = useStartTexts();
  return (
    <Stack gap={6}>
      <Code block>{code}</Code>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Button
            size="xs"
            variant="light"
            leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            onClick={copy}
            style={{ alignSelf: "start" }}
          >
            {said(copied ? "website.copied" : "website.copy")}
          </Button>
        )}
      </CopyButton>
      <Text size="xs" c="dimmed">
        {said("website.guides")} {GUIDES.join(", ")}
      </Text>
    </Stack>
  );
}

/** Return the address of the page that does a step. */
function placeOf(step: Step, example: string): string {
  switch (step.id) {
    case "school":
    case "counselling":
    case "offices":
    case "catalogue":
      return step.target ? `/topics/${encodeURIComponent(step.target)}` : "/topics";
    case "topics":
      return step.state === "missing" ? "/topics/topic~" : "/topics";
    case "documents":
      return "/documents";
    case "questions":
      return "/faq";
    case "live":
      return "/nlu";
    case "versions":
      return "/versions";
    default:
      return withQuery("/try", { question: example });
  }
}
