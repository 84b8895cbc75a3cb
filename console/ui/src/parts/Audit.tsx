import { Anchor, Badge, Button, Group, Select, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { get, withQuery, WITHOUT, type Noted, type PeopleList } from "../api";
import { vi } from "../locales/vi";
import { sayIfKnown, timeText, useTexts, type Say } from "../texts";
import { DateField } from "./DateField";
import { dayEnd, dayStart } from "./day_times";
import { modelName } from "./model_name";
import { download, Failed, More, tellError, Waiting } from "./parts";
import { useMutation } from "./acting";

type Names = Record<string, string>;

/** The kind of what an action is about, where its target is an id. */
const KINDS: Record<string, string> = {
  publish: "entry",
  publish_many: "entry",
  merge_entries: "entry",
  remove_entry: "entry",
  entries_differ: "entry",
  entries_alike: "entry",
  change_document: "document",
  publish_document: "document",
  remove_document: "document",
  add_calculator: "calculator",
  change_calculator: "calculator",
  remove_calculator: "calculator",
  add_topic: "topic",
  change_topic: "topic",
  remove_topic: "topic",
  add_person: "person",
  change_person: "person",
  reset_second_factor: "person",
  unlink: "person",
};

/** Where the target of an action can be looked at. */
const PLACES: Record<string, (target: string) => string> = {
  change_document: (id) => `/documents/${encodeURIComponent(id)}`,
  publish_document: (id) => `/documents/${encodeURIComponent(id)}`,
  change_fact: (name) => `/facts/${encodeURIComponent(name)}`,
  add_fact: (name) => `/facts/${encodeURIComponent(name)}`,
  take: (number) => `/inbox/${number}`,
  reply: (number) => `/inbox/${number}`,
  note: (number) => `/inbox/${number}`,
  hand_on: (number) => `/inbox/${number}`,
  give_back: (number) => `/inbox/${number}`,
  read_conversation: (number) => `/conversations/${number}`,
  restore: (commit) => `/versions/${commit}`,
  undo: (commit) => `/versions/${commit}`,
};

/** The actions whose target is the file of a model. */
const ABOUT_MODELS = ["promote", "roll_back", "discard_model"];

interface LogPage {
  entries: Noted[];
  names: Names;
}

const PAGE = 100;

const nextOf = ({ entries }: LogPage) => (entries.length === PAGE ? entries.at(-1)?.id : undefined);

/** What the log is narrowed to; "" is all. */
interface Filters {
  login: string;
  action: string;
  since: string;
  until: string;
}

const NONE: Filters = { login: "", action: "", since: "", until: "" };

const isNarrowed = (filters: Filters) => Object.values(filters).some(Boolean);

/** In the place of an action: all requests that were refused, which have no name of their own. */
const REFUSED = "refused";

const DID = "audit.did.";
const ACTIONS = Object.keys(vi)
  .filter((key) => key.startsWith(DID))
  .map((key) => key.slice(DID.length));

const pageBefore = ({ login, action, since, until }: Filters, before: number | undefined) =>
  get<LogPage>(
    withQuery("/audit", {
      login,
      ...(action === REFUSED ? { refused: "true" } : { action }),
      since: dayStart(since),
      until: dayEnd(until),
      before,
    }),
  );

/** Return all that the filters leave of the log as a table in the reader's language. */
async function wholeLog(say: Say, filters: Filters): Promise<string[][]> {
  const rows = [(["at", "who", "what", "about", "detail"] as const).map((name) => say(`audit.${name}`))];
  let before: number | undefined;
  do {
    const page = await pageBefore(filters, before);
    for (const each of page.entries)
      rows.push([
        new Date(each.at * 1000).toISOString(),
        each.login,
        `${actionText(say, each)}${each.allowed ? "" : ` (${say("audit.refused")})`}`,
        targetText(say, each, page.names),
        [...detailTexts(say, each.detail, page.names), each.detail.commit].filter(Boolean).join(" · "),
      ]);
    before = nextOf(page);
  } while (before !== undefined);
  return rows;
}

/** What was done, by whom and when, the newest first. */
export function Audit() {
  const { say } = useTexts();
  const [filters, setFilters] = useState(NONE);
  const [wanted] = useDebouncedValue(filters, 250);
  const saving = useMutation({
    mutationFn: () => wholeLog(say, filters),
    onSuccess: (rows) => download("covan-audit", rows),
    onError: (error) => tellError(say, error),
  });
  return (
    <Stack>
      <FilterRow filters={filters} set={setFilters} />
      <Group justify="end" gap="xs">
        {isNarrowed(filters) && (
          <Button size="xs" variant="subtle" onClick={() => setFilters(NONE)}>
            {say("conv.clear")}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() => saving.mutate()}
          loading={saving.isPending}
        >
          {say("today.export")}
        </Button>
      </Group>
      <Log filters={wanted} />
    </Stack>
  );
}

function FilterRow({ filters, set }: { filters: Filters; set: (filters: Filters) => void }) {
  const { say } = useTexts();
  const known = useQuery({ queryKey: ["people"], queryFn: () => get<PeopleList>("/people") });
  const change = (changed: Partial<Filters>) => set({ ...filters, ...changed });
  const day = (name: "since" | "until") => (
    <DateField
      size="xs"
      label={say(`conv.${name}`)}
      value={filters[name]}
      set={(value) => change({ [name]: value })}
    />
  );
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="xs">
      <Select
        size="xs"
        label={say("audit.who")}
        placeholder={say("all")}
        clearable
        searchable
        value={filters.login || null}
        onChange={(login) => change({ login: login ?? "" })}
        data={[
          ...(known.data?.people.map(({ login, name }) => ({ value: login, label: name })) ?? []),
          { value: WITHOUT, label: say("audit.nobody") },
        ]}
      />
      <Select
        size="xs"
        label={say("audit.what")}
        placeholder={say("all")}
        clearable
        searchable
        value={filters.action || null}
        onChange={(action) => change({ action: action ?? "" })}
        data={[
          { value: REFUSED, label: say("audit.refused") },
          ...ACTIONS.map((action) => ({ value: action, label: sayIfKnown(say, `${DID}${action}`, action) })),
        ]}
      />
      {day("since")}
      {day("until")}
    </SimpleGrid>
  );
}

function Log({ filters }: { filters: Filters }) {
  const { say, language } = useTexts();
  const found = useInfiniteQuery({
    queryKey: ["audit", filters],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam }) => pageBefore(filters, pageParam),
    getNextPageParam: nextOf,
    placeholderData: keepPreviousData,
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const entries = found.data.pages.flatMap((page) => page.entries);
  const names: Names = Object.assign({}, ...found.data.pages.map((page) => page.names));
  return (
    <Stack>
      {entries.length === 0 && (
        <Text c="dimmed">{say(isNarrowed(filters) ? "nothing_found" : "audit.empty")}</Text>
      )}
      <Table verticalSpacing={5} className="stacked">
        <Table.Thead>
          <Table.Tr>
            {(["at", "who", "what", "detail"] as const).map((name) => (
              <Table.Th key={name}>{say(`audit.${name}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((each) => (
            <Table.Tr key={each.id} data-testid="noted">
              <Table.Td style={{ whiteSpace: "nowrap" }}>{timeText(each.at, language)}</Table.Td>
              <Table.Td title={each.login}>
                {each.login ? (names[`person/${each.login}`] ?? each.login) : say("audit.nobody")}
              </Table.Td>
              <Table.Td>
                {actionText(say, each)}
                <Target noted={each} names={names} />{" "}
                {!each.allowed && (
                  <Badge color="red" variant="light" tt="none">
                    {say("audit.refused")}
                  </Badge>
                )}
              </Table.Td>
              <Table.Td c="dimmed">
                {detailTexts(say, each.detail, names).join(" · ")}
                {typeof each.detail.commit === "string" && each.detail.commit && (
                  <>
                    {" "}
                    <Anchor component={Link} to={`/versions/${each.detail.commit}`} size="sm">
                      {say("audit.look")}
                    </Anchor>
                  </>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <More list={found} />
    </Stack>
  );
}

/** The method and the first part of the address of a refused request; undefined for what was done in the console. */
function requested(action: string): { changes: boolean; place: string } | undefined {
  const [, method, place] = /^([A-Z]+) \/api\/([^/]*)/.exec(action) ?? [];
  return method === undefined ? undefined : { changes: method !== "GET", place: place ?? "" };
}

function actionText(say: Say, { action }: Noted): string {
  const request = requested(action);
  if (!request) return sayIfKnown(say, `audit.did.${action}`, action);
  const place = sayIfKnown(say, `audit.place.${request.place}`, request.place);
  return say(request.changes ? "audit.wanted_to_change" : "audit.wanted_to_see", { place });
}

/** The name of what an action is about, "" without one. */
function targetText(say: Say, { action, target, detail }: Noted, names: Names): string {
  // Of labels, the details tell the intents; the target is the file that they went to.
  if (!target || action === "label") return "";
  const kind = KINDS[action];
  const [section] = target.split("/");
  if (action === "restore" || action === "undo") return say("audit.version");
  if (action.endsWith("_canned_reply")) return String(detail.title ?? "");
  if (ABOUT_MODELS.includes(action)) return modelName(target);
  return (
    names[kind ? `${kind}/${target}` : target] ??
    sayIfKnown(say, action.endsWith("_catalogue") ? `section.${section}` : "", target)
  );
}

function Target({ noted, names }: { noted: Noted; names: Names }) {
  const { say } = useTexts();
  const { action, target } = noted;
  const known = targetText(say, noted, names);
  if (!known) return null;
  const place = PLACES[action]?.(target);
  return (
    <>
      :{" "}
      {place ? (
        <Anchor component={Link} to={place} size="sm" title={target}>
          {known}
        </Anchor>
      ) : (
        <span title={target}>{known}</span>
      )}
    </>
  );
}

/** What else is told of an action, in words. */
function detailTexts(say: Say, detail: Noted["detail"], names: Names): string[] {
  return Object.entries(detail).flatMap(([name, value]) => {
    const told = detailText(say, name, value, names);
    return told ? [told] : [];
  });
}

function detailText(say: Say, name: string, value: unknown, names: Names): string {
  const among = (start: string) => sayIfKnown(say, `${start}.${String(value)}`, String(value));
  if (name === "commit" || name === "title" || name === "called" || value === "" || value === 0) return "";
  if (name === "why") return sayIfKnown(say, `audit.why.${String(value)}`, among("error"));
  if (name === "factor") return among("audit.factor");
  if (name === "reply") return among("audit.reply");
  if (name === "active") return say(value ? "people.unlock" : "people.lock");
  if (name === "is_live") return value ? "" : say("audit.not_running");
  if (name === "password") return say("audit.password");
  if (name === "told" && typeof value === "string") return value;
  return say("audit.told", {
    name: sayIfKnown(say, `audit.detail.${name}`, name),
    value: valueText(say, name, value, names),
  });
}

function valueText(say: Say, name: string, value: unknown, names: Names): string {
  const named = (each: string) =>
    name === "roles"
      ? sayIfKnown(say, `role.${each}`, each)
      : (names[`office/${each}`] ?? names[`intent/${each}`] ?? sayIfKnown(say, `intent.${each}`, each));
  if (Array.isArray(value)) return value.map((each) => named(String(each))).join(", ") || say("audit.none");
  if (value !== null && typeof value === "object")
    return Object.entries(value)
      .map(([each, count]) => `${named(each)} (${String(count)})`)
      .join(", ");
  return String(value);
}
