/** The facts that a text names and the school does not have, each with the way to its form. */
import { Anchor, Text } from "@mantine/core";
import { saying, useTexts } from "../texts";

const SAY = {
  vi: saying({ absent: "Chưa có số liệu {name}.", add: "Thêm số liệu này (thẻ mới)" }),
  en: saying({ absent: "There is no fact {name}.", add: "Add this fact (new tab)" }),
};

/** Return the names that are still in a text once its facts were filled in. */
export function absentFacts(filled: string): string[] {
  const found = filled.matchAll(/\{\{\s*(facts(?:\.[\p{L}\p{N}_+-]+)+)\s*\}\}/gu);
  return [...new Set([...found].map((each) => each[1]!))];
}

export function AbsentFacts({ names }: { names: string[] }) {
  const say = SAY[useTexts().language];
  return names.map((name) => (
    <Text key={name} size="sm" c="orange" role="status" style={{ overflowWrap: "anywhere" }}>
      {say("absent", { name })} {/* What is written here stays meanwhile. */}
      <Anchor href={`/facts/~?name=${encodeURIComponent(name)}`} target="_blank" size="sm">
        {say("add")}
      </Anchor>
    </Text>
  ));
}
