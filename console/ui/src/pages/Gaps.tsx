import { Anchor, Badge, Button, Checkbox, Group, Paper, Stack, Text } from "@mantine/core";
import { IconPuzzle } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router-dom";
import { Dialog } from "../parts/Dialog";
import {
  ask,
  get,
  type Entry,
  type Gap,
  type GapList,
  type KeptDraft,
  type KeptEntry,
  type Me,
} from "../api";
import { EntryForm } from "../parts/EntryForm";
import { ExistingEntry } from "../parts/ExistingEntry";
import { useGapTexts } from "../parts/gap_texts";
import { useOpenedEntryDraft } from "../parts/opened_entry";
import { Empty, Failed, Page, tell, tellError, Waiting, WhyBadges } from "../parts/parts";
import { timeText, useTexts } from "../texts";
import { useMutation } from "../parts/acting";

const SHOWN = 3;

/** Return groups that ask the same as one: the first one's question stands for all. */
function joined([first, ...others]: Gap[]): Gap | undefined {
  if (!first || !others.length) return first;
  return {
    ...first,
    turns: [first, ...others].flatMap((each) => each.turns),
    ids: [first, ...others].flatMap((each) => each.ids),
    draft: [first, ...others].find(({ draft }) => draft)?.draft ?? null,
    joined: others.map((each) => each.question),
  };
}

/** Brings the group that is looked for into view, when it comes onto the page. */
const showAtOnce = (element: HTMLElement | null) => element?.scrollIntoView({ block: "center" });

