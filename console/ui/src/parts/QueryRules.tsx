import { Button, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRouteOff } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Dialog } from "./Dialog";
import { ask, get, type Dimension, type QueryRule, type QueryRuleList } from "../api";
import { useTexts } from "../texts";
import { JudgedQuestion } from "./JudgedQuestion";
import { tell, tellError } from "./parts";
import { useMutation } from "./acting";

/** The questions that are refused or asked back about by a rule, to be looked at and taken away. */
export function QueryRules({ dimensions, mayWrite }: { dimensions: Dimension[]; mayWrite: boolean }) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const found = useQuery({
    queryKey: ["query-rules"],
    queryFn: () => get<QueryRuleList>("/query-rules"),
  });
  const removing = useMutation({
    mutationFn: (rule: QueryRule) => ask("POST", "/query-rules/removal", { version: rule.version }),
    onSuccess: () => tell(say("rules.removed")),
    onError: (error) => tellError(say, error),
    onSettled: () => void queries.invalidateQueries(),
  });
  const rules = found.data?.rules ?? [];
  if (!rules.length) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconRouteOff size={16} />} onClick={open}>
        {say("rules.open", { n: rules.length })}
      </Button>
      <Dialog
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
            <JudgedQuestion
              key={rule.version}
              testid="rule"
              question={rule.question}
              variants={rule.variants}
              outcome={rule}
              dimensions={dimensions}
              removal={
                mayWrite && {
                  name: say("rules.remove"),
                  text: say("rules.remove_text", { question: rule.question }),
                  act: (done) => removing.mutate(rule, { onSettled: done }),
                  pending: removing.isPending && removing.variables.version === rule.version,
                }
              }
            />
          ))}
        </Stack>
      </Dialog>
    </>
  );
}
