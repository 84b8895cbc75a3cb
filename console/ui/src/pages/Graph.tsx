import {
  Anchor,
  Badge,
  Blockquote,
  Button,
  Group,
  MultiSelect,
  Paper,
  Select,
  Stack,
  Table,
  Tabs,
  Text,
  Title,
} from "@mantine/core";
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { IconAffiliate, IconCheck, IconFileText, IconZoomOut } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router-dom";
import { Dialog } from "../parts/Dialog";
import { colourOf, safeUrl } from "../../../../widget/src/graph/data";
import {
  get,
  withQuery,
  type GraphOverview,
  type GraphPassage,
  type GraphProblems,
  type Neighbours,
  type Place,
  type ShownNode,
  type NodeList,
} from "../api";
import type { Step } from "../parts/GraphPicture";
import { Back, Empty, Failed, Page, Waiting } from "../parts/parts";
import { sayOfGraph, useGraphTexts } from "../parts/graph_texts";
import { byName, useTexts } from "../texts";
import { ListRow } from "../parts/ListRow";
import { SearchBox } from "../parts/SearchBox";

const GraphPicture = lazy(() => import("../parts/GraphPicture"));

/** What is listed before anything is searched for. */
const FIRST_TYPES = ["Category", "Office"];
const FEW = 8;

type Words = (kind: "type" | "relation" | "property", name: string) => string;

/** The type of a node with its colour in the picture. */
type TypeOf = (type: string) => ReactNode;

