import {
  Alert,
  Anchor,
  Badge,
  Button,
  Code,
  Group,
  MultiSelect,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  TextInput,
} from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import {
  ask,
  get,
  type Calculator,
  type CalculatorInput,
  type Computed,
  type Dimension,
  type InputTest,
  type KeptCalculator,
  type KeptDraft,
  type Vocabulary,
  type CalculatorList,
  type SavedCalculator,
} from "../api";
import { sayIfKnown, useTexts, type Language, type Say } from "../texts";
import { PreviewButton } from "./ChannelPreview";
import { CheckedQuestions } from "./CheckedQuestions";
import { Clauses } from "./Clauses";
import { Invitations } from "./Invitations";
import { useKeeping, type Keeping } from "./keeping";
import { LinedText } from "./LinedText";
import { Markdown } from "./Markdown";
import { PublishButtons, usePublishing, type Publishing } from "./Publishing";
import { Removal } from "./Removal";
import { ReviewLine } from "./Review";
import { Back, Failed, errorText, tell, Waiting } from "./parts";
import { useMutation } from "./acting";
import { useAsking } from "./leaving";

interface Given {
  values: Record<string, string>;
  profile: Record<string, string>;
  compared: string[];
}

/** A calculator: a box to try it, its rule with the clauses, and its text to edit. */
export function CalculatorDetail({
  id,
  begun,
  mayWrite,
  leave,
}: {
  id: string;
  begun: KeptDraft<KeptCalculator> | undefined;
  mayWrite: boolean;
  leave: () => void;
}) {
  const { say } = useTexts();
  const [given, setGiven] = useState<Given>({ values: {}, profile: {}, compared: [] });
  const address = `/calculators/${encodeURIComponent(id)}`;
  const found = useQuery({ queryKey: ["calculator", id], queryFn: () => get<Calculator>(address) });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const calculator = found.data;
  return (
    <Stack gap="sm">
      <Back name="calculators.all" go={leave} />
      <div>
        <Text fw={600}>{calculator.question}</Text>
        <Text size="sm" c="dimmed">
          {`${calculator.id} · ${calculator.file}:${calculator.line}`}
        </Text>
        <ReviewLine review={calculator} />
      </div>
      {calculator.faulty && <Alert color="red">{say("calculators.faulty_text")}</Alert>}
      <Tabs defaultValue={begun ? "edit" : "try"} keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="try">{say("calculators.try")}</Tabs.Tab>
          <Tabs.Tab value="rule">{say("calculators.rule")}</Tabs.Tab>
          {mayWrite && <Tabs.Tab value="edit">{say("calculators.edit")}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="try">
          <TryBox {...{ calculator, address, given, setGiven, mayWrite }} />
        </Tabs.Panel>
        <Tabs.Panel value="rule">
          <Rule calculator={calculator} />
        </Tabs.Panel>
        {mayWrite && (
          <Tabs.Panel value="edit" keepMounted>
            <Stack gap="sm">
              <TextForm calculator={calculator} begun={begun} address={address} given={given} leave={leave} />
              <Removal
                name={calculator.question}
                remove={() => ask("POST", `${address}/removal`, { version: calculator.version })}
                removed={leave}
              />
            </Stack>
          </Tabs.Panel>
        )}
      </Tabs>
    </Stack>
  );
}

function TryBox({
  calculator,
  address,
  given,
  setGiven,
  mayWrite,
}: {
  calculator: Calculator;
  address: string;
  given: Given;
  setGiven: (given: Given) => void;
  mayWrite: boolean;
}) {
  const texts = useTexts();
  const { say, language } = texts;
  const known = useQuery({ queryKey: ["sources", ""], queryFn: () => get<Vocabulary>("/faq/sources") });
  const trying = useMutation({ mutationFn: () => ask<Computed>("POST", `${address}/try`, given) });
  const dimension = (id: string): Dimension | undefined =>
    known.data?.dimensions.find((each) => each.id === id);
  const named = (id: string) => {
    const each = dimension(id);
    return (language === "en" && each?.name_en) || each?.name || id;
  };
  const options = (id: string) =>
    dimension(id)?.values.map((each) => ({ value: each.id, label: each.name })) ?? [];
  const hint = (each: CalculatorInput) => when(texts, each, calculator.inputs, known.data?.dimensions ?? []);
  const set = (name: string, value: string) =>
    setGiven({ ...given, values: { ...given.values, [name]: value } });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        trying.mutate();
      }}
    >
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {calculator.inputs.map((each) =>
            each.dimension ? (
              <Select
                key={each.name}
                label={capital(named(each.dimension))}
                description={hint(each)}
                searchable
                clearable
                value={given.profile[each.dimension] ?? null}
                onChange={(value) =>
                  setGiven({ ...given, profile: { ...given.profile, [each.dimension]: value ?? "" } })
                }
                data={options(each.dimension)}
              />
            ) : each.choices.length ? (
              <Select
                key={each.name}
                label={each.ask || each.name}
                description={hint(each)}
                clearable
                value={given.values[each.name] || null}
                onChange={(value) => set(each.name, value ?? "")}
                data={each.choices.map((value) => ({
                  value,
                  label: sayIfKnown(say, `choice.${value}`, value),
                }))}
              />
            ) : (
              <TextInput
                key={each.name}
                label={each.ask || each.name}
                description={[range(say, each), hint(each)].filter(Boolean).join(" · ")}
                value={given.values[each.name] ?? ""}
                onChange={(event) => set(each.name, event.currentTarget.value)}
              />
            ),
          )}
          {calculator.compares && (
            <MultiSelect
              label={say("calculators.compared", { name: named(calculator.compares) })}
              description={say("calculators.compared_help")}
              searchable
              value={given.compared}
              onChange={(compared) => setGiven({ ...given, compared })}
              data={[
                { value: "lowest", label: say("choice.lowest") },
                { value: "highest", label: say("choice.highest") },
                ...options(calculator.compares),
              ]}
            />
          )}
        </SimpleGrid>
        <Group justify="end">
          <Button type="submit" loading={trying.isPending}>
            {say("calculators.compute")}
          </Button>
        </Group>
        {trying.error && <Alert color="red">{errorText(say, trying.error)}</Alert>}
        {trying.data && <Outcome computed={trying.data} inputs={calculator.inputs} />}
        {trying.data?.said && mayWrite && (
          <PreviewButton
            key={trying.data.said}
            question={calculator.question}
            answer={trying.data.said}
            sources={calculator.sources}
          />
        )}
      </Stack>
    </form>
  );
}

