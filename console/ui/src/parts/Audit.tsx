import { Anchor, Badge, Button, Stack, Table, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { get, withQuery, type Noted } from "../api";
import { sayIfKnown, timeText, useTexts, type Say } from "../texts";
import { download, Failed, More, tellError, Waiting } from "./parts";
import { useMutation } from "./acting";

type Names = Record<string, string>;

/** The kind of what an action is about, where its target is an id. */
const KINDS: Record<string, string> = {
  publish: "entry",
  publish_many: "entry",
  change_document: "document",
  publish_document: "document",
  remove_document: "document",
  change_calculator: "calculator",
  add_topic: "topic",
  change_topic: "topic",
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

interface LogPage {
  entries: Noted[];
  names: Names;
}

const PAGE = 100;

const nextOf = ({ entries }: LogPage) => (entries.length === PAGE ? entries.at(-1)?.id : undefined);

const pageBefore = (before: number | undefined) => get<LogPage>(withQuery("/audit", { before }));

/** Return the whole log as a table in the reader's language. */
async function wholeLog(say: Say): Promise<string[][]> {
  const rows = [(["at", "who", "what", "about", "detail"] as const).map((name) => say(`audit.${name}`))];
  let before: number | undefined;
  do {
    const page = await pageBefore(before);
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
  const { say, language } = useTexts();
  const saving = useMutation({
    mutationFn: () => wholeLog(say),
    onSuccess: (rows) => download("covan-audit", rows),
    onError: (error) => tellError(say, error),
  });
  const found = useInfiniteQuery({
    queryKey: ["audit"],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam }) => pageBefore(pageParam),
    getNextPageParam: nextOf,
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const entries = found.data.pages.flatMap((page) => page.entries);
  const names: Names = Object.assign({}, ...found.data.pages.map((page) => page.names));
  return (
    <Stack>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
        onClick={() => saving.mutate()}
        loading={saving.isPending}
        style={{ alignSelf: "end" }}
      >
        {say("today.export")}
      </Button>
      {entries.length === 0 && <Text c="dimmed">{say("audit.empty")}</Text>}
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
  if (!target) return "";
  const kind = KINDS[action];
  const [section] = target.split("/");
  if (action === "restore" || action === "undo") return say("audit.version");
  if (action.endsWith("_canned_reply")) return String(detail.title ?? "");
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
  if (name === "commit" || name === "title" || value === "" || value === 0) return "";
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