export default function Graph() {
  const { language } = useTexts();
  const say = useGraphTexts();
  const [tab, setTab] = useState<string | null>("graph");
  const found = useQuery({ queryKey: ["graph"], queryFn: () => get<GraphOverview>("/graph") });
  const problems = useQuery({
    queryKey: ["graph", "problems"],
    queryFn: () => get<GraphProblems>("/graph/problems"),
    enabled: found.data?.fault === "",
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const { fault, nodes, edges, words } = found.data;
  if (fault)
    return (
      <Page title={say("title")}>
        <Empty icon={<IconAffiliate />} title={say("none")} text={say("none_text")}>
          <Text size="xs" c="dimmed">
            {fault}
          </Text>
        </Empty>
      </Page>
    );
  const name: Words = (kind, id) => words[language]?.[`${kind}_${id}`] ?? id;
  const count = problems.data?.problems.length ?? 0;
  return (
    <Page title={say("title")} intro={say("intro", { nodes, edges })}>
      <Tabs value={tab} onChange={setTab}>
        <Tabs.List mb="md">
          <Tabs.Tab value="graph">{say("tab")}</Tabs.Tab>
          <Tabs.Tab
            value="problems"
            rightSection={
              count > 0 && (
                <Badge size="sm" color="orange" variant="filled" circle={count < 10}>
                  {count}
                </Badge>
              )
            }
          >
            {say("problems_tab")}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="graph">
          <Finder overview={found.data} name={name} />
        </Tabs.Panel>
        <Tabs.Panel value="problems">
          {problems.isPending ? (
            <Waiting />
          ) : problems.error ? (
            <Failed error={problems.error} retry={() => void problems.refetch()} />
          ) : (
            <Problems found={problems.data} name={name} go={() => setTab("graph")} />
          )}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Finder({ overview, name }: { overview: GraphOverview; name: Words }) {
  const say = useGraphTexts();
  const { id } = useParams();
  const go = useNavigate();
  const [text, setText] = useState("");
  const [types, setTypes] = useState<string[]>([]);
  const [topic, setTopic] = useState<string | null>(null);
  const [step, setStep] = useState<Step>();
  const [wanted] = useDebouncedValue(text.trim(), 200);
  const known = Object.keys(overview.types).sort();
  const first = FIRST_TYPES.filter((type) => known.includes(type));
  const asked = wanted || types.length || topic ? types : first;
  const query = new URLSearchParams(asked.map((type) => ["types", type]));
  if (wanted) query.set("text", wanted);
  if (topic) query.set("topic", topic);
  const found = useQuery({
    queryKey: ["graph", "nodes", String(query)],
    queryFn: () => get<NodeList>(`/graph/nodes?${query}`),
    placeholderData: keepPreviousData,
  });
  const typeOf = (type: string) => (
    <Text size="xs" c="dimmed" span>
      <span className="swatch" style={{ background: colourOf(type, known) }} />
      {name("type", type)}
    </Text>
  );
  const open = (next: Step) => {
    setStep(next);
    void go(addressOf(next.id), { replace: next.id === id });
  };
  return (
    <div className={`two${id ? " open" : ""}`}>
      <Stack gap="sm" className="list">
        <SearchBox label={say("search")} value={text} set={setText} />
        <MultiSelect
          label={say("types")}
          placeholder={types.length ? "" : say("every_type")}
          searchable
          clearable
          value={types}
          onChange={setTypes}
          data={known
            .map((type) => ({ value: type, label: `${name("type", type)} (${overview.types[type]})` }))
            .sort((one, other) => byName(one.label, other.label))}
        />
        <Select
          label={say("topic")}
          placeholder={say("every_topic")}
          searchable
          clearable
          value={topic}
          onChange={setTopic}
          data={overview.topics.map((each) => ({ value: each.id, label: each.name }))}
        />
        {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
        {found.data?.count === 0 && (
          <Empty icon={<IconZoomOut />} title={say("nothing")} text={say("nothing_text")} />
        )}
        <Stack gap={4} data-testid="found">
          {found.data?.nodes.map((node) => (
            <ListRow
              key={node.id}
              px="sm"
              py={6}
              chosen={node.id === id}
              open={() => open({ id: node.id, way: "focus" })}
            >
              <Text size="sm" fw={550} lineClamp={2}>
                {node.name}
              </Text>
              {typeOf(node.type)}
            </ListRow>
          ))}
        </Stack>
        {found.data && found.data.count > found.data.nodes.length && (
          <Text size="xs" c="dimmed">
            {say("more_found", { n: found.data.count - found.data.nodes.length })}
          </Text>
        )}
      </Stack>
      <div className="detail">
        {id ? (
          <Shown
            id={id}
            step={step?.id === id ? step : undefined}
            types={known}
            shown={types}
            name={name}
            typeOf={typeOf}
            open={open}
            leave={() => void go("/graph")}
          />
        ) : (
          <Empty icon={<IconAffiliate />} title={say("choose")} text={say("choose_text")} />
        )}
      </div>
    </div>
  );
}

function Shown({
  id,
  step,
  types,
  shown,
  name,
  typeOf,
  open,
  leave,
}: {
  id: string;
  step: Step | undefined;
  types: string[];
  shown: string[];
  name: Words;
  typeOf: TypeOf;
  open: (step: Step) => void;
  leave: () => void;
}) {
  const say = useGraphTexts();
  const isWide = useMediaQuery("(min-width: 62em)", true);
  const found = useQuery({
    queryKey: ["graph", "node", id],
    queryFn: () => get<ShownNode>(withQuery("/graph/node", { id })),
    placeholderData: keepPreviousData,
  });
  const [place, setPlace] = useState<Place>();
  const way = useMemo<Step>(() => step ?? { id, way: "focus" }, [step, id]);
  if (found.isPending) return <Waiting />;
  if (found.error)
    return (
      <Stack>
        <Back name="graph.all" go={leave} />
        <Failed error={found.error} retry={() => void found.refetch()} />
      </Stack>
    );
  const node = found.data;
  return (
    <Stack gap="sm">
      <Back name="graph.all" go={leave} />
      {isWide && (
        <Paper withBorder>
          <Suspense fallback={<Waiting />}>
            <GraphPicture
              node={node}
              step={way}
              types={types}
              shown={shown}
              relationName={(relation) => name("relation", relation)}
              open={open}
            />
          </Suspense>
        </Paper>
      )}
      <Paper withBorder p="md" data-testid="node">
        <Stack gap="sm">
          <Group justify="space-between" align="start" wrap="nowrap">
            <div>
              {typeOf(node.type)}
              <Title order={3} size="h4" mt={4} style={{ overflowWrap: "anywhere" }}>
                {node.name}
              </Title>
            </div>
            {isWide && (
              <Button
                size="xs"
                variant="light"
                style={{ flexShrink: 0 }}
                onClick={() => open({ id: node.id, way: "expand" })}
              >
                {say("expand")}
              </Button>
            )}
          </Group>
          <Facts node={node} name={name} />
          {node.text && (
            <Blockquote p="sm" fz="sm" style={{ whiteSpace: "pre-line" }}>
              {node.text}
            </Blockquote>
          )}
          <Group gap={6}>
            <Text size="sm" c="dimmed">
              {say("source")}:
            </Text>
            <Cited place={node.place} open={setPlace} />
          </Group>
          {node.around.length === 0 && (
            <Text size="sm" c="dimmed">
              {say("alone")}
            </Text>
          )}
          {node.around.map((each) => (
            <Related
              key={`${node.id} ${each.relation} ${each.is_out}`}
              related={each}
              name={name}
              typeOf={typeOf}
              go={(other) => open({ id: other, way: "select" })}
              cite={setPlace}
            />
          ))}
        </Stack>
      </Paper>
      {place && <PassageOf place={place} close={() => setPlace(undefined)} />}
    </Stack>
  );
}

function Facts({ node, name }: { node: ShownNode; name: Words }) {
  const say = useGraphTexts();
  const valid = [
    node.effective_from && say("from", { day: node.effective_from }),
    node.effective_to && say("to", { day: node.effective_to }),
  ];
  const rows: [string, string][] = [
    [say("names"), node.names.join(", ")],
    ...Object.entries(node.properties).map(([key, value]): [string, string] => [
      name("property", key),
      String(value),
    ]),
    [say("topic"), node.topics.join(", ")],
    [say("valid"), valid.filter(Boolean).join(", ")],
    [say("found_by"), sayOfGraph(say, `found_by.${node.found_by}`, node.found_by)],
  ];
  return (
    <Table verticalSpacing={3} withRowBorders={false} layout="fixed">
      <Table.Tbody>
        {rows
          .filter(([, value]) => value)
          .map(([key, value]) => (
            <Table.Tr key={key}>
              <Table.Td w={120} c="dimmed" style={{ verticalAlign: "top" }}>
                {key}
              </Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

function Related({
  related,
  name,
  typeOf,
  go,
  cite,
}: {
  related: Neighbours;
  name: Words;
  typeOf: TypeOf;
  go: (id: string) => void;
  cite: (place: Place) => void;
}) {
  const say = useGraphTexts();
  const [isWhole, setWhole] = useState(false);
  const relation = name("relation", related.relation);
  const nodes = isWhole ? related.nodes : related.nodes.slice(0, FEW);
  return (
    <div data-testid="related">
      <Text fw={600} size="sm" mb={2}>
        {related.is_out ? `${relation} →` : `← ${relation}`}
      </Text>
      <Stack gap={4}>
        {nodes.map((node, place) => (
          <div key={`${node.id} ${place}`}>
            <Group gap="xs" align="baseline">
              <Anchor component="button" type="button" size="sm" ta="start" onClick={() => go(node.id)}>
                {node.name}
              </Anchor>
              {typeOf(node.type)}
            </Group>
            {node.place && <Cited place={node.place} open={cite} />}
          </div>
        ))}
      </Stack>
      {nodes.length < related.nodes.length && (
        <Button size="compact-xs" variant="subtle" mt={4} onClick={() => setWhole(true)}>
          {say("show_all", { n: related.nodes.length })}
        </Button>
      )}
    </div>
  );
}

/** A place; a button where the passage can be opened. */
function Cited({ place, open }: { place: Place; open: (place: Place) => void }) {
  const say = useGraphTexts();
  const name = [place.title, place.locator].filter(Boolean).join(", ");
  const url = safeUrl(place.url);
  if (place.passage)
    return (
      <Anchor
        component="button"
        type="button"
        size="xs"
        c="dimmed"
        ta="start"
        td="underline"
        aria-label={say("open_place", { place: name })}
        onClick={() => open(place)}
      >
        {name}
      </Anchor>
    );
  return url ? (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" size="xs" c="dimmed" td="underline">
      {name}
    </Anchor>
  ) : (
    <Text size="xs" c="dimmed" span>
      {name}
    </Text>
  );
}

function PassageOf({ place, close }: { place: Place; close: () => void }) {
  const say = useGraphTexts();
  const found = useQuery({
    queryKey: ["graph", "passage", place.passage],
    queryFn: () => get<GraphPassage>(withQuery("/graph/passage", { id: place.passage })),
  });
  const isPhone = useMediaQuery("(max-width: 48em)", false);
  return (
    <Dialog opened onClose={close} title={place.title} size="lg" fullScreen={isPhone}>
      {found.isPending ? (
        <Waiting />
      ) : found.error ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : (
        <Stack gap="sm" data-testid="passage">
          <Text size="sm" fw={600}>
            {[...found.data.context, found.data.locator].filter(Boolean).join(" · ")}
          </Text>
          <Blockquote p="sm" fz="sm" style={{ whiteSpace: "pre-line" }}>
            {found.data.text}
          </Blockquote>
          <Group gap="xs">
            <Button
              component={Link}
              to={`/documents/${encodeURIComponent(found.data.document)}`}
              variant="light"
              size="xs"
              leftSection={<IconFileText size={14} />}
            >
              {say("open_document")}
            </Button>
            {safeUrl(found.data.url) && (
              <Button
                component="a"
                href={safeUrl(found.data.url)}
                target="_blank"
                rel="noopener noreferrer"
                variant="default"
                size="xs"
              >
                {say("open_web")}
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

function Problems({ found, name, go }: { found: GraphProblems; name: Words; go: () => void }) {
  const say = useGraphTexts();
  const [isOpen, setOpen] = useState(false);
  const kinds = [...new Set(found.problems.map(({ check }) => check))];
  return (
    <Stack gap="md">
      {kinds.length === 0 && <Empty icon={<IconCheck />} title={say("fine")} text={say("fine_text")} />}
      {kinds.map((kind) => (
        <Paper key={kind} withBorder p="md" data-testid="problems">
          <Text fw={600}>{sayOfGraph(say, `check.${kind}`, kind)}</Text>
          <Text size="sm" c="dimmed" mb="xs">
            {sayOfGraph(say, `check_help.${kind}`, "")}
          </Text>
          <Stack gap="xs">
            {found.problems
              .filter(({ check }) => check === kind)
              .map(({ about, message, node, entry, office }, place) => (
                <div key={`${about} ${place}`}>
                  <Group gap="xs" align="baseline">
                    {entry ? (
                      <Anchor component={Link} to={`/faq/${encodeURIComponent(entry)}`} size="sm">
                        {about}
                      </Anchor>
                    ) : office ? (
                      <Anchor
                        component={Link}
                        to={`/topics/${encodeURIComponent(`office~${office}`)}`}
                        size="sm"
                      >
                        {about}
                      </Anchor>
                    ) : node ? (
                      <Anchor component={Link} to={addressOf(node.id)} size="sm" onClick={go}>
                        {node.name}
                      </Anchor>
                    ) : (
                      <Text size="sm">{about}</Text>
                    )}
                    {node && (
                      <Badge size="xs" variant="default" tt="none" fw={400}>
                        {name("type", node.type)}
                      </Badge>
                    )}
                  </Group>
                  <Text size="sm" c="dimmed">
                    {message}
                  </Text>
                </div>
              ))}
          </Stack>
        </Paper>
      ))}
      {found.left_out_count > 0 && (
        <Paper withBorder p="md">
          <Text fw={600}>{say("left_out", { n: found.left_out_count })}</Text>
          <Text size="sm" c="dimmed">
            {say("left_out_text")}
          </Text>
          {isOpen ? (
            <Stack gap={4} mt="xs">
              {found.left_out.map((line, place) => (
                <Text key={place} size="xs" style={{ overflowWrap: "anywhere" }}>
                  {line}
                </Text>
              ))}
            </Stack>
          ) : (
            <Button size="compact-xs" variant="subtle" mt={4} onClick={() => setOpen(true)}>
              {say("show_all", { n: found.left_out.length })}
            </Button>
          )}
        </Paper>
      )}
    </Stack>
  );
}

const addressOf = (id: string) => `/graph/${encodeURIComponent(id)}`;