function Outcome({ computed, inputs }: { computed: Computed; inputs: CalculatorInput[] }) {
  const { say } = useTexts();
  const nameOf = (name: string) => {
    const input = inputs.find((each) => each.name === name);
    return input?.ask || sayIfKnown(say, `dimension.${name}`, name);
  };
  const { problems, unread = [], said, missing, wrong } = computed;
  const told = problems.length
    ? problems.map((each) => each.message).join("\n")
    : unread.length
      ? say("calculators.unread", { names: unread.map(nameOf).join(", ") })
      : wrong
        ? say("calculators.out_of_range", { name: nameOf(missing ?? ""), value: wrong })
        : missing
          ? say("calculators.missing", { name: nameOf(missing) })
          : said
            ? ""
            : say("calculators.no_case");
  return (
    <div data-testid="outcome">
      {told ? (
        <Alert color={problems.length ? "red" : "orange"} style={{ whiteSpace: "pre-wrap" }}>
          {told}
        </Alert>
      ) : (
        <div className="bubble">
          <Markdown text={said ?? ""} />
        </div>
      )}
    </div>
  );
}

function Rule({ calculator }: { calculator: Calculator }) {
  const texts = useTexts();
  const { say } = texts;
  const known = useQuery({ queryKey: ["sources", ""], queryFn: () => get<Vocabulary>("/faq/sources") });
  const { inputs, columns, where, steps, cases, facts, follows, clauses } = calculator;
  return (
    <Stack gap="md" data-testid="rule">
      {inputs.length > 0 && (
        <Part title={say("calculators.inputs")}>
          {inputs.map((each) => (
            <Paper key={each.name} withBorder p="xs">
              <Group gap="xs">
                <Code>{each.name}</Code>
                {each.units.map((unit) => (
                  <Badge key={unit} variant="light" tt="none">
                    {sayIfKnown(say, `unit.${unit}`, unit)}
                  </Badge>
                ))}
                {each.dimension && (
                  <Badge variant="light" color="grape" tt="none">
                    {say("calculators.of_profile", {
                      name: sayIfKnown(say, `dimension.${each.dimension}`, each.dimension),
                    })}
                  </Badge>
                )}
              </Group>
              <Text size="xs" c="dimmed">
                {[each.ask, range(say, each, false), when(texts, each, inputs, known.data?.dimensions ?? [])]
                  .filter(Boolean)
                  .join(" · ")}
              </Text>
            </Paper>
          ))}
        </Part>
      )}
      {columns.length > 0 && (
        <Part title={say("calculators.columns")}>
          {columns.map((each) => (
            <Named key={each.title} name={each.title} rule={each.rule} />
          ))}
          {where && <Named name={say("calculators.where")} rule={where} />}
        </Part>
      )}
      {steps.length > 0 && (
        <Part title={say("calculators.steps")}>
          {steps.map((each) => (
            <Named key={each.name} name={each.name} rule={each.rule} />
          ))}
        </Part>
      )}
      <Part title={say("calculators.cases")}>
        {cases.map((each, place) => (
          <Paper key={place} withBorder p="xs">
            <Text size="xs" c="dimmed">
              {each.when === "True" ? say("calculators.otherwise") : say("calculators.if")}{" "}
              {each.when !== "True" && <Code>{each.when}</Code>}
            </Text>
            <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              {each.say}
            </Text>
          </Paper>
        ))}
      </Part>
      {facts.length > 0 && (
        <Part title={say("calculators.facts")}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={4} mah="14rem" style={{ overflowY: "auto" }}>
            {facts.map((each) => (
              <Text key={each.name} size="sm" style={{ overflowWrap: "anywhere" }}>
                <Anchor component={Link} to={`/facts/${encodeURIComponent(each.name)}`} size="sm">
                  {each.name.replace(/^facts\./, "")}
                </Anchor>
                : {each.value}
              </Text>
            ))}
          </SimpleGrid>
        </Part>
      )}
      {follows.length > 0 && (
        <Part title={say("calculators.follows")}>
          {follows.map((each) => (
            <Text key={each.id} size="sm">
              {each.question}{" "}
              <Text span size="xs" c="dimmed">
                {each.id}
              </Text>
            </Text>
          ))}
        </Part>
      )}
      <Clauses clauses={clauses} />
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <Stack gap={6}>{children}</Stack>
    </div>
  );
}

