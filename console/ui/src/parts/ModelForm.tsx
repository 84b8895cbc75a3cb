import {
  Alert,
  Button,
  Checkbox,
  Group,
  List,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "./Dialog";
import { ask, isConflict, type ModelChoice, type ModelState } from "../api";
import { sayIfKnown, useTexts } from "../texts";
import { useMutation } from "./acting";
import { SavedBy } from "./Conflict";
import { useLeaving } from "./leaving";
import { Missing } from "./Missing";
import { useModelTexts } from "./model_texts";
import { errorText } from "./parts";

const SOURCES = ["document", "study"] as const;
const NUMBERS = ["daily_tokens", "daily_cost", "prompt_price", "completion_price"] as const;

/** The language model to use, and how; `state` is what is in use. */
export function ModelForm({ state, close }: { state: ModelState; close: () => void }) {
  const { say } = useTexts();
  const said = useModelTexts();
  const queries = useQueryClient();
  const [choice, setChoice] = useState<ModelChoice>(state.choice);
  const [seen, setSeen] = useState(state.version);
  const change = (part: Partial<ModelChoice>) => setChoice({ ...choice, ...part });
  const choosing = useMutation({
    mutationFn: (wanted: ModelChoice | null) =>
      ask<ModelState>("PUT", "/model", { choice: wanted, version: seen }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["model"] });
      close();
    },
  });
  const isWhole = Boolean(choice.url) === Boolean(choice.model);
  const isChanged = JSON.stringify(choice) !== JSON.stringify(state.choice);
  const leave = useLeaving(isChanged, close, choosing.isPending);
  const fault = choosing.error;
  const conflict = isConflict(fault) ? fault : undefined;
  return (
    <Dialog
      opened
      onClose={leave}
      title={<b>{said("choose")}</b>}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <Stack gap="sm">
        <TextInput
          label={said("url")}
          description={said("url_help")}
          placeholder="http://127.0.0.1:11434/v1"
          value={choice.url}
          onChange={(event) => change({ url: event.currentTarget.value.trim() })}
        />
        <TextInput
          label={said("name")}
          description={said("name_help")}
          value={choice.model}
          onChange={(event) => change({ model: event.currentTarget.value })}
        />
        <Checkbox.Group
          label={said("sources")}
          description={said("sources_kept")}
          value={choice.sources}
          onChange={(sources) => change({ sources })}
        >
          <Group mt={6}>
            {SOURCES.map((each) => (
              <Checkbox key={each} value={each} label={sayIfKnown(say, `source.${each}`, each)} />
            ))}
          </Group>
        </Checkbox.Group>
        <NumberInput
          label={said("temperature")}
          description={said("temperature_help")}
          value={choice.temperature}
          onChange={(value) => change({ temperature: Number(value) || 0 })}
          min={0}
          max={2}
          step={0.1}
          clampBehavior="strict"
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {NUMBERS.map((name) => (
            <NumberInput
              key={name}
              label={said(`choice.${name}`)}
              value={choice[name]}
              onChange={(value) => change({ [name]: Number(value) || 0 })}
              min={0}
              allowDecimal={name !== "daily_tokens"}
              allowNegative={false}
              thousandSeparator=" "
            />
          ))}
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          {said("choice_help")}
        </Text>
        {conflict ? (
          <Alert color="orange" title={said("conflict")}>
            <Stack gap="xs">
              <SavedBy saved={conflict.detail.saved} />
              <Theirs choice={conflict.detail.theirs as ModelChoice} />
              <Group justify="flex-end">
                <Button
                  variant="default"
                  onClick={() => {
                    setChoice(conflict.detail.theirs as ModelChoice);
                    setSeen(String(conflict.detail.version));
                    choosing.reset();
                  }}
                >
                  {said("take_theirs")}
                </Button>
                <Button
                  onClick={() => {
                    setSeen(String(conflict.detail.version));
                    choosing.reset();
                  }}
                >
                  {said("keep_mine")}
                </Button>
              </Group>
            </Stack>
          </Alert>
        ) : (
          <>
            {fault && <Alert color="red">{errorText(say, fault)}</Alert>}
            <Missing names={[!isWhole && said(choice.url ? "name" : "url")]} />
            <Group justify="space-between">
              {state.is_chosen ? (
                <Button
                  variant="subtle"
                  color="gray"
                  disabled={choosing.isPending}
                  onClick={() => choosing.mutate(null)}
                >
                  {said("back_to_env")}
                </Button>
              ) : (
                <span />
              )}
              <Button
                disabled={!isWhole || !isChanged}
                loading={choosing.isPending}
                onClick={() => choosing.mutate(choice)}
              >
                {say("save")}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Dialog>
  );
}

function Theirs({ choice }: { choice: ModelChoice }) {
  const { say } = useTexts();
  const said = useModelTexts();
  const rows: [string, string | number][] = [
    [said("url"), choice.url || "–"],
    [said("name"), choice.model || "–"],
    [said("sources"), choice.sources.map((each) => sayIfKnown(say, `source.${each}`, each)).join(", ")],
    [said("temperature"), choice.temperature],
    ...NUMBERS.map((name): [string, number] => [said(`choice.${name}`), choice[name]]),
  ];
  return (
    <List size="sm">
      {rows.map(([name, value]) => (
        <List.Item key={name}>
          {name}: {value}
        </List.Item>
      ))}
    </List>
  );
}
