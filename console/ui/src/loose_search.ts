import type { OptionsFilter } from "@mantine/core";

/** A text without capital letters and diacritics. */
export function bare(text: string): string {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("đ", "d");
}

/** Whether a text has all words that were typed, with or without diacritics. */
export function hasWords(text: string, typed: string): boolean {
  const folded = bare(text);
  return bare(typed)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

/** The options of a chooser that have all words that were typed; of a group, those of its options. */
export const looseFilter: OptionsFilter = ({ options, search, limit }) =>
  options
    .map((each) =>
      "group" in each ? { ...each, items: each.items.filter(({ label }) => hasWords(label, search)) } : each,
    )
    .filter((each) => ("group" in each ? each.items.length : hasWords(each.label, search)))
    .slice(0, limit);
