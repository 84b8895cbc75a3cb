import { Anchor, Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconPuzzle } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { ask, get, type Gap, type Me } from "../api";
import { EntryForm } from "../parts/EntryForm";
import { Empty, Failed, Page, tell, tellError, Waiting, WhyBadges } from "../parts/parts";
import { timeText, useTexts } from "../texts";
import { useMutation } from "../parts/acting";

const SHOWN = 3;

export default function Gaps({ me }: { me: Me }) {
  const { say } = useTexts();
  const [writing, setWriting] = useState<Gap>();
  const found = useQuery({
    queryKey: ["gaps"],
    queryFn: () => get<{ groups: Gap[] }>("/gaps"),
    refetchInterval: 15_000,
  });
  const mayWrite = me.rights.includes("publish");
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
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
        <Group key={gap.id} component="article" wrap="nowrap" align="stretch" gap={0}>
          <Card gap={gap} mayWrite={mayWrite} write={() => setWriting(gap)} />
        </Group>
      ))}
      <EntryForm gap={writing} opened={writing !== undefined} close={() => setWriting(undefined)} />
    </Page>
  );
}

function Card({ gap, mayWrite, write }: { gap: Gap; mayWrite: boolean; write: () => void }) {
  const { say, language } = useTexts();
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
        <div style={{ flex: "1 1 20rem" }}>
          <Text fw={600}>{gap.question}</Text>
          <Group gap={6} mt={6}>
            <Badge tt="none">{say("gaps.students", { n: gap.students })}</Badge>
            <WhyBadges why={gap.why} />
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
            <Button size="xs" onClick={write}>
              {say("gaps.write")}
            </Button>
          </Group>
        )}
      </Group>
      <Stack gap={2} mt="sm">
        {shown.map((turn) => (
          <Group key={turn.id} gap="xs" wrap="nowrap" justify="space-between">
            <Text size="sm" c="dimmed">
              {turn.question}
              {turn.personal && (
                <Badge size="xs" color="red" variant="light" ml={6} tt="none">
                  {say("gaps.personal")}
                </Badge>
              )}
            </Text>
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
