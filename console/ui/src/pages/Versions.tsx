import { Button, Code, Group, Modal, Paper, Stack, Text } from "@mantine/core";
import { IconArrowBackUp, IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { ask, get, withQuery, type Me, type Version } from "../api";
import { Back, Empty, Failed, Page, tell, tellError, Waiting, More } from "../parts/parts";
import { timeText, useTexts } from "../texts";

interface History {
  kept: boolean;
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
          <Code block>git init &amp;&amp; git add -A &amp;&amp; git commit -m start</Code>
        </Empty>
      ) : (
        <div className={`two${chosen ? " open" : ""}`}>
          <Stack gap={6} className="list">
            {versions.map((version) => (
              <Paper
                key={version.commit}
                withBorder
                p="sm"
                component="button"
                type="button"
                className={`row${version === chosen ? " chosen" : ""}`}
                onClick={() => void go(`/versions/${version.commit}`)}
                data-testid="version"
              >
                <Text fw={550} size="sm" lineClamp={2}>
                  {version.message}
                </Text>
                <Text size="xs" c="dimmed">
                  <Told version={version} />
                </Text>
              </Paper>
            ))}
            <More list={found} />
          </Stack>
          <div className="detail">
            {chosen ? (
              <Changes
                version={chosen}
                mayRestore={me.rights.includes("publish") && chosen !== versions[0]}
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

function Changes({
  version,
  mayRestore,
  leave,
}: {
  version: Version;
  mayRestore: boolean;
  leave: () => void;
}) {
  const { say, language } = useTexts();
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ["version", version.commit],
    queryFn: () => get<{ diff: string; differing: string[] }>(`/versions/${version.commit}`),
  });
  const restoring = useMutation({
    mutationFn: () => ask<{ commit: string }>("POST", `/versions/${version.commit}/restore`),
    onSuccess: ({ commit }) => {
      setAsking(false);
      tell(say(commit ? "versions.restored" : "versions.same"));
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
        {mayRestore && (
          <Button variant="light" leftSection={<IconArrowBackUp size={16} />} onClick={() => setAsking(true)}>
            {say("versions.restore")}
          </Button>
        )}
      </Group>
      {found.isPending ? (
        <Waiting />
      ) : found.error ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : (
        <Difference text={found.data.diff} />
      )}
      <Modal opened={asking} onClose={() => setAsking(false)} title={say("versions.restore")}>
        <Stack>
          <Text size="sm">{say("versions.restore_text", { at: timeText(version.at, language) })}</Text>
          <Code block mah={220} style={{ overflow: "auto" }}>
            {found.data?.differing.join("\n")}
          </Code>
          <Group justify="end">
            <Button variant="subtle" color="gray" onClick={() => setAsking(false)}>
              {say("cancel")}
            </Button>
            <Button loading={restoring.isPending} onClick={() => restoring.mutate()}>
              {say("versions.restore")}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Stack>
  );
}

/** What was done, by whom and when. */
function Told({ version }: { version: Version }) {
  const { say, language } = useTexts();
  const action = version.action && say(ACTIONS[version.action]);
  return [action, version.author, timeText(version.at, language)].filter(Boolean).join(" · ");
}

const ACTIONS = {
  add: "versions.add",
  change: "versions.change",
  rule: "versions.rule",
  rule_removed: "versions.rule_removed",
  restore: "versions.restoration",
  by_hand: "versions.by_hand",
  label: "versions.label",
  document: "versions.document",
  document_removed: "versions.document_removed",
  fact_removed: "versions.fact_removed",
  calculator_removed: "versions.calculator_removed",
  topic_removed: "versions.topic_removed",
  catalogue_removed: "versions.catalogue_removed",
  fact: "versions.fact",
  calculator: "versions.calculator",
  topic: "versions.topic",
  catalogue: "versions.catalogue",
} as const;

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