export default function Gaps({ me }: { me: Me }) {
  const { say, language } = useTexts();
  const said = useGapTexts();
  /** A turn whose group is looked for. */
  const { id: sought } = useParams();
  const [writing, setWriting] = useState<{
    gap: Gap;
    entry?: Entry | undefined;
    kept?: KeptDraft<KeptEntry>;
  }>();
  /** A group for which a draft is kept, before that is opened or another one is written. */
  const [drafted, setDrafted] = useState<Gap>();
  const [seeking, setSeeking] = useState<Gap>();
  const [chosen, setChosen] = useState<string[]>([]);
  const found = useQuery({
    queryKey: ["gaps"],
    queryFn: () => get<GapList>("/gaps"),
    refetchInterval: 15_000,
  });
  const openingDraft = useOpenedEntryDraft((opened) => {
    if (drafted) setWriting({ gap: drafted, ...opened });
    setDrafted(undefined);
  });
  const write = (gap: Gap) => (gap.draft ? setDrafted(gap) : setWriting({ gap }));
  const mayWrite = me.rights.includes("publish");
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const together = found.data.groups.filter((gap) => chosen.includes(gap.id));
  const all = joined(together);
  return (
    <Page title={say("gaps.title")} intro={say("gaps.intro")}>
      {found.data.groups.length === 0 && (
        <Empty icon={<IconPuzzle />} title={say("gaps.empty")} text={say("gaps.empty_text")} />
      )}
      {!mayWrite && found.data.groups.length > 0 && (
        <Text size="sm" c="dimmed">
          {say("gaps.read_only")}
        </Text>
      )}
      {found.data.groups.map((gap) => (
        <Group
          key={gap.id}
          component="article"
          wrap="nowrap"
          align="stretch"
          gap={0}
          ref={sought && gap.ids.includes(Number(sought)) ? showAtOnce : undefined}
        >
          <Card
            gap={gap}
            mayWrite={mayWrite}
            write={() => write(gap)}
            seek={() => setSeeking(gap)}
            isChosen={chosen.includes(gap.id)}
            choose={(isChosen) =>
              setChosen(isChosen ? [...chosen, gap.id] : chosen.filter((each) => each !== gap.id))
            }
          />
        </Group>
      ))}
      {all && together.length > 1 && (
        <Paper withBorder shadow="md" p="sm" pos="sticky" bottom={8} data-testid="joined">
          <Group justify="space-between" gap="sm">
            <Text size="sm">{said("chosen", { n: together.length })}</Text>
            <Group gap="xs">
              <Button size="xs" variant="subtle" color="gray" onClick={() => setChosen([])}>
                {said("clear")}
              </Button>
              <Button size="xs" variant="light" onClick={() => setSeeking(all)}>
                {said("existing")}
              </Button>
              <Button size="xs" onClick={() => write(all)}>
                {said("write")}
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
      {seeking && (
        <ExistingEntry
          questions={[seeking.question, ...(seeking.joined ?? [])]}
          choose={(entry) => {
            setWriting({ gap: seeking, entry });
            setSeeking(undefined);
          }}
          close={() => setSeeking(undefined)}
        />
      )}
      {drafted?.draft && (
        <Dialog opened onClose={() => setDrafted(undefined)} title={<b>{said("draft")}</b>} centered>
          <Stack>
            <Text size="sm">
              {said("draft_text", {
                name: drafted.draft.author,
                at: timeText(drafted.draft.at, language),
              })}
            </Text>
            <Group justify="end">
              <Button
                variant="default"
                onClick={() => {
                  setWriting({ gap: drafted });
                  setDrafted(undefined);
                }}
              >
                {said("draft_new")}
              </Button>
              <Button
                data-autofocus
                loading={openingDraft.isPending}
                onClick={() => drafted.draft && openingDraft.mutate(drafted.draft.id)}
              >
                {said("draft_open")}
              </Button>
            </Group>
          </Stack>
        </Dialog>
      )}
      <EntryForm
        gap={writing?.gap}
        entry={writing?.entry}
        kept={writing?.kept}
        opened={writing !== undefined}
        close={() => setWriting(undefined)}
      />
    </Page>
  );
}

function Card({
  gap,
  mayWrite,
  write,
  seek,
  isChosen,
  choose,
}: {
  gap: Gap;
  mayWrite: boolean;
  write: () => void;
  /** Looks for the entry that answers it already. */
  seek: () => void;
  /** Whether it is one of those that ask the same. */
  isChosen: boolean;
  choose: (isChosen: boolean) => void;
}) {
  const { say, language } = useTexts();
  const said = useGapTexts();
  const [all, setAll] = useState(false);
  const queries = useQueryClient();
  const aside = useMutation({
    mutationFn: () => ask("POST", "/gaps/aside", { traces: gap.ids }),
    onSuccess: () => {
      tell(say("gaps.aside_done"));
      void queries.invalidateQueries({ queryKey: ["gaps"] });
    },
    onError: (error) => tellError(say, error),
  });
  const shown = all ? gap.turns : gap.turns.slice(0, SHOWN);
  return (
    <Paper withBorder p="md" w="100%" data-testid="gap">
      <Group justify="space-between" align="start" gap="sm">
        {mayWrite && (
          <Checkbox
            mt={3}
            aria-label={said("join", { question: gap.question })}
            checked={isChosen}
            onChange={(event) => choose(event.currentTarget.checked)}
          />
        )}
        <div style={{ flex: "1 1 20rem" }}>
          <Text fw={600} lineClamp={4} title={gap.question}>
            {gap.question}
          </Text>
          <Group gap={6} mt={6}>
            <Badge tt="none">{say("gaps.students", { n: gap.students })}</Badge>
            <WhyBadges why={gap.why} />
            {gap.draft && (
              <Badge color="blue" variant="light" tt="none">
                {said("drafted", { name: gap.draft.author })}
              </Badge>
            )}
            <Text size="xs" c="dimmed">
              {say("gaps.questions", { n: gap.questions })} · {timeText(gap.last_at, language)}
            </Text>
          </Group>
        </div>
        {mayWrite && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              loading={aside.isPending}
              onClick={() => aside.mutate()}
            >
              {say("gaps.aside")}
            </Button>
            <Button size="xs" variant="light" onClick={seek}>
              {said("existing")}
            </Button>
            <Button size="xs" onClick={write}>
              {say("gaps.write")}
            </Button>
          </Group>
        )}
      </Group>
      <Stack gap={2} mt="sm">
        {shown.map((turn) => (
          <Group key={turn.id} gap="xs" wrap="nowrap" justify="space-between">
            <Group gap={6}>
              {(gap.turns.length > 1 || turn.question !== gap.question) && (
                <Text size="sm" c="dimmed" lineClamp={2} title={turn.question}>
                  {turn.question}
                </Text>
              )}
              {turn.personal && (
                <Badge size="xs" color="red" variant="light" tt="none">
                  {say("gaps.personal")}
                </Badge>
              )}
            </Group>
            <Anchor component={Link} to={`/conversations/${turn.id}`} size="xs">
              {say("gaps.look")}
            </Anchor>
          </Group>
        ))}
        {gap.turns.length > SHOWN && !all && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => setAll(true)}
            style={{ alignSelf: "start" }}
          >
            {say("more")}
          </Button>
        )}
      </Stack>
    </Paper>
  );
}
