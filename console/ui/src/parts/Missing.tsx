import { Text } from "@mantine/core";
import { useTexts } from "../texts";

/** What a form still lacks, beside the button that this holds back. */
export function Missing({ names }: { names: (string | false | undefined)[] }) {
  const { say } = useTexts();
  const told = names.filter(Boolean);
  return (
    told.length > 0 && (
      <Text size="sm" c="dimmed" ta="end">
        {say("entry.missing", { names: told.join(", ") })}
      </Text>
    )
  );
}
