import {
  Alert,
  Button,
  CopyButton,
  Group,
  NumberInput,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Dialog } from "./Dialog";
import { ask, get, type DraftEdit, type Invitation, type InvitationList, type TesterTurns } from "../api";
import { timeText, useTexts } from "../texts";
import { useInvitationTexts } from "./invitation_texts";
import { AskFirst } from "./AskFirst";
import { useLeaving } from "./leaving";
import { DecisionBadge, errorText, Failed, tellError, Waiting } from "./parts";
import { useMutation } from "./acting";
import { MOST_TITLE_CHARS } from "./LimitedInput";
import { SentenceField } from "./SentenceField";

const BUILDING_MS = 3_000;
const DAYS = 7;
const MOST_DAYS = 30;
const FROM_TO = { vi: `Từ 1 đến ${MOST_DAYS}`, en: `1 to ${MOST_DAYS}` };

const isOpenFor = (days: string | number) => Number(days) >= 1 && Number(days) <= MOST_DAYS;

/** The kinds of drafts that the school is read with first. */
const BUILT: DraftEdit["kind"][] = ["document", "topic", "part"];

/** Links by which people without an account try a draft or what is live, and what they asked. */
export function Invitations({ draft }: { draft?: DraftEdit | null }) {
  const { say } = useTexts();
  const said = useInvitationTexts();
  const [opened, { open, close }] = useDisclosure();
  const [title, setTitle] = useState("");
  const leave = useLeaving(title.trim() !== "", () => {
    setTitle("");
    close();
  });
  return (
    <>
      <Button
        variant={draft === undefined ? "light" : "subtle"}
        leftSection={<IconUserPlus size={16} />}
        onClick={open}
        disabled={draft === null}
      >
        {said(draft === undefined ? "open" : "open_draft")}
      </Button>
      <Dialog
        opened={opened}
        onClose={leave}
        title={<b>{said("open")}</b>}
        size="lg"
        closeButtonProps={{ "aria-label": say("close") }}
      >
        {/* What happens in here is nothing of the form around the button. */}
        <div onChange={(event) => event.stopPropagation()} onSubmit={(event) => event.stopPropagation()}>
          {opened && <Content draft={draft ?? null} title={title} setTitle={setTitle} />}
        </div>
      </Dialog>
    </>
  );
}

function Content({
  draft,
  title,
  setTitle,
}: {
  draft: DraftEdit | null;
  title: string;
  setTitle: (title: string) => void;
}) {
  const { say, language } = useTexts();
  const said = useInvitationTexts();
  const queries = useQueryClient();
  const [days, setDays] = useState<string | number>(DAYS);
  const [what, setWhat] = useState(draft ? "draft" : "live");
  const found = useQuery({
    queryKey: ["invitations"],
    queryFn: () => get<InvitationList>("/invitations"),
    refetchInterval: (query) =>
      query.state.data?.invitations.some((each) => each.state === "building") ? BUILDING_MS : false,
  });
  const making = useMutation({
    mutationFn: () =>
      ask<Invitation & { token: string }>("POST", "/invitations", {
        title,
        days: Number(days),
        draft: what === "draft" ? draft : null,
      }),
    onSuccess: () => {
      setTitle("");
      void queries.invalidateQueries({ queryKey: ["invitations"] });
    },
  });
  const link = making.data && `${location.origin}/invited/${making.data.token}`;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {said("intro")}
      </Text>
      {draft && (
        <div>
          <Text size="sm" fw={500} mb={4}>
            {said("what")}
          </Text>
          <SegmentedControl
            fullWidth
            aria-label={said("what")}
            value={what}
            onChange={setWhat}
            data={[
              { value: "draft", label: said("draft") },
              { value: "live", label: said("live") },
            ]}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {said(what === "draft" ? "draft_help" : "live_help")}{" "}
            {what === "draft" && BUILT.includes(draft.kind) && said("build_help")}
          </Text>
        </div>
      )}
      <form onSubmit={submit}>
        <Group gap="xs" align="end">
          <SentenceField
            style={{ flex: "1 1 12rem" }}
            label={said("title")}
            placeholder={said("example")}
            value={title}
            set={setTitle}
            most={MOST_TITLE_CHARS}
            required
          />
          <NumberInput
            w={110}
            label={said("days")}
            value={days}
            onChange={setDays}
            min={1}
            max={MOST_DAYS}
            clampBehavior="none"
            error={days !== "" && !isOpenFor(days) && FROM_TO[language]}
            allowDecimal={false}
            required
          />
          <Button
            type="submit"
            loading={making.isPending}
            disabled={!title.trim() || title.length > MOST_TITLE_CHARS || !isOpenFor(days)}
          >
            {said("make")}
          </Button>
        </Group>
      </form>
      {making.error && <Alert color="red">{errorText(say, making.error)}</Alert>}
      {link && (
        <Alert color="green">
          <Group gap="xs" align="end">
            <TextInput
              style={{ flex: "1 1 14rem" }}
              label={said("link")}
              description={said("once")}
              value={link}
              readOnly
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton value={link}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {said(copied ? "copied" : "copy")}
                </Button>
              )}
            </CopyButton>
          </Group>
        </Alert>
      )}
      {found.isPending ? (
        <Waiting />
      ) : found.error ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : (
        found.data.invitations.map((each) => <Listed key={each.id} invitation={each} />)
      )}
    </Stack>
  );
}

