/** The facts that calculators need of what is saved, all at once, each with the way to its form. */
import { Alert, Anchor, List, Stack, Text } from "@mantine/core";
import type { LackingFact } from "../api";
import { saying, useTexts } from "../texts";

const SAY = {
  vi: saying({
    title: "Chưa lưu: còn thiếu {n} số liệu mà công thức cần",
    todo: "Bấm “Thêm số liệu này” ở từng dòng (mở ở thẻ mới, điều bạn đang viết ở đây vẫn còn), rồi quay lại đây bấm Lưu.",
    of: "{of}: ",
    needs: "Cần cho:",
    like: "Viết như {name}{note}: “{value}”",
    add: "Thêm số liệu này",
  }),
  en: saying({
    title: "Not saved: calculators need {n} {n|fact that is|facts that are} missing",
    todo: "Choose “Add this fact” in each line (it opens in a new tab, and what you are writing here stays), then come back and save.",
    of: "{of}: ",
    needs: "Needed for:",
    like: "Write it like {name}{note}: “{value}”",
    add: "Add this fact",
  }),
};

export function LackingFacts({ facts, others }: { facts: LackingFact[]; others: string[] }) {
  const say = SAY[useTexts().language];
  return (
    <Alert color="red" title={say("title", { n: facts.length })} data-testid="lacking-facts">
      <Stack gap="xs" style={{ overflowWrap: "anywhere" }}>
        {others.map((each) => (
          <Text key={each} size="sm">
            {each}
          </Text>
        ))}
        <Text size="sm">{say("todo")}</Text>
        <List size="sm" spacing="xs">
          {facts.map(({ name, label, of, like, calculators }) => (
            <List.Item key={name} data-testid="lacking-fact">
              <Text span size="sm" fw={600}>
                {of && say("of", { of })}
                {label}
              </Text>{" "}
              <Anchor size="sm" target="_blank" href={`/facts/~?name=${encodeURIComponent(name)}`}>
                {say("add")}
              </Anchor>
              {like && (
                <Text size="xs">
                  {say("like", {
                    name: like.label,
                    value: like.value,
                    note: like.note && ` (${like.note})`,
                  })}
                </Text>
              )}
              <Text size="xs">
                {say("needs")}{" "}
                {calculators.map(({ id, question }, place) => (
                  <span key={id}>
                    {place > 0 && ", "}
                    <Anchor size="xs" target="_blank" href={`/facts/${encodeURIComponent(id)}`}>
                      “{question}”
                    </Anchor>
                  </span>
                ))}
              </Text>
            </List.Item>
          ))}
        </List>
      </Stack>
    </Alert>
  );
}
