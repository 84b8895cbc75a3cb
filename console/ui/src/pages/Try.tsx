import { Anchor, Badge, Group, Paper, Select, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconMessageQuestion } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { ask, get, type Me, type Trial, type Vocabulary } from "../api";
import { Doing } from "../parts/Doing";
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

/** A question asked of what is live, as a student of some cohort and major. */
export default function Try({ me }: { me: Me }) {
  const { say, language } = useTexts();
  const [query] = useSearchParams();
  const [profile, setProfile] = useState<Record<string, string>>({});
  const known = useQuery({ queryKey: ["sources", ""], queryFn: () => get<Vocabulary>("/faq/sources") });
  const trying = useMutation({
    mutationFn: (question: string) => ask<Trial>("POST", "/try", { question, profile }),
    onError: (error) => tellError(say, error),
  });
  const set = (dimension: string, value: string | null) => {
    const { [dimension]: _, ...others } = profile;
    setProfile(value ? { ...others, [dimension]: value } : others);
  };
  return (
    <Page
      title={say("try.title")}
      intro={say("try.intro")}
      aside={me.rights.includes("publish") && <Invitations />}
    >
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
        <QuestionForm
          first={query.get("question") ?? ""}
          example={say("try.example")}
          ask={trying.mutate}
          pending={trying.isPending}
        />
        <Doing task="ask" pending={trying.isPending} />
      </Stack>
      {trying.data ? (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <Paper withBorder p="md" data-testid="reply">
            <Stack gap="sm">
              <div className="bubble student">{trying.data.turn.question}</div>
              {trying.data.said.map((each) => (
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
                      {TALK[language]("talk", {
                        intent: sayIfKnown(say, `intent.${trying.data.turn.intent}`, say("decision.")),
                      })}{" "}
                      <Anchor component={Link} to="/faq" size="sm">
                        {say("faq.title")}
                      </Anchor>
                    </Text>
                  )}
                  <Group gap={4} justify="flex-end">
                    {trying.data.said.length > 1 && <DecisionBadge decision={each.decision} />}
                    {each.options.map((option) => (
                      <Badge key={option} variant="outline" tt="none" fw={500}>
                        {option}
                      </Badge>
                    ))}
                  </Group>
                </Stack>
              ))}
            </Stack>
          </Paper>
          <Why turn={trying.data.turn} />
        </SimpleGrid>
      ) : (
        <Empty icon={<IconMessageQuestion />} title={say("try.empty")} text={say("try.empty_text")} />
      )}
    </Page>
  );
}
