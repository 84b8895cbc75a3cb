/** Choosing what a question is to get: an entry, a refusal, or a question back. */
import { type OptionsFilter, MultiSelect, Radio, Select, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, withQuery, type NamedEntry, type Vocabulary, type EntryPage } from "../api";
import { useTexts } from "../texts";
import { useCorrectionTexts } from "./correction_texts";

const FEWEST_CHOICES = 2;
const MOST_CHOICES = 6;

type Kind = "answer" | "no_answer" | "dimension" | "entries";

/** `entries` is the one that answers, or those that are offered. */
export interface Chosen {
  kind: Kind;
  dimension: string;
  entries: string[];
}

/** What is asked back, as the API takes it. */
export const chosenOf = ({ kind, dimension, entries }: Chosen) => ({
  dimension: kind === "dimension" ? dimension : "",
  entries: kind === "entries" ? entries : [],
});

/** Return the name of the field that an outcome lacks; false without one. */
export function useLacking({ kind, dimension, entries }: Chosen): string | false {
  const said = useCorrectionTexts();
  if (kind === "answer") return entries.length !== 1 && said("rule.answer_by");
  if (kind === "dimension") return !dimension && said("rule.ask_for");
  return kind === "entries" && entries.length < FEWEST_CHOICES && said("rule.choices");
}

export function OutcomeFields({
  kinds,
  outcome,
  set,
  named,
}: {
  /** The outcomes that can be chosen. */
  kinds: Kind[];
  outcome: Chosen;
  set: (outcome: Chosen) => void;
  /** Entries to begin with, the chosen ones among them. */
  named: NamedEntry[];
}) {
  const { say, language } = useTexts();
  const said = useCorrectionTexts();
  const { kind, dimension, entries } = outcome;
  const [text, setText] = useState("");
  const [names, setNames] = useState(() => new Map(named.map((each) => [each.id, each.question])));
  const [wanted] = useDebouncedValue(text, 250);
  const known = useQuery({ queryKey: ["sources", ""], queryFn: () => get<Vocabulary>("/faq/sources") });
  const found = useQuery({
    queryKey: ["faq", "rule", wanted],
    queryFn: () => get<EntryPage>(withQuery("/faq", { text: wanted })),
    enabled: wanted.trim().length > 1,
  });
  const listed = new Map(found.data?.entries.map((each) => [each.id, each.question]) ?? []);
  const choose = (ids: string[]) => {
    const chosen = ids.filter((id) => listed.has(id)).map((id) => [id, listed.get(id)!] as const);
    setNames(new Map([...names, ...chosen]));
    set({ ...outcome, entries: ids });
  };
  const choices = [...new Map([...listed, ...names])].map(([value, label]) => ({ value, label }));
  const searching = {
    placeholder: say("faq.search"),
    searchable: true,
    searchValue: text,
    onSearchChange: setText,
    data: choices,
    filter: (({ options }) => options) satisfies OptionsFilter,
    maxDropdownHeight: 260,
    required: true,
  };
  return (
    <>
      <Radio.Group
        label={said("rule.outcome")}
        value={kind}
        onChange={(value) => set({ ...outcome, kind: value as Kind, entries: [] })}
      >
        <Stack gap="xs" mt={6}>
          {kinds.map((value) => (
            <Radio
              key={value}
              value={value}
              label={said(`rule.${value}`)}
              description={said(`rule.${value}_help`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {kind === "answer" && (
        <Select
          label={said("rule.answer_by")}
          {...searching}
          value={entries[0] ?? null}
          onChange={(id) => choose(id ? [id] : [])}
        />
      )}
      {kind === "dimension" && (
        <Select
          label={said("rule.ask_for")}
          value={dimension || null}
          onChange={(chosen) => set({ ...outcome, dimension: chosen ?? "" })}
          data={
            known.data?.dimensions.map(({ id, name, name_en }) => ({
              value: id,
              label: (language === "en" && name_en) || name,
            })) ?? []
          }
          required
          allowDeselect={false}
        />
      )}
      {kind === "entries" && (
        <MultiSelect
          label={said("rule.choices")}
          {...searching}
          value={entries}
          onChange={choose}
          maxValues={MOST_CHOICES}
        />
      )}
    </>
  );
}