function Named({ name, rule }: { name: string; rule: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Code block>{rule}</Code>
    </div>
  );
}

function TextForm({
  calculator,
  begun,
  address,
  given,
  leave,
}: {
  calculator: Calculator;
  begun: KeptDraft<KeptCalculator> | undefined;
  address: string;
  given: Given;
  leave: () => void;
}) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const go = useNavigate();
  const [text, setText] = useState(begun?.draft.text ?? calculator.text);
  const [version, setVersion] = useState(begun?.draft.seen ?? calculator.version);
  const [saved, setSaved] = useState(calculator.text);
  const latest = () => get<Calculator>(address);
  const keeping = useKeeping<KeptCalculator>({
    begun,
    draft: { kind: "calculator", calculator_id: calculator.id, text, seen: version },
    told: (draft) => ({ [say("calculators.text")]: draft.text }),
    fill: (draft) => {
      setText(draft.text);
      setVersion(draft.seen);
    },
    discarded: leave,
  });
  const editing = usePublishing(
    () => ask<Computed>("POST", `${address}/try`, { ...given, version, text }),
    async () => ({
      sent: text,
      ...(await keeping.publish((of) => ask<SavedCalculator>("PUT", address, { version, text, ...of }))),
    }),
    async ({ id, sent }) => {
      tell(say("calculators.published"));
      editing.trying.reset();
      if (id !== calculator.id) {
        void queries.invalidateQueries();
        end();
        void go(`/facts/${encodeURIComponent(id)}`);
        return;
      }
      const now = await latest();
      setVersion(now.version);
      setSaved(now.text);
      // What was written while it was published stays.
      setText((written) => (written === sent ? now.text : written));
      void queries.invalidateQueries();
    },
    {
      title: say("calculators.conflict"),
      mine: text,
      latest,
      see: (now) => {
        setVersion(now.version);
        setSaved(now.text);
      },
      load: (now) => setText(now.text),
    },
  );
  const isNew = text.trimEnd() !== saved;
  const end = useAsking(isNew && keeping.isChanged);
  if (editing.conflict ?? keeping.conflict) return editing.conflict ?? keeping.conflict;
  return (
    <TextEditor
      help={say("calculators.edit_help")}
      text={text}
      set={(changed) => {
        setText(changed);
        editing.reset();
      }}
      isNew={isNew}
      inputs={calculator.inputs}
      editing={editing}
      keeping={keeping}
    >
      <Invitations draft={isNew ? { kind: "calculator", calculator_id: calculator.id, text } : null} />
    </TextEditor>
  );
}

interface NewForm {
  begun: KeptDraft<KeptCalculator> | undefined;
  /** Whether the calculator that the draft changes is gone. */
  isOfGone: boolean;
  added: (id: string) => void;
  leave: () => void;
}

/** A calculator to add, which begins as the template with its explanations. */
export function NewCalculator(form: NewForm) {
  const known = useQuery({
    queryKey: ["calculators"],
    queryFn: () => get<CalculatorList>("/calculators"),
  });
  if (known.isPending) return <Waiting />;
  if (known.error) return <Failed error={known.error} retry={() => void known.refetch()} />;
  return <NewText template={known.data.template} {...form} />;
}