function Listed({ invitation }: { invitation: Invitation }) {
  const { say, language } = useTexts();
  const said = useInvitationTexts();
  const queries = useQueryClient();
  const [shown, { toggle }] = useDisclosure();
  const removing = useMutation({
    mutationFn: () => ask("DELETE", `/invitations/${invitation.id}`),
    onSettled: () => void queries.invalidateQueries({ queryKey: ["invitations"] }),
    onError: (error) => tellError(say, error),
  });
  const isOver = invitation.expires_at * 1000 < Date.now();
  return (
    <Paper withBorder p="sm" data-testid="invitation">
      <Stack gap="xs">
        <Group justify="space-between" align="start">
          <div>
            <Text fw={550} size="sm">
              {invitation.title}
            </Text>
            <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
              {invitation.draft ? said("of_draft", { name: invitation.draft }) : said("of_live")}{" "}
              {(invitation.state === "building" || invitation.state === "failed") &&
                `(${said(invitation.state)}) `}
              · {said("counts", { testers: invitation.testers, turns: invitation.turns })} ·{" "}
              {said(isOver ? "ended" : "until", {
                at: timeText(invitation.expires_at, language),
              })}
            </Text>
          </div>
          <Group gap={4}>
            <Button size="compact-sm" variant="subtle" onClick={toggle} disabled={!invitation.turns}>
              {said(shown ? "hide" : "show")}
            </Button>
            <AskFirst
              size="compact-sm"
              variant="subtle"
              color="red"
              name={said("remove")}
              text={said("remove_text", { title: invitation.title, n: invitation.turns })}
              act={(done) => removing.mutate(undefined, { onSettled: done })}
              pending={removing.isPending}
            />
          </Group>
        </Group>
        {shown && <Turns number={invitation.id} />}
      </Stack>
    </Paper>
  );
}

function Turns({ number }: { number: number }) {
  const { language } = useTexts();
  const said = useInvitationTexts();
  const found = useQuery({
    queryKey: ["invitations", number],
    queryFn: () => get<TesterTurns>(`/invitations/${number}/turns`),
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  return (
    <Stack gap="xs">
      {found.data.turns.map((turn, place) => (
        <div key={place} data-testid="tester-turn">
          <Group justify="space-between" wrap="nowrap" gap="xs" align="start">
            <div>
              <Text size="xs" c="dimmed">
                {said("tester", { n: turn.tester })} · {timeText(turn.at, language)}
              </Text>
              <Text size="sm">{turn.said}</Text>
            </div>
            <div style={{ flexShrink: 0 }}>
              <DecisionBadge decision={turn.decision} />
            </div>
          </Group>
          {turn.text && (
            <Text size="xs" c="dimmed" lineClamp={2}>
              {turn.text}
            </Text>
          )}
        </div>
      ))}
    </Stack>
  );
}
