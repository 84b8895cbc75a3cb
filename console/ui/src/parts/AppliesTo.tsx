/** The students that an entry or a document holds for. */
import { MultiSelect, Stack, TagsInput, Text } from "@mantine/core";
import type { Dimension, Students } from "../api";
import { useTexts, type Language } from "../texts";

export function AppliesTo({
  dimensions,
  students,
  set,
}: {
  dimensions: Dimension[];
  students: Students;
  set: (students: Students) => void;
}) {
  const { say, language } = useTexts();
  return (
    <Stack gap={6}>
      <div>
        <Text size="sm" fw={600}>
          {say("applies.title")}
        </Text>
        <Text size="xs" c="dimmed">
          {say("applies.help")}
        </Text>
      </div>
      {dimensions.map(({ id, key, name, name_en, ordered, values }) => {
        const label = (language === "en" && name_en) || name;
        const written = id in students ? id : key;
        const common = {
          label: label.charAt(0).toUpperCase() + label.slice(1),
          value: students[written] ?? [],
          onChange: (chosen: string[]) => set({ ...students, [written]: chosen }),
          clearable: true,
        };
        return ordered ? (
          <TagsInput
            key={id}
            {...common}
            description={say("applies.ranges_help")}
            placeholder={say("applies.ranges")}
            acceptValueOnBlur
          />
        ) : (
          <MultiSelect
            key={id}
            {...common}
            searchable
            placeholder={common.value.length ? "" : say("applies.all")}
            data={choices(values, common.value)}
            maxDropdownHeight={260}
          />
        );
      })}
    </Stack>
  );
}

/** The values by name; those that are written and that the catalogue no longer has stay as they are. */
function choices(values: { id: string; name: string }[], written: string[]) {
  const known = values.map(({ id, name }) => ({ value: id, label: name }));
  const others = written.filter((value) => !values.some(({ id }) => id === value));
  return [...known, ...others.map((value) => ({ value, label: value }))];
}

/** Without the dimensions that name nobody. */
export const named = (students: Students): Students =>
  Object.fromEntries(Object.entries(students).filter(([, values]) => values.length));

/** The students in lines, one a dimension, as two texts are compared. */
export const studentsText = (students: Students): string =>
  Object.entries(students)
    .map(([key, values]) => `${key}: ${values.join(", ")}`)
    .join("\n");

/** The students in one line, in the school's words: "khóa 49- · ngành Kế toán"; "" for all students. */
export function studentsNamed(students: Students, dimensions: Dimension[], language: Language): string {
  return Object.entries(named(students))
    .map(([key, values]) => {
      const of = dimensions.find((each) => key === each.id || key === each.key);
      const called = values.map((value) => of?.values.find(({ id }) => id === value)?.name ?? value);
      return `${(language === "en" && of?.name_en) || (of?.name ?? key)} ${called.join(", ")}`;
    })
    .join(" · ");
}