function NewText({ template, begun, isOfGone, added, leave }: NewForm & { template: string }) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const [text, setText] = useState(begun?.draft.text ?? template);
  const keeping = useKeeping<KeptCalculator>({
    begun,
    draft: { kind: "calculator", calculator_id: "", text, seen: "" },
    told: (draft) => ({ [say("calculators.text")]: draft.text }),
    fill: (draft) => setText(draft.text),
    discarded: leave,
    isOfGone,
  });
  const editing = usePublishing(
    () => ask<Computed>("POST", "/calculators/try", { text }),
    () => keeping.publish((of) => ask<SavedCalculator>("POST", "/calculators", { text, ...of })),
    ({ id }) => {
      tell(say("calculators.added"));
      void queries.invalidateQueries();
      end();
      added(id);
    },
  );
  const end = useAsking(text !== template && keeping.isChanged);
  if (keeping.conflict) return keeping.conflict;
  return (
    <TextEditor
      help={say("calculators.new_help")}
      text={text}
      set={(changed) => {
        setText(changed);
        editing.reset();
      }}
      isNew={text.trim() !== ""}
      inputs={[]}
      editing={editing}
      keeping={keeping}
    />
  );
}

/** The text of a calculator with its faults, to check and to publish. */
function TextEditor({
  help,
  text,
  set,
  isNew,
  inputs,
  editing,
  keeping,
  children,
}: {
  help: string;
  text: string;
  set: (text: string) => void;
  isNew: boolean;
  inputs: CalculatorInput[];
  editing: Publishing<Computed>;
  keeping: Keeping;
  /** Further buttons. */
  children?: React.ReactNode;
}) {
  const { say } = useTexts();
  const tried = editing.trying.data;
  return (
    <Stack gap="sm">
      {keeping.state}
      <Text size="xs" c="dimmed">
        {help}
      </Text>
      <LinedText label={say("calculators.text")} value={text} set={set} faults={tried?.problems ?? []} />
      <PublishButtons
        attempt={say("calculators.check")}
        isNew={isNew}
        mayPublish={!tried?.problems.length}
        of={editing}
      >
        {children}
        {keeping.button(isNew)}
      </PublishButtons>
      {tried && tried.problems.length === 0 && (
        <>
          <Alert color="green">{say("calculators.fine")}</Alert>
          <Outcome computed={tried} inputs={tried.inputs ?? inputs} />
          {tried.said && <PreviewButton key={tried.said} answer={tried.said} />}
          {tried.checked && <CheckedQuestions checked={tried.checked} />}
        </>
      )}
    </Stack>
  );
}

/** The units and the limits of a number. */
function range(say: Say, each: CalculatorInput, withUnits = true): string {
  const units = withUnits ? each.units.map((unit) => sayIfKnown(say, `unit.${unit}`, unit)).join(", ") : "";
  const limits =
    each.least !== null && each.most !== null
      ? say("calculators.range", { least: each.least, most: each.most })
      : each.least !== null
        ? say("calculators.least", { least: each.least })
        : each.most !== null
          ? say("calculators.most", { most: each.most })
          : "";
  const whole = each.whole ? say("calculators.whole") : "";
  const many = each.many ? say("calculators.many") : "";
  return [units, limits, whole, many].filter(Boolean).join(" · ");
}

/** What happens without a value, and when one is needed, in words. */
function when(
  { say, language }: { say: Say; language: Language },
  input: CalculatorInput,
  inputs: CalculatorInput[],
  dimensions: Dimension[],
): string {
  const valueOf = (name: string, value: string) => {
    const dimension = inputs.find((each) => each.name === name)?.dimension;
    const chosen = dimensions.find(({ id }) => id === dimension)?.values.find(({ id }) => id === value);
    // "3.2" is written as the page's language writes it.
    const told = /^-?\d+\.\d+$/.test(value) ? Number(value).toLocaleString(language) : value;
    return chosen?.name ?? sayIfKnown(say, `choice.${value}`, told);
  };
  const nameOf = (name: string) => {
    const known = inputs.find((each) => each.name === name);
    const unit = known?.units[0];
    if (unit) return sayIfKnown(say, `unit.${unit}`, unit);
    return sayIfKnown(say, `dimension.${known?.dimension ?? name}`, name);
  };
  const test = ({ input: name, holds, value }: InputTest) => {
    const known = value ? holds : holds === "is" ? "unknown" : "known";
    return say(`calculators.test.${known}`, { name: nameOf(name), value: valueOf(name, value) });
  };
  const { default: without, only_if } = input;
  const needed =
    only_if === null
      ? say("calculators.sometimes")
      : only_if.tests.length > 0 &&
        say("calculators.only_if", {
          rule: only_if.tests.map(test).join(say(only_if.is_any ? "calculators.or" : "calculators.and")),
        });
  const left =
    without === ""
      ? say("calculators.may_lack")
      : without !== null && say("calculators.default", { value: valueOf(input.name, without) });
  return [left, needed].filter(Boolean).join(" · ");
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
