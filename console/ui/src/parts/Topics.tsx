import { Badge, Group, Select, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconCategory } from "@tabler/icons-react";
import { useState } from "react";
import { ask, get, type Section, type Topic, type TopicDraft, type KnownTopics } from "../api";
import { hasWords } from "../loose_search";
import { dayText, useTexts } from "../texts";
import { sectionName } from "./Catalogue";
import { DictionaryForm, Lines, type BegunForm } from "./DictionaryForm";
import { isReadable } from "./day_times";
import { Empty } from "./parts";
import { LimitedInput, MOST_LINE_CHARS, MOST_TOPIC_ID_CHARS } from "./LimitedInput";
import { ListRow } from "./ListRow";
import { ALL, DueFilter, isWanted, OwnerFilter, ReviewDay } from "./Review";
import { useReviewTexts } from "./review_texts";
import { SearchBox } from "./SearchBox";
import { SentenceField } from "./SentenceField";

const BUTTON_CHARS = 20;

export function TopicList({
  topics,
  dueDays,
  chosen,
  open,
}: {
  topics: Topic[];
  /** After so many days without a review, a topic is due for one. */
  dueDays: number;
  chosen: string;
  open: (id: string) => void;
}) {
  const { say, language } = useTexts();
  const reviews = useReviewTexts();
  const [text, setText] = useState("");
  const [review, setReview] = useState(ALL);
  if (topics.length === 0)
    return (
      <div className="list">
        <Empty icon={<IconCategory />} title={say("topics.empty")} text={say("topics.empty_text")} />
      </div>
    );
  // The office that a topic sends to is the one in charge of it.
  const shown = topics.filter(
    (each) =>
      isWanted(review, { ...each, owner: each.office }) &&
      hasWords([each.id, each.name, each.name_en, each.description, ...each.examples].join(" "), text),
  );
  return (
    <Stack gap={6} className="list">
      <SearchBox label={say("topics.search")} value={text} set={setText} />
      <OwnerFilter filter={review} set={setReview} />
      <DueFilter
        filter={review}
        set={setReview}
        count={topics.filter(({ due }) => due).length}
        days={dueDays}
      />
      {shown.length === 0 && (
        <Empty icon={<IconCategory />} title={say("nothing_found")} text={say("facts.none_text")} />
      )}
      {shown.map((topic) => (
        <ListRow key={topic.id} chosen={topic.id === chosen} open={() => open(topic.id)} testid="topic">
          <Group justify="space-between" wrap="nowrap" align="start">
            <div>
              <Text fw={550} size="sm">
                {topic.name}
              </Text>
              <Text size="xs" c="dimmed">
                {[
                  topic.name_en,
                  topic.id,
                  topic.reviewed_at && reviews("reviewed", { day: dayText(topic.reviewed_at, language) }),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </Text>
              <Text size="xs" c="dimmed">
                {say("topics.counts", {
                  entries: topic.entries,
                  documents: topic.documents,
                  calculators: topic.calculators,
                })}
              </Text>
            </div>
            {!topic.live && (
              <Badge variant="light" color="yellow" tt="none" style={{ flexShrink: 0 }}>
                {say("topics.not_live")}
              </Badge>
            )}
          </Group>
        </ListRow>
      ))}
    </Stack>
  );
}

const NONE = {
  id: "",
  name: "",
  name_en: "",
  description: "",
  office: "",
  examples: [],
  assumes: {},
  reviewed_at: "",
};

/** A topic to change, or a new one. */
export function TopicForm({
  topic,
  sections,
  mayWrite,
  added,
  ...opened
}: {
  topic: Topic | undefined;
  sections: Section[];
  mayWrite: boolean;
  added: (id: string) => void;
} & BegunForm<TopicDraft>) {
  const { say, language } = useTexts();
  const fieldsOf = ({
    id,
    name,
    name_en,
    description,
    office,
    examples,
    assumes,
    reviewed_at,
  }: Omit<Topic, never> | typeof NONE) => ({
    id,
    name,
    name_en,
    description,
    office,
    examples: examples as string[],
    assumes: assumes as Record<string, string>,
    reviewed_at,
  });
  const ofDraft = (of: TopicDraft) => ({ ...of.fields, id: of.id });
  const { begun } = opened;
  const [fields, setFields] = useState(begun ? ofDraft(begun.draft) : fieldsOf(topic ?? NONE));
  const change = (changed: Partial<typeof fields>) => setFields({ ...fields, ...changed });
  const offices = sections.find((each) => each.id === "office")?.parts ?? [];
  const dimensions = sections.filter((each) => each.name && each.id !== "school");
  const { id, ...others } = fields;
  const assumes = Object.fromEntries(Object.entries(others.assumes).filter(([, value]) => value));
  const body = { ...others, assumes, id };
  const valueName = (dimension: string, value: string) => {
    const parts = sections.find((each) => each.id === dimension)?.parts ?? [];
    return String(parts.find((each) => each.id === value)?.values.name ?? value);
  };
  const told = (of: typeof fields): Record<string, string> => ({
    [say("topics.id")]: of.id,
    [say("field.name")]: of.name,
    [say("field.name_en")]: of.name_en,
    [say("topics.description")]: of.description,
    [say("topics.office")]: valueName("office", of.office),
    [say("topics.examples")]: of.examples.join("\n"),
    [say("topics.assumes")]: dimensions
      .filter((each) => of.assumes[each.id])
      .map((each) => `${sectionName(say, language, each)}: ${valueName(each.id, of.assumes[each.id]!)}`)
      .join("\n"),
    [say("entry.reviewed_at")]: of.reviewed_at,
  });
  const name = (field: "name" | "name_en") => (
    <SentenceField
      label={say(`field.${field}`)}
      description={say("topics.button", { n: BUTTON_CHARS })}
      error={
        fields[field].length > BUTTON_CHARS ? say("topics.long", { n: fields[field].length }) : undefined
      }
      value={fields[field]}
      most={MOST_LINE_CHARS}
      required={field === "name"}
      set={(typed) => change({ [field]: typed })}
    />
  );
  return (
    <DictionaryForm
      about={`topic ${id}`}
      mayWrite={mayWrite}
      mine={told(fields)}
      theirs={(now) => told(fieldsOf(now))}
      version={topic?.version ?? ""}
      missing={[
        id !== topic?.id && !/^[a-z][a-z0-9_]*$/.test(id) && say("topics.id"),
        !fields.name.trim() && say("field.name"),
        (fields.name.length > MOST_LINE_CHARS || fields.name_en.length > MOST_LINE_CHARS) &&
          say("too_long", { name: say("field.name") }),
        fields.description.length > MOST_LINE_CHARS && say("too_long", { name: say("topics.description") }),
        !isReadable(fields.reviewed_at) && say("entry.reviewed_at"),
      ]}
      moves={topic !== undefined && id !== topic.id}
      save={({ version, ...of }) =>
        topic
          ? ask("PUT", `/topics/${encodeURIComponent(topic.id)}`, {
              ...body,
              id: id === topic.id ? null : id,
              version,
              ...of,
            })
          : ask("POST", "/topics", { ...body, ...of })
      }
      added={() => added(id)}
      latest={async () => (await get<KnownTopics>("/topics")).topics.find((each) => each.id === topic?.id)}
      load={(now) => setFields(fieldsOf(now))}
      draft={{ kind: "topic", topic_id: topic?.id ?? "", id, fields: { ...others, assumes } }}
      drafted={(of) => told(ofDraft(of))}
      fill={(kept) => setFields(ofDraft(kept))}
      {...opened}
    >
      <LimitedInput
        label={say("topics.id")}
        description={say("topics.id_help")}
        value={id}
        most={MOST_TOPIC_ID_CHARS}
        required
        onChange={(event) => change({ id: event.currentTarget.value })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {name("name")}
        {name("name_en")}
      </SimpleGrid>
      <SentenceField
        label={say("topics.description")}
        value={fields.description}
        most={MOST_LINE_CHARS}
        set={(typed) => change({ description: typed })}
      />
      <Select
        label={say("topics.office")}
        description={say("topics.office_help")}
        searchable
        clearable
        value={fields.office || null}
        onChange={(office) => change({ office: office ?? "" })}
        data={offices.map((each) => ({ value: each.id, label: String(each.values.name ?? each.id) }))}
      />
      <ReviewDay value={fields.reviewed_at} set={(reviewed_at) => change({ reviewed_at })} />
      <Lines
        label={say("topics.examples")}
        description={say("topics.examples_help")}
        value={fields.examples}
        set={(examples) => change({ examples })}
      />
      <div>
        <Text size="sm" fw={600}>
          {say("topics.assumes")}
        </Text>
        <Text size="xs" c="dimmed" mb={4}>
          {say("topics.assumes_help")}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {dimensions.map((each) => (
            <Select
              key={each.id}
              label={sectionName(say, language, each)}
              searchable
              clearable
              placeholder={say("topics.asks")}
              value={fields.assumes[each.id] || null}
              onChange={(value) => change({ assumes: { ...fields.assumes, [each.id]: value ?? "" } })}
              data={each.parts.map((part) => ({
                value: part.id,
                label: String(part.values.name ?? part.id),
              }))}
            />
          ))}
        </SimpleGrid>
      </div>
    </DictionaryForm>
  );
}
