import { Anchor, Badge, Button, Group, Paper, Select, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconMessageQuestion } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { ask, get, type Me, type Trial, type TrialPart, type Vocabulary, type KeptDraftList } from "../api";
import { Doing } from "../parts/Doing";
import { useDraftTexts } from "../parts/draft_texts";
import { nameOf } from "../parts/DraftTable";
import { DRAFTS } from "../parts/KeptDrafts";
import { Invitations } from "../parts/Invitations";
import { Markdown } from "../parts/Markdown";
import { DecisionBadge, Empty, Page, tellError } from "../parts/parts";
import { QuestionForm } from "../parts/QuestionForm";
import { Why } from "../parts/Why";
import { sayIfKnown, saying, useTexts } from "../texts";
import { useMutation } from "../parts/acting";

/** Of what the chat replies to without looking anything up. */
const TALK = {
  vi: saying({
    talk: "Với sinh viên cũng vậy: Covan coi lời này là “{intent}” nên không tìm câu trả lời. Nếu đây là một câu hỏi, hãy ghi đúng lời này vào “Cách hỏi khác” của câu trả lời đúng, Covan sẽ trả lời.",
  }),
  en: saying({
    talk: "Students get the same: Covan takes this for “{intent}” and looks for no answer. If it is a question, add these very words to the other wordings of the right entry, and Covan answers it.",
  }),
};

/** The messages of a conversation that go along with the next one, the last ones of a longer one. */
const MOST_BEFORE = 10;

/** A conversation with what is live, as a student of some cohort and major has it. */
export default function Try({ me }: { me: Me }) {
  const { say, language } = useTexts();
  const drafts = useDraftTexts();
  const [query] = useSearchParams();
  const [profile, setProfile] = useState<Record<string, string>>({});
  const [draft, setDraft] = useState<string | null>(null);
  const [turns, setTurns] = useState<Trial[]>([]);
  const mayWrite = me.rights.includes("publish");
  const known = useQuery({ queryKey: ["sources", ""], queryFn: () => get<Vocabulary>("/faq/sources") });
  const kept = useQuery({
    queryKey: [...DRAFTS, "quick"],
    queryFn: () => get<KeptDraftList>("/drafts?kind=entry&kind=fact&kind=calculator"),
    enabled: mayWrite,
  });
  const trying = useMutation({
    mutationFn: (question: string) =>
      ask<Trial>("POST", "/try", {
        question,
        profile,
        before: turns.slice(-MOST_BEFORE).map(({ turn }) => turn.question),
        draft: draft === null ? null : Number(draft),
      }),
    onSuccess: (trial) => setTurns((before) => [...before, trial]),
    onError: (error) => tellError(say, error),
  });
  const set = (dimension: string, value: string | null) => {
    const { [dimension]: _, ...others } = profile;
    setProfile(value ? { ...others, [dimension]: value } : others);
  };
  const latest = turns.at(-1);
  return (
    <Page title={say("try.title")} intro={say("try.intro")} aside={mayWrite && <Invitations />}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
          {known.data?.dimensions.map(({ id, name, name_en, values }) => {
            const label = (language === "en" && name_en) || name;
            return (
              <Select
                key={id}
                label={label.charAt(0).toUpperCase() + label.slice(1)}
                placeholder={say("try.unknown")}
                searchable
                clearable
                value={profile[id] ?? null}
                onChange={(value) => set(id, value)}
                data={values.map((each) => ({ value: each.id, label: each.name }))}
              />
            );
          })}
        </SimpleGrid>
        {!!kept.data?.drafts.length && (
          <Select
            label={say("try.draft")}
            description={say("try.draft_help")}
            placeholder={drafts("no_draft")}
            searchable
            clearable
            value={draft}
            onChange={setDraft}
            data={kept.data.drafts.map((each) => ({
              value: String(each.id),
              label: nameOf(each),
            }))}
          />
        )}
        <QuestionForm
          first={query.get("question") ?? ""}
          example={say("try.example")}
          ask={(question, done) => trying.mutate(question, { onSuccess: done })}
          pending={trying.isPending}
        />
        <Doing task="ask" pending={trying.isPending} />
      </Stack>
      {latest ? (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <Paper withBorder p="md">
            <Stack gap="md">
              {turns.map((each, place) => (
                <Turn key={place} trial={each} />
              ))}
              <Button
                variant="subtle"
                size="compact-sm"
                style={{ alignSelf: "start" }}
                disabled={trying.isPending}
                onClick={() => setTurns([])}
              >
                {say("try.anew")}
              </Button>
            </Stack>
          </Paper>
          <Why turn={latest.turn} />
        </SimpleGrid>
      ) : (
        <Empty icon={<IconMessageQuestion />} title={say("try.empty")} text={say("try.empty_text")} />
      )}
    </Page>
  );
}

/** A message with what is live says to it, and the draft beside it. */
function Turn({ trial: { turn, said, drafted } }: { trial: Trial }) {
  const { say } = useTexts();
  return (
    <Stack gap="sm" data-testid="reply">
      <div className="bubble student">{turn.question}</div>
      {drafted ? (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {(["try.live_says", "try.draft_says"] as const).map((title) => (
            <Stack key={title} gap={6} data-testid={title}>
              <Text size="xs" c="dimmed">
                {say(title)}
              </Text>
              <Said parts={title === "try.live_says" ? said : drafted} intent={turn.intent} />
            </Stack>
          ))}
        </SimpleGrid>
      ) : (
        <Said parts={said} intent={turn.intent} />
      )}
    </Stack>
  );
}

function Said({ parts, intent }: { parts: TrialPart[]; intent: string }) {
  const { say, language } = useTexts();
  return parts.map((each) => (
    <Stack key={each.question} gap={6} align="flex-end">
      <div className="bubble">
        {each.text ? (
          <Markdown text={each.text} />
        ) : each.decision === "clarify" ? (
          say(each.asks.length ? "try.asks" : "try.asks_which", { what: each.asks.join(", ") })
        ) : (
          say("try.nothing")
        )}
      </div>
      {!each.decision && (
        <Text size="sm" c="dimmed" data-testid="talk">
          {TALK[language]("talk", { intent: sayIfKnown(say, `intent.${intent}`, say("decision.")) })}{" "}
          <Anchor component={Link} to="/faq" size="sm">
            {say("faq.title")}
          </Anchor>
        </Text>
      )}
      <Group gap={4} justify="flex-end">
        {parts.length > 1 && <DecisionBadge decision={each.decision} />}
        {each.options.map((option) => (
          <Badge key={option} variant="outline" tt="none" fw={500}>
            {option}
          </Badge>
        ))}
      </Group>
    </Stack>
  ));
}
