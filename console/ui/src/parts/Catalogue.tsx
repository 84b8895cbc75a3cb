import { MultiSelect, Select, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconCategory } from "@tabler/icons-react";
import { useState } from "react";
import {
  ask,
  get,
  type CataloguePart,
  type PartDraft,
  type Section,
  type Topic,
  type Values,
  type CatalogueSections,
} from "../api";
import { hasWords } from "../loose_search";
import { dayText, sayIfKnown, useTexts, type Language, type Say } from "../texts";
import { DictionaryForm, Lines, type BegunForm } from "./DictionaryForm";
import { isReadable } from "./day_times";
import { Empty } from "./parts";
import { LimitedInput, MOST_LINE_CHARS, MOST_ID_CHARS } from "./LimitedInput";
import { ListRow } from "./ListRow";
import { ALL, DueFilter, isWanted, OwnerFilter, ReviewFields } from "./Review";
import { useReviewTexts } from "./review_texts";
import { SearchBox } from "./SearchBox";
import { SentenceField } from "./SentenceField";

const LISTS = ["aliases", "handles", "programs"];
const MOST_SHOWN = 100;

const reviewOf = ({ owner, reviewed_at }: Values) => ({
  owner: String(owner ?? ""),
  reviewed_at: String(reviewed_at ?? ""),
});

const fieldName = (say: Say, name: string) =>
  sayIfKnown(say, `field.${name}`, sayIfKnown(say, `entry.${name}`, name));

export function sectionName(say: Say, language: Language, section: Section): string {
  const own = (language === "en" && section.name_en) || section.name;
  return sayIfKnown(say, `section.${section.id}`, own.charAt(0).toUpperCase() + own.slice(1));
}

/** The name of a part; a contact may have only that of its office. */
export function shownName({ id, values }: CataloguePart, sections: Section[], language: Language): string {
  const office = sections
    .find((each) => each.id === "office")
    ?.parts.find((each) => each.id === values.office);
  const of = (each: Values | undefined) => (language === "en" && each?.name_en) || each?.name;
  return String(of(values) || of(office?.values) || id);
}

export function CatalogueList({
  sections,
  shown,
  show,
  dueDays,
  chosen,
  open,
}: {
  sections: Section[];
  shown: string;
  show: (section: string) => void;
  /** After so many days without a review, an item is due for one. */
  dueDays: number;
  chosen: string;
  open: (id: string) => void;
}) {
  const { say, language } = useTexts();
  const reviews = useReviewTexts();
  const [text, setText] = useState("");
  const [review, setReview] = useState(ALL);
  const section = sections.find((each) => each.id === shown);
  const parts = section?.parts.filter((each) => {
    const values = Object.entries(each.values).filter(([name]) => !(name in reviewOf(each.values)));
    const said = [each.id, shownName(each, sections, language), ...values.flatMap(([, value]) => value)];
    return isWanted(review, { ...reviewOf(each.values), due: each.due }) && hasWords(said.join(" "), text);
  });
  const isNarrowed = !!text.trim() || !!review.owner || review.due;
  return (
    <Stack gap={6} className="list">
      <Select
        aria-label={say("catalogue.section")}
        allowDeselect={false}
        value={shown}
        onChange={(next) => next && show(next)}
        data={sections.map((each) => ({
          value: each.id,
          label: `${sectionName(say, language, each)} (${each.parts.length})`,
        }))}
      />
      <SearchBox label={say("catalogue.search")} value={text} set={setText} />
      <OwnerFilter filter={review} set={setReview} />
      <DueFilter
        filter={review}
        set={setReview}
        count={section?.parts.filter(({ due }) => due).length ?? 0}
        days={dueDays}
      />
      {!parts?.length ? (
        <Empty
          icon={<IconCategory />}
          title={say(isNarrowed ? "nothing_found" : "catalogue.empty")}
          text={say(isNarrowed ? "facts.none_text" : "catalogue.empty_text")}
        />
      ) : (
        parts.slice(0, MOST_SHOWN).map((part) => (
          <ListRow key={part.id} chosen={part.id === chosen} open={() => open(part.id)} testid="part">
            <Text fw={550} size="sm">
              {shownName(part, sections, language)}
            </Text>
            <Text size="xs" c="dimmed" lineClamp={2}>
              {[part.values.phone, part.values.location, part.values.code, part.values.aliases]
                .flat()
                .filter(Boolean)
                .join(" · ")}
            </Text>
            {part.values.reviewed_at && (
              <Text size="xs" c="dimmed">
                {reviews("reviewed", { day: dayText(reviewOf(part.values).reviewed_at, language) })}
              </Text>
            )}
          </ListRow>
        ))
      )}
      {(parts?.length ?? 0) > MOST_SHOWN && (
        <Text size="xs" c="dimmed">
          {say("catalogue.more", { n: parts!.length - MOST_SHOWN })}
        </Text>
      )}
    </Stack>
  );
}

const listed = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** Return the fields of a part, all of them, so that each can be filled in. */
function fieldsOf(section: Section, part: CataloguePart | undefined): Values {
  return Object.fromEntries(
    section.fields.map((name) => {
      const value = part?.values[name];
      return [name, LISTS.includes(name) ? listed(value) : String(value ?? "")];
    }),
  );
}

