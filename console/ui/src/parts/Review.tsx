/** Who is in charge of something and when it was last reviewed: shown, written, and looked for in lists. */
import { Chip, Group, Select, SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get, type Reviewed, type Vocabulary } from "../api";
import { dayText, useTexts } from "../texts";
import { DateField } from "./DateField";
import { useReviewTexts } from "./review_texts";

/** The offices to choose from. */
function useOffices() {
  const known = useQuery({ queryKey: ["sources", ""], queryFn: () => get<Vocabulary>("/faq/sources") });
  return known.data?.offices.map(({ id, name }) => ({ value: id, label: name })) ?? [];
}

/** The name of an office by its id; the id of one that is not there. */
export function useOfficeName(): (id: string) => string {
  const offices = useOffices();
  return (id) => offices.find(({ value }) => value === id)?.label ?? id;
}

/** Whether a list has only what is in an office's charge, or was not reviewed for a year. */
export interface ReviewFilter {
  owner: string | null;
  due: boolean;
}

export const ALL: ReviewFilter = { owner: null, due: false };

export const isWanted = (filter: ReviewFilter, each: Reviewed & { due: boolean }) =>
  (!filter.owner || each.owner === filter.owner) && (!filter.due || each.due);

export function OwnerFilter({ filter, set }: { filter: ReviewFilter; set: (filter: ReviewFilter) => void }) {
  const { say } = useTexts();
  return (
    <Select
      aria-label={say("entry.owner")}
      placeholder={say("entry.owner")}
      clearable
      searchable
      value={filter.owner}
      onChange={(owner) => set({ ...filter, owner })}
      data={useOffices()}
    />
  );
}

/** The chip for what was not reviewed for a year; none when all was. */
export function DueFilter({
  filter,
  set,
  count,
  days,
}: {
  filter: ReviewFilter;
  set: (filter: ReviewFilter) => void;
  count: number;
  days: number;
}) {
  const reviews = useReviewTexts();
  if (!filter.due && !count) return null;
  return (
    <Chip
      checked={filter.due}
      onChange={(due) => set({ ...filter, due })}
      color="orange"
      variant="light"
      style={{ alignSelf: "start" }}
    >
      {reviews("due", { days, n: count })}
    </Chip>
  );
}

/** Both fields of a form. */
export function ReviewFields({
  review,
  set,
}: {
  review: Reviewed;
  set: (changed: Partial<Reviewed>) => void;
}) {
  const { say } = useTexts();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <Select
        label={say("entry.owner")}
        clearable
        searchable
        value={review.owner || null}
        onChange={(owner) => set({ owner: owner ?? "" })}
        data={useOffices()}
      />
      <ReviewDay value={review.reviewed_at} set={(reviewed_at) => set({ reviewed_at })} />
    </SimpleGrid>
  );
}

export function ReviewDay({ value, set }: { value: string; set: (day: string) => void }) {
  const { say } = useTexts();
  return <DateField label={say("entry.reviewed_at")} value={value} set={set} />;
}

/** Both in one line, for those who only read. */
export function ReviewLine({ review }: { review: Reviewed }) {
  const { say, language } = useTexts();
  const reviews = useReviewTexts();
  const office = useOfficeName()(review.owner);
  return (
    <Group gap="xs">
      {office && (
        <Text size="sm">
          {say("entry.owner")}: {office}
        </Text>
      )}
      <Text size="sm" c={review.reviewed_at ? undefined : "dimmed"}>
        {review.reviewed_at
          ? reviews("reviewed", { day: dayText(review.reviewed_at, language) })
          : reviews("never")}
      </Text>
    </Group>
  );
}
