/** Before publishing what goes live with a build: which of the school's checked questions it answers otherwise. */
import { Alert, Button, Group, Loader, Progress, Stack, Text } from "@mantine/core";
import { IconListCheck } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation } from "react-router-dom";
import {
  ask,
  get,
  type CheckedDraft,
  type DraftCheck as Check,
  type DraftChecks,
  type DraftRefs,
} from "../api";
import { timeText, useTexts } from "../texts";
import { useCheckTexts } from "./check_texts";
import { CheckedQuestions, countsOf } from "./CheckedQuestions";
import { Doing, Seconds } from "./Doing";
import { tellError } from "./parts";
import { Fault } from "./Removal";
import { useMutation } from "./acting";

const LOOK_MS = 1_500;
const KEY = ["draft-checks"];

const isUnderWay = ({ step }: Check) => step === "building" || step === "asking";

function useChecks() {
  return useQuery({
    queryKey: KEY,
    queryFn: () => get<DraftChecks>("/try/drafts"),
    refetchInterval: (query) => (query.state.data?.checks.some(isUnderWay) ? LOOK_MS : false),
  });
}

/** Return the address of the page of what a draft changes; there is one check of each. */
function placeOf(draft: CheckedDraft | DraftRefs): string {
  const inTopics = (section: string, id: string) => `/topics/${encodeURIComponent(`${section}~${id}`)}`;
  const document = (id: string) => `/documents/${encodeURIComponent(id)}`;
  if (draft.kind === "set") return "/drafts";
  if (draft.kind === "document") return document(draft.upload ? `draft-${draft.upload}` : draft.document_id);
  if (draft.kind === "topic") return inTopics("topic", draft.topic_id);
  if (draft.kind === "part") return inTopics(draft.section_id, draft.part_id);
  return draft.of === "document" ? document(draft.id) : inTopics(draft.section_id || "topic", draft.id);
}

const isOf = (draft: CheckedDraft | DraftRefs) => (check: Check) =>
  placeOf(check.draft) === placeOf(draft) && (check.draft.kind === "removal") === (draft.kind === "removal");

/** Return a draft as a text, the same one whatever the order of its fields and the spaces around its words. */
function written(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === "string") return each.normalize("NFC").trim().replace(/\s+/g, " ");
    if (!each || typeof each !== "object" || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The check of a draft: begun, waited for, and its result beside what is written. */
export function DraftCheck<D extends CheckedDraft | DraftRefs>({
  draft,
  version = "",
  ready,
  load,
}: {
  draft: D;
  /** At which was seen what the draft changes. */
  version?: string;
  /** Whether the draft could be published. */
  ready: boolean;
  /** Writes the draft of the check into the form. */
  load?: (draft: D, version: string) => void;
}) {
  const { language } = useTexts();
  const say = useCheckTexts();
  const queries = useQueryClient();
  const found = useChecks();
  const taken = () => void queries.invalidateQueries({ queryKey: KEY });
  const beginning = useMutation({
    mutationFn: () =>
      draft.kind === "set"
        ? ask<Check>("POST", "/try/drafts/set", { drafts: draft.drafts })
        : ask<Check>("POST", "/try/drafts", { draft, version }),
    onSettled: taken,
  });
  const { dropping, drop } = useDropping();
  if (!found.data) return null;
  const own = found.data.checks.find(isOf(draft));
  const isOther = own !== undefined && written(own.draft) !== written(draft);
  const goesOn = own !== undefined && isUnderWay(own);
  if (!own && !ready) return null;
  if (!found.data.questions)
    return (
      <Text size="xs" c="dimmed">
        {say("none")}
      </Text>
    );
  return (
    <Stack gap="xs" data-testid="draft-check">
      <Doing task="check" pending={beginning.isPending} />
      {beginning.error && <Fault error={beginning.error} />}
      {own && isOther && (
        <Alert color="yellow">
          <Text size="sm">
            {say(draft.kind === "set" ? "other_set" : "other", { at: timeText(own.at, language) })}
          </Text>
          {load && (
            <Button mt="xs" size="xs" variant="light" onClick={() => load(own.draft as D, own.version)}>
              {say(draft.kind === "set" ? "refill_set" : "refill")}
            </Button>
          )}
        </Alert>
      )}
      {own && goesOn && (
        <Alert color="blue" role="status" icon={<Loader size="xs" aria-hidden />}>
          <Text size="sm">
            {own.step === "asking"
              ? say("asking", { asked: own.asked, questions: own.questions })
              : say("building")}{" "}
            <Seconds since={1000 * own.at} />
          </Text>
          <Progress
            my="xs"
            animated={own.step === "building"}
            value={own.step === "building" ? 100 : (100 * own.asked) / own.questions}
            aria-label={own.name}
          />
          <Button mt="xs" size="xs" variant="default" loading={dropping} onClick={() => drop(own.id)}>
            {say("stop")}
          </Button>
        </Alert>
      )}
      {own?.step === "failed" && (
        <Alert color="red">
          <Text size="sm">{say("failed")}</Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {own.told}
          </Text>
        </Alert>
      )}
      {own?.checked && (
        <>
          <CheckedQuestions checked={own.checked} />
          <Text size="xs" c="dimmed">
            {say("done", { at: timeText(own.ended_at, language) })} {own.outdated && say("outdated")}
          </Text>
        </>
      )}
      {!goesOn && (
        <Group gap="xs">
          {ready && (
            <Button
              size="xs"
              variant="light"
              leftSection={<IconListCheck size={16} />}
              loading={beginning.isPending}
              onClick={() => beginning.mutate()}
            >
              {say(own && !isOther ? "again" : "begin")}
            </Button>
          )}
          {own && (
            <Button size="xs" variant="subtle" color="gray" loading={dropping} onClick={() => drop(own.id)}>
              {say("drop")}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

function useDropping() {
  const { say } = useTexts();
  const queries = useQueryClient();
  const dropping = useMutation({
    mutationFn: (id: number) => ask("DELETE", `/try/drafts/${id}`),
    onError: (error) => tellError(say, error),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return { dropping: dropping.isPending, drop: (id: number) => dropping.mutate(id) };
}

/** The way back to one's checks of some kinds of things, from the page that lists these. */
export function KeptChecks({ under }: { under: "/documents" | "/topics" }) {
  const say = useCheckTexts();
  const { pathname } = useLocation();
  const checks = useChecks().data?.checks.filter(({ draft }) => {
    const place = placeOf(draft);
    return place.startsWith(under) && decodeURIComponent(place) !== decodeURIComponent(pathname);
  });
  const nameOf = ({ draft, name }: Check) =>
    draft.kind === "removal" ? say("kept.removal", { name }) : name;
  return checks?.map((check) => (
    <Alert
      key={check.id}
      color={check.step === "failed" ? "red" : isUnderWay(check) ? "blue" : "gray"}
      p="xs"
      data-testid="kept-check"
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" style={{ flex: "1 1 12rem", overflowWrap: "anywhere" }}>
          {check.checked
            ? say("kept.done", { name: nameOf(check), ...countsOf(check.checked) })
            : say(isUnderWay(check) ? "kept.under_way" : "kept.failed", { name: nameOf(check) })}
        </Text>
        <Button component={Link} to={placeOf(check.draft)} size="compact-sm" variant="light">
          {say("kept.look")}
        </Button>
      </Group>
    </Alert>
  ));
}