/** A part of the catalogue to change, or a new one. */
export function PartForm({
  section,
  part,
  sections,
  topics,
  mayWrite,
  added,
  ...opened
}: {
  section: Section;
  part: CataloguePart | undefined;
  sections: Section[];
  topics: Topic[];
  mayWrite: boolean;
  added: (id: string) => void;
} & BegunForm<PartDraft>) {
  const { say } = useTexts();
  const of = opened.begun?.draft;
  const [id, setId] = useState(of?.id || (part?.id ?? ""));
  const [fields, setFields] = useState({ ...fieldsOf(section, part), ...of?.fields });
  const change = (name: string, value: string | string[]) => setFields({ ...fields, [name]: value });
  const hasId = section.grows && section.id !== "counselling";
  const moves = part !== undefined && hasId && id.trim() !== part.id;
  const names = (of: string) =>
    sections
      .find((each) => each.id === of)
      ?.parts.map((each) => ({ value: each.id, label: String(each.values.name ?? each.id) })) ?? [];
  const choices: Record<string, { value: string; label: string }[]> = {
    handles: topics.map((each) => ({ value: each.id, label: each.name })),
    programs: names("program"),
    office: names("office"),
    faculty: names("office"),
    owner: names("office"),
    rare: [{ value: "true", label: say("field.rare_yes") }],
  };
  const control = (name: string) => {
    const label = fieldName(say, name);
    const value = fields[name]!;
    if (name === "aliases")
      return (
        <Lines
          key={name}
          label={label}
          description={say("field.aliases_help")}
          value={value as string[]}
          set={(next) => change(name, next)}
        />
      );
    if (Array.isArray(value))
      return (
        <MultiSelect
          key={name}
          label={label}
          searchable
          value={value}
          onChange={(next) => change(name, next)}
          data={choices[name] ?? []}
        />
      );
    if (name in choices)
      return (
        <Select
          key={name}
          label={label}
          searchable
          clearable
          value={value || null}
          onChange={(next) => change(name, next ?? "")}
          data={choices[name]!}
        />
      );
    return (
      <SentenceField
        key={name}
        label={label}
        value={value}
        most={MOST_LINE_CHARS}
        set={(typed) => change(name, typed)}
      />
    );
  };
  const told = (ofId: string, of: Values): Record<string, string> => ({
    ...(hasId && { [say("topics.id")]: ofId }),
    ...Object.fromEntries(
      Object.entries(of).map(([name, value]) => [
        fieldName(say, name),
        listed(value)
          .map((each) => choices[name]?.find((choice) => choice.value === each)?.label ?? each)
          .join("\n"),
      ]),
    ),
  });
  const ownId = part?.id ?? (hasId ? id.trim() : String(section.parts.length));
  return (
    <DictionaryForm
      about={`${section.id} ${ownId}`}
      mayWrite={mayWrite}
      mine={told(id, fields)}
      theirs={(now) => told(now.id, fieldsOf(section, now))}
      version={part?.version ?? ""}
      missing={[
        hasId && !id.trim() && say("topics.id"),
        id.length > MOST_ID_CHARS && say("too_long", { name: say("topics.id") }),
        hasId && !part && !fields.name && say("field.name"),
        ...Object.entries(fields).map(
          ([name, value]) =>
            typeof value === "string" &&
            value.length > MOST_LINE_CHARS &&
            say("too_long", { name: fieldName(say, name) }),
        ),
        !isReadable(reviewOf(fields).reviewed_at) && say("entry.reviewed_at"),
      ]}
      moves={moves}
      save={({ version, ...of }) => {
        const address = `/catalogue/${encodeURIComponent(section.id)}`;
        return part
          ? ask("PUT", `${address}/${encodeURIComponent(part.id)}`, {
              ...fields,
              id: moves ? id.trim() : null,
              version,
              ...of,
            })
          : ask("POST", address, { ...fields, ...(hasId ? { id: id.trim() } : {}), ...of });
      }}
      added={() => added(ownId)}
      latest={async () =>
        (await get<CatalogueSections>("/catalogue")).sections
          .find((each) => each.id === section.id)
          ?.parts.find((each) => each.id === part?.id)
      }
      load={(now) => setFields(fieldsOf(section, now))}
      draft={{
        kind: "part",
        section_id: section.id,
        part_id: part?.id ?? "",
        id: hasId && (!part || moves) ? id.trim() : "",
        fields,
      }}
      drafted={(kept) => told(kept.id || (part?.id ?? ""), { ...fields, ...kept.fields })}
      fill={(kept) => {
        setFields({ ...fields, ...kept.fields });
        setId(kept.id || (part?.id ?? ""));
      }}
      {...opened}
    >
      {hasId && (
        <LimitedInput
          label={say("topics.id")}
          description={say(
            /^\d+$/.test(section.parts[0]?.id ?? "") ? "catalogue.number_help" : "catalogue.id_help",
          )}
          value={id}
          most={MOST_ID_CHARS}
          required
          onChange={(event) => setId(event.currentTarget.value)}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {section.fields.filter((name) => name !== "aliases" && !(name in reviewOf(fields))).map(control)}
      </SimpleGrid>
      {section.fields.includes("aliases") && control("aliases")}
      <ReviewFields review={reviewOf(fields)} set={(changed) => setFields({ ...fields, ...changed })} />
    </DictionaryForm>
  );
}
