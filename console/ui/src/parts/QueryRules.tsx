import { Button, Group, Modal, Paper, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRouteOff } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ask, get, type Dimension, type QueryRule } from "../api";
import { useTexts } from "../texts";
import { AskFirst } from "./AskFirst";
import { tell, tellError } from "./parts";
import { useMutation } from "./acting";

/** The questions that are refused or asked back about by a rule, to be looked at and taken away. */
export function QueryRules({ dimensions, mayWrite }: { dimensions: Dimension[]; mayWrite: boolean }) {
  const { say, language } = useTexts();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const found = useQuery({
    queryKey: ["query-rules"],
    queryFn: () => get<{ rules: QueryRule[] }>("/query-rules"),
  });
  const removing = useMutation({
    mutationFn: (rule: QueryRule) => ask("POST", "/query-rules/removal", { version: rule.version }),
    onSuccess: () => tell(say("rules.removed")),
    onError: (error) => tellError(say, error),
    onSettled: () => void queries.invalidateQueries(),
  });
  const outcome = (rule: QueryRule) => {
    if (rule.entries.length)
      return say("rules.offers", { what: rule.entries.map((each) => each.question).join(" · ") });
    if (!rule.dimension) return say("rules.refuses");
    const spec = dimensions.find((each) => rule.dimension === each.id || rule.dimension === each.key);
    const name = spec && ((language === "en" && spec.name_en) || spec.name);
    return say("rules.asks", { what: name ?? rule.dimension });
  };
  const rules = found.data?.rules ?? [];
  if (!rules.length) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconRouteOff size={16} />} onClick={open}>
        {say("rules.open", { n: rules.length })}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={<b>{say("rules.title")}</b>}
        size="lg"
        closeButtonProps={{ "aria-label": say("close") }}
      >
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {say("rules.intro")}
          </Text>
          {rules.map((rule) => (
            <Paper key={rule.version} withBorder p="sm" data-testid="rule">
              <Group justify="space-between" align="start" wrap="nowrap">
                <div>
                  <Text size="sm" fw={550}>
                    {rule.question}
                  </Text>
                  {rule.variants.map((variant) => (
                    <Text key={variant} size="xs" c="dimmed">
                      {variant}
                    </Text>
                  ))}
                  <Text size="xs">→ {outcome(rule)}</Text>
                </div>
                {mayWrite && (
                  <AskFirst
                    variant="subtle"
                    color="red"
                    size="compact-sm"
                    style={{ flexShrink: 0 }}
                    name={say("rules.remove")}
                    text={say("rules.remove_text", { question: rule.question })}
                    act={(done) => removing.mutate(rule, { onSettled: done })}
                    pending={removing.isPending && removing.variables.version === rule.version}
                  />
                )}
              </Group>
            </Paper>
          ))}
        </Stack>
      </Modal>
    </>
  );
}
