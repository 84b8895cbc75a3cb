import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ApiError } from "../api";
import { conflicts } from "../locales/conflicts";
import { timeText, useTexts } from "../texts";
import { useDraftTexts } from "./draft_texts";

/** A named part of what is edited, as the editor has written it and as it stands in the file by now. */
export interface Compared {
  name?: string;
  mine: string;
  theirs: string;
}

/** What the editor has written beside what stands in the file by now; lines that the other lacks are marked. */
export function Conflict({
  title,
  fault,
  of = "file",
  parts,
  loading = false,
  loadTheirs,
  takeLatest,
}: {
  title: string;
  /** The refusal, which knows who saved last; none before anything was refused. */
  fault?: ApiError | undefined;
  /** Where the other text stands. */
  of?: "file" | "draft" | "console";
  parts: Compared[];
  loading?: boolean;
  loadTheirs: () => void;
  takeLatest: () => void;
}) {
  const { say, language } = useTexts();
  const kept = conflicts[language];
  const drafts = useDraftTexts();
  const [text, name, load] = {
    file: [say("entry.conflict_text"), say("entry.theirs"), say("entry.load_theirs")],
    draft: [drafts("conflict_text"), drafts("theirs"), drafts("load_theirs")],
    console: [kept.text, kept.theirs, kept.load_theirs],
  }[of] as [string, string, string];
  const differing = parts.filter(({ mine, theirs }) => mine !== theirs);
  const keepMine = () => {
    notifications.show({
      color: "orange",
      autoClose: false,
      message: <TheirVersion name={name} shown={kept.show_theirs} parts={differing} />,
    });
    takeLatest();
  };
  return (
    <Stack data-testid="conflict">
      <Alert color="orange" title={title}>
        {fault && (
          <SavedBy
            saved={fault.detail.saved}
            {...(of === "console" && { otherwise: kept.saved_by_nobody })}
          />
        )}
        {text}
      </Alert>
      {differing.map(({ name: field = "", mine, theirs }) => (
        <div key={field}>
          {field && <Text fw={600}>{field}</Text>}
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Side name={say("entry.mine")} text={mine} other={theirs} />
            <Side name={name} text={theirs} other={mine} />
          </SimpleGrid>
        </div>
      ))}
      <Group justify="flex-end">
        <Button variant="default" onClick={loadTheirs} loading={loading}>
          {load}
        </Button>
        <Button onClick={keepMine} loading={loading}>
          {say("entry.take_latest")}
        </Button>
      </Group>
    </Stack>
  );
}

/** Other notifications let presses through to the page below them. */
const REACHABLE = { pointerEvents: "auto" } as const;

/** The other text, which stays at hand while the own one is edited: it is closed by whoever needs it no longer. */
function TheirVersion({ name, shown, parts }: { name: string; shown: string; parts: Compared[] }) {
  return (
    <Text component="details" size="sm" data-testid="their-version">
      <summary style={REACHABLE}>
        {name}: {shown}
      </summary>
      <div style={{ ...REACHABLE, maxHeight: "40vh", overflowY: "auto" }}>
        {parts.map(({ name: field = "", theirs }) => (
          <div key={field}>
            {field && (
              <Text size="xs" c="dimmed">
                {field}
              </Text>
            )}
            <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              {theirs || "–"}
            </Text>
          </div>
        ))}
      </div>
    </Text>
  );
}

/** Who saved last what a refusal is about, as far as the console knows. */
export function SavedBy({ saved: told, otherwise }: { saved: unknown; otherwise?: string }) {
  const { say, language } = useTexts();
  const saved = told as { name: string; at: number } | null | undefined;
  return (
    <Text size="sm" fw={550} data-testid="saved-by">
      {saved
        ? say("entry.saved_by", { name: saved.name, at: timeText(saved.at, language) })
        : (otherwise ?? say("entry.saved_by_hand"))}
    </Text>
  );
}

/** One of two texts; its lines that the other one lacks are marked. */
export function Side({ name, text, other }: { name: string; text: string; other: string }) {
  const others = new Set(other.split("\n").map((line) => line.trim()));
  return (
    <Paper withBorder p="xs">
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="sm" component="div" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {text.split("\n").map((line, place) =>
          others.has(line.trim()) ? (
            <div key={place}>{line || " "}</div>
          ) : (
            <mark key={place} style={{ display: "block" }}>
              {line}
            </mark>
          ),
        )}
      </Text>
    </Paper>
  );
}
