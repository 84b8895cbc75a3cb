/** The students that an entry of a list holds for, one badge a dimension; nothing for all students. */
import { Badge, Group } from "@mantine/core";
import type { Dimension, Students } from "../api";
import { useTexts, type Say } from "../texts";

/** Of a dimension, in its badge; the others are in its tooltip. */
const MOST_VALUES = 2;

export function AppliesBadges({ dimensions, students }: { dimensions: Dimension[]; students: Students }) {
  const { say } = useTexts();
  const badges = Object.entries(students).map(([key, values]) => {
    const dimension = dimensions.find((each) => each.key === key || each.id === key);
    const names = values.map((value) => valueText(say, dimension, value));
    const others = names.length - MOST_VALUES;
    return (
      <Badge
        key={key}
        variant="outline"
        color="gray"
        tt="none"
        fw={500}
        maw="100%"
        title={`${say("applies.title")}: ${names.join(", ")}`}
        data-testid="applies-to"
      >
        {names.slice(0, MOST_VALUES).join(", ")}
        {others > 0 && ` +${others}`}
      </Badge>
    );
  });
  return (
    badges.length > 0 && (
      <Group gap={4} mt={4}>
        {badges}
      </Group>
    )
  );
}

/** The name of a value; of an ordered dimension also a range: "47-", "-46", "47-49". */
function valueText(say: Say, dimension: Dimension | undefined, value: string): string {
  const nameOf = (id: string) =>
    dimension?.values.find((each) => each.id === id)?.name ?? (dimension ? `${dimension.name} ${id}` : id);
  const known = dimension?.values.find((each) => each.id === value);
  const [, first, last] = (dimension?.ordered && !known && /^(\d*)-(\d*)$/.exec(value)) || [];
  if (first && last) return say("applies.between", { first: nameOf(first), last: nameOf(last) });
  if (first) return say("applies.from", { first: nameOf(first) });
  if (last) return say("applies.until", { last: nameOf(last) });
  return known?.name ?? value;
}
