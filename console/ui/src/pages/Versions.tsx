import { Code, Group, Paper, Stack, Text } from "@mantine/core";
import { IconArrowBackUp, IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router-dom";
import { ask, get, withQuery, type Me, type Version, type VersionChanges, type MadeVersion } from "../api";
import type { Key } from "../locales/vi";
import { AskFirst } from "../parts/AskFirst";
import { Back, Empty, Failed, Page, tell, tellError, Waiting, More } from "../parts/parts";
import { timeText, useTexts } from "../texts";
import { useMutation } from "../parts/acting";
import { ListRow } from "../parts/ListRow";
import { VersionWords } from "../parts/VersionWords";

interface History {
  kept: boolean;
  /** Where the knowledge folder is, on the machine of Covan. */
  folder: string;
  versions: Version[];
  more: boolean;
}

export default function Versions({ me }: { me: Me }) {
  const { say } = useTexts();
  const { id } = useParams();
  const go = useNavigate();
  const found = useInfiniteQuery({
    queryKey: ["versions"],
    queryFn: ({ pageParam }) => get<History>(withQuery("/versions", { skip: pageParam })),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.more ? pages.reduce((sum, page) => sum + page.versions.length, 0) : undefined,
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const versions = found.data.pages.flatMap((page) => page.versions);
  const chosen = versions.find((version) => version.commit === id);
  return (
    <Page title={say("versions.title")} intro={say("versions.intro")}>
      {versions.length === 0 ? (
        <Empty icon={<IconHistory />} title={say("versions.empty")} text={say("versions.empty_text")}>
          <Code block ta="left" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {`cd ${quoted(found.data.pages[0]?.folder ?? "")} && git init && git add -A && git commit -m start`}
          </Code>
        </Empty>
      ) : (
        <div className={`two${chosen ? " open" : ""}`}>
          <Stack gap={6} className="list">
            {versions.map((version) => (
              <ListRow
                key={version.commit}
                chosen={version === chosen}
                open={() => void go(`/versions/${version.commit}`)}
                testid="version"
              >
                <Text fw={550} size="sm" lineClamp={2}>
                  {version.message}
                </Text>
                <Text size="xs" c="dimmed">
                  <Told version={version} />
                </Text>
              </ListRow>
            ))}
            <More list={found} />
          </Stack>
          <div className="detail">
            {chosen ? (
              <Changes
                key={chosen.commit}
                version={chosen}
                later={versions.slice(0, versions.indexOf(chosen))}
                mayChange={me.rights.includes("publish")}
                leave={() => void go("/versions")}
              />
            ) : (
              <Text c="dimmed" size="sm">
                {say("versions.choose")}
              </Text>
            )}
          </div>
        </div>
      )}
    </Page>
  );
}

/** Return a path as a shell takes it as one word. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function Changes({
  version,
  later,
  mayChange,
  leave,
}: {
  version: Version;
  later: Version[];
  mayChange: boolean;
  leave: () => void;
}) {
  const { say, language } = useTexts();
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ["version", version.commit],
    queryFn: () => get<VersionChanges>(`/versions/${version.commit}`),
  });
  const changing = useMutation({
    mutationFn: (how: "restore" | "undo") => ask<MadeVersion>("POST", `/versions/${version.commit}/${how}`),
    onSuccess: ({ commit }, how) => {
      tell(say(commit ? (how === "undo" ? "versions.undone" : "versions.restored") : "versions.same"));
      void queries.invalidateQueries();
    },
    onError: (error) => tellError(say, error),
  });
  return (
    <Stack gap="sm">
      <Back name="versions.all" go={leave} />
      <Group justify="space-between" align="start">
        <div style={{ flex: "1 1 14rem" }}>
          <Text fw={600}>{version.message}</Text>
          <Text size="sm" c="dimmed">
            <Told version={version} />
          </Text>
        </div>
        {mayChange && (
          <Group gap="xs">
            {found.data?.undoable && (
              <AskFirst
                variant="light"
                leftSection={<IconArrowBackUp size={16} />}
                name={say("versions.undo")}
                text={say("versions.undo_text", { message: version.message })}
                act={(done) => changing.mutate("undo", { onSettled: done })}
                pending={changing.isPending && changing.variables === "undo"}
              />
            )}
            {later.length > 0 && (
              <AskFirst
                variant="subtle"
                leftSection={<IconHistory size={16} />}
                name={say("versions.restore")}
                text={say("versions.restore_text", { at: timeText(version.at, language), n: later.length })}
                asking={<Lost later={later} />}
                act={(done) => changing.mutate("restore", { onSettled: done })}
                pending={changing.isPending && changing.variables === "restore"}
              />
            )}
          </Group>
        )}
      </Group>
      {found.isPending ? (
        <Waiting />
      ) : found.error ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : (
        <VersionWords found={found.data} raw={<Difference text={found.data.diff} />} />
      )}
    </Stack>
  );
}

/** The versions whose changes are gone when an earlier one is brought back. */
function Lost({ later }: { later: Version[] }) {
  return (
    <Stack gap={4} mah={220} style={{ overflowY: "auto" }} tabIndex={0} data-testid="lost">
      {later.map((each) => (
        <div key={each.commit}>
          <Text size="sm">{each.message}</Text>
          <Text size="xs" c="dimmed">
            <Told version={each} />
          </Text>
        </div>
      ))}
    </Stack>
  );
}

/** What was done, by whom and when. */
function Told({ version }: { version: Version }) {
  const { say, language } = useTexts();
  const action = ACTIONS[version.action];
  // Who changed a file by hand is not known: what they wrote was kept when somebody else saved.
  const by =
    version.action === "by_hand" ? say("versions.kept_by", { name: version.author }) : version.author;
  return [action && say(action), by, timeText(version.at, language)].filter(Boolean).join(" · ");
}

const ACTIONS: Record<string, Key> = {
  add: "versions.add",
  change: "versions.change",
  rule: "versions.rule",
  rule_removed: "versions.rule_removed",
  entry_removed: "versions.entry_removed",
  checked: "versions.checked",
  merged: "versions.merged",
  contacts: "versions.contacts",
  drafts: "nav.drafts",
  checked_removed: "versions.checked_removed",
  restore: "versions.restoration",
  undo: "versions.undoing",
  by_hand: "versions.by_hand",
  label: "versions.label",
  document: "versions.document",
  document_added: "versions.document_added",
  document_replaced: "versions.document_replaced",
  document_removed: "versions.document_removed",
  fact_removed: "versions.fact_removed",
  fact_reviewed: "versions.fact_reviewed",
  calculator_removed: "versions.calculator_removed",
  topic_removed: "versions.topic_removed",
  catalogue_removed: "versions.catalogue_removed",
  fact: "versions.fact",
  calculator: "versions.calculator",
  topic: "versions.topic",
  catalogue: "versions.catalogue",
};

/** A unified diff, file by file, without the lines that only programs read. */
function Difference({ text }: { text: string }) {
  const { say } = useTexts();
  const files = text.split(/^diff --git .*\n/m).slice(1);
  if (files.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {say("versions.nothing")}
      </Text>
    );
  return files.map((file, place) => {
    const at = file.search(/^@@/m);
    const name = /^(?:\+\+\+ b|--- a)\/(.*)$/m.exec(file.replace(/^\+\+\+ \/dev\/null$/m, ""))?.[1] ?? "";
    const lines = at < 0 ? [] : file.slice(at).trimEnd().split("\n");
    return (
      <Paper key={place} withBorder data-testid="difference">
        <Text size="sm" fw={550} px="sm" py={6}>
          {name}
        </Text>
        <div className="difference">
          {lines.map((line, number) => (
            <div key={number} className={KINDS[line[0] ?? ""]}>
              {line.startsWith("@@") ? "…" : line}
            </div>
          ))}
        </div>
      </Paper>
    );
  });
}

const KINDS: Record<string, string> = { "+": "added", "-": "removed", "@": "skipped" };
