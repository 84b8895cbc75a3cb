/** How a file was read: its passages, and beside them the page or the text that each comes from. */
import {
  ActionIcon,
  Alert,
  Anchor,
  Badge,
  Box,
  Group,
  Highlight,
  NumberInput,
  Paper,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
} from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconExternalLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type CSSProperties } from "react";
import { useLocation } from "react-router-dom";
import { get, type ReadPassage, type PassageFrames, type ReadDocument } from "../api";
import { asShown, segments } from "../passage_places";
import { useTexts } from "../texts";
import { PreviewButton } from "./ChannelPreview";
import { Failed } from "./parts";

type Side = "passages" | "original";

/** `address` is that of the document's calls; the passage at the place `at`, that an answer rests on, is shown first. */
export function Reading({
  read,
  address,
  at,
  previews = false,
}: {
  read: ReadDocument;
  address: string;
  at: string;
  /** Whether a passage can be seen as the channels show an extract of it. */
  previews?: boolean;
}) {
  const { say } = useTexts();
  const { passages, pages, text } = read;
  const found = at ? passages.findIndex(({ locator }) => locator === at) : -1;
  const [chosen, setChosen] = useState(found);
  // A passage may go on on the next page, so that turning keeps it.
  const [framed, setFramed] = useState(found);
  const [page, setPage] = useState(passages[found]?.page ?? passages[0]?.page ?? 1);
  const [side, setSide] = useState<Side>("passages");
  const list = useRef<HTMLDivElement>(null);
  const hasOriginal = pages.count > 0 || text !== "";

  // A frame later: what has just been shown could not be scrolled.
  const scrollTo = (wanted: string) =>
    requestAnimationFrame(() => showIn(list.current, list.current?.querySelector(wanted)));
  useEffect(() => void scrollTo("[data-chosen]"), []);

  const choose = (place: number) => {
    setChosen(place);
    setFramed(place);
    setPage(passages[place]?.page ?? page);
    setSide("original");
  };
  const turn = (number: number) => {
    setPage(number);
    setChosen(-1);
    scrollTo(`[data-page="${number}"]`);
  };
  const show = (wanted: Side) => {
    setSide(wanted);
    scrollTo("[data-chosen], [data-current]");
  };
  const pick = (place: number) => {
    setChosen(place);
    show("passages");
  };

  return (
    <Box className={hasOriginal ? "beside" : ""} data-shown={side}>
      {hasOriginal && (
        <SegmentedControl
          className="which"
          hiddenFrom="md"
          fullWidth
          value={side}
          onChange={(value) => show(value as Side)}
          data={[
            { value: "passages", label: say("documents.side_passages") },
            { value: "original", label: say(pages.count ? "documents.side_page" : "documents.side_text") },
          ]}
        />
      )}
      <Stack gap="sm" className="passages" data-testid="passages" ref={list}>
        {passages.length > 0 && <PagesToLookAt read={read} turn={turn} />}
        {passages.length === 0 && (
          <Alert color="yellow" title={say("documents.no_passages")}>
            {say("documents.no_passages_text")}
          </Alert>
        )}
        {groupsOf(read, page).map(({ number, places }) => (
          <Stack
            key={number ?? 0}
            gap={6}
            data-page={number}
            data-current={number !== null && number === page ? true : undefined}
          >
            {number !== null && (
              <Group justify="space-between" gap="xs">
                <Text size="sm" fw={600}>
                  {say("documents.page_title", { n: number })}
                </Text>
                {number === page && (
                  <Badge variant="light" tt="none">
                    {say("documents.page_shown")}
                  </Badge>
                )}
              </Group>
            )}
            {number !== null && <PageFaults read={read} number={number} />}
            {number !== null && places.length === 0 && !pages.without_text.includes(number) && (
              <Text size="sm" c="dimmed">
                {say("documents.page_goes_on")}
              </Text>
            )}
            {places.map((place) => (
              <PassageCard
                key={place}
                passage={passages[place]!}
                isChosen={place === chosen}
                isQuoted={place === found}
                choose={hasOriginal ? () => choose(place) : undefined}
                document={previews ? read.id : ""}
              />
            ))}
          </Stack>
        ))}
      </Stack>
      {hasOriginal && (
        <div className="original" data-testid="original">
          {pages.count > 0 ? (
            <PagePicture read={read} address={address} number={page} framed={framed} turn={turn} />
          ) : (
            <TextAsRead text={text} passages={passages} chosen={chosen} choose={pick} shown={side} />
          )}
        </div>
      )}
    </Box>
  );
}

/** Scroll to an element: in its pane on a laptop, on a phone in the page. */
function showIn(pane?: Element | null, element?: Element | null): void {
  if (!pane || !element) return;
  if (pane.scrollHeight > pane.clientHeight + 1)
    pane.scrollTop += element.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  else element.scrollIntoView({ block: "center" });
}

/** The places of passages by the page that they begin on; a page that is shown or was read wrongly is there without any. */
function groupsOf(
  { passages, pages }: ReadDocument,
  shown: number,
): { number: number | null; places: number[] }[] {
  const byPage = new Map<number | null, number[]>();
  passages.forEach(({ page }, place) => {
    const places = byPage.get(page);
    if (places) places.push(place);
    else byPage.set(page, [place]);
  });
  // Where nothing was read, one sentence says so for all pages.
  const wrong = passages.length > 0 ? wrongPages(pages) : [];
  if (pages.count > 0)
    for (const number of [...wrong, shown]) if (!byPage.has(number)) byPage.set(number, []);
  return [...byPage]
    .map(([number, places]) => ({ number, places }))
    .sort((one, other) => (one.number ?? 0) - (other.number ?? 0));
}

function PassageCard({
  passage,
  isChosen,
  isQuoted,
  choose,
  document,
}: {
  passage: ReadPassage;
  isChosen: boolean;
  isQuoted: boolean;
  choose?: () => void;
  /** The id of the document that the preview of an extract cites; "" without a preview. */
  document: string;
}) {
  const { say } = useTexts();
  const { state } = useLocation();
  const quoted = String((state as { quote?: string } | null)?.quote ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const name = passage.locator || say("documents.no_place");
  return (
    <Paper
      withBorder
      p="sm"
      className={isChosen ? "chosen" : ""}
      data-chosen={isChosen || undefined}
      data-testid="passage"
    >
      <Group justify="space-between" gap="xs">
        <Text size="xs" fw={600}>
          {name}
        </Text>
        {choose && (passage.page !== null || passage.line !== null) && (
          <Anchor
            component="button"
            type="button"
            size="xs"
            onClick={choose}
            aria-label={
              passage.page !== null
                ? say("documents.see_page", { place: name, n: passage.page })
                : say("documents.see_text", { place: name })
            }
          >
            {passage.page !== null ? say("documents.page", { n: passage.page }) : say("documents.in_text")}
          </Anchor>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {passage.context.filter((above) => above !== name).join(" › ")}
      </Text>
      <Highlight
        highlight={isQuoted ? quoted : []}
        size="sm"
        style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
      >
        {passage.text}
      </Highlight>
      {document && <PreviewButton answer={passage.text} sources={[{ document, locator: passage.locator }]} />}
    </Paper>
  );
}

/** The pages that were read wrongly or not at all, to go to. */
function PagesToLookAt({ read: { pages }, turn }: { read: ReadDocument; turn: (number: number) => void }) {
  const { say } = useTexts();
  const wrong = wrongPages(pages);
  if (wrong.length === 0) return null;
  return (
    <Alert color="yellow" title={say("documents.look_at")} data-testid="look-at">
      <Group gap={6}>
        {runsOf(wrong).map(([first, last]) => (
          <Anchor key={first} component="button" type="button" size="sm" onClick={() => turn(first)}>
            {say("documents.page", { n: first === last ? first : `${first}–${last}` })}
          </Anchor>
        ))}
      </Group>
    </Alert>
  );
}

const FAULTS = ["without_text", "recognized", "with_table"] as const;

/** The pages that were read wrongly or not at all, in their order. */
export function wrongPages(pages: ReadDocument["pages"]): number[] {
  return FAULTS.flatMap((fault) => pages[fault]).sort((one, other) => one - other);
}

/** Return the first and the last of each run of consecutive numbers. */
function runsOf(numbers: number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

function PageFaults({ read: { pages }, number }: { read: ReadDocument; number: number }) {
  const { say } = useTexts();
  return FAULTS.filter((fault) => pages[fault].includes(number)).map((fault) => (
    <Alert key={fault} color="yellow" p="xs">
      {say(`documents.page_${fault}`)}
    </Alert>
  ));
}

/** Around the lines of a passage, over the page's picture. */
const FRAME: CSSProperties = {
  position: "absolute",
  pointerEvents: "none",
  outline: "2px solid var(--mantine-primary-color-filled)",
  borderRadius: 2,
  scrollMargin: "6rem",
  background: "color-mix(in srgb, var(--mantine-primary-color-filled) 12%, transparent)",
};

function PagePicture({
  read,
  address,
  number,
  framed,
  turn,
}: {
  read: ReadDocument;
  address: string;
  number: number;
  /** The place of the passage that is framed; -1 for none. */
  framed: number;
  turn: (number: number) => void;
}) {
  const { say } = useTexts();
  const { count } = read.pages;
  const source = `${address}/pages/${number}`;
  const [state, setState] = useState<{ source: string; is: "shown" | "failed" } | null>(null);
  const is = state?.source === source ? state.is : "loading";
  // The picture's element does not tell why it has failed.
  const why = useQuery({
    queryKey: ["page", source],
    queryFn: () => get<unknown>(source).then(() => null),
    enabled: is === "failed",
    retry: false,
    gcTime: 0,
  });
  const again = () => setState(null);
  const places = useQuery({
    queryKey: ["frames", address, framed, read.passages[framed]?.text],
    queryFn: () => get<PassageFrames>(`${address}/passages/${framed}/frames`),
    enabled: framed >= 0,
  });
  const frames = places.data?.pages.find((each) => each.page === number)?.frames ?? [];
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In its pane, and with the pane in the window.
    if (is === "shown") first.current?.scrollIntoView({ block: "nearest" });
  }, [is, framed, frames.length]);
  return (
    <Stack gap="xs">
      <Group gap="xs" justify="center">
        <ActionIcon
          variant="default"
          aria-label={say("documents.page_before")}
          disabled={number <= 1}
          onClick={() => turn(number - 1)}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
        <NumberInput
          aria-label={say("documents.page_number")}
          size="xs"
          w={64}
          hideControls
          allowDecimal={false}
          allowNegative={false}
          value={number}
          onChange={(value) => {
            if (typeof value === "number" && value >= 1 && value <= count) turn(value);
          }}
        />
        <Text size="sm">{say("documents.page_count", { n: count })}</Text>
        <ActionIcon
          variant="default"
          aria-label={say("documents.page_after")}
          disabled={number >= count}
          onClick={() => turn(number + 1)}
        >
          <IconChevronRight size={16} />
        </ActionIcon>
        <ActionIcon
          component="a"
          variant="subtle"
          href={`/api${source}`}
          target="_blank"
          rel="noreferrer"
          aria-label={say("documents.page_alone")}
        >
          <IconExternalLink size={16} />
        </ActionIcon>
      </Group>
      <Box hiddenFrom="md">
        <PageFaults read={read} number={number} />
      </Box>
      {is === "loading" && <Skeleton className="page-picture" aria-label={say("loading")} />}
      {is === "failed" ? (
        why.error ? (
          <Failed error={why.error} retry={again} />
        ) : (
          <Failed error={new Error(say("documents.page_failed"))} retry={again} />
        )
      ) : (
        <Box pos="relative">
          <img
            key={source}
            className="page-picture"
            data-state={is}
            src={`/api${source}`}
            alt={say("documents.page_picture", { n: number, title: read.title })}
            onLoad={() => setState({ source, is: "shown" })}
            onError={() => setState({ source, is: "failed" })}
          />
          {is === "shown" &&
            frames.map(({ left, top, right, bottom }, place) => (
              <div
                key={place}
                ref={place === 0 ? first : undefined}
                data-testid="frame"
                style={{
                  ...FRAME,
                  left: `${100 * left}%`,
                  top: `${100 * top}%`,
                  width: `${100 * (right - left)}%`,
                  height: `${100 * (bottom - top)}%`,
                }}
              />
            ))}
        </Box>
      )}
    </Stack>
  );
}

/** The text of a file without pages, with the lines of the chosen passage marked; pressing a line chooses its passage. */
function TextAsRead({
  text,
  passages,
  chosen,
  choose,
  shown,
}: {
  text: string;
  passages: ReadPassage[];
  chosen: number;
  choose: (place: number) => void;
  shown: Side;
}) {
  const { say } = useTexts();
  const own = useRef<HTMLDivElement>(null);
  const pieces = useMemo(() => segments(text, passages), [text, passages]);
  useEffect(() => showIn(own.current?.closest(".original"), own.current), [chosen, shown]);
  return (
    <Paper withBorder p="sm" className="as-read">
      <Text size="xs" c="dimmed" mb="xs">
        {say("documents.text_help")}
      </Text>
      {pieces.map(({ from, lines, places }) => {
        const isChosen = places.includes(chosen);
        return places.length === 0 ? (
          <div key={from}>
            <Lines lines={lines} />
          </div>
        ) : (
          <div
            key={from}
            className={`passage${isChosen ? " chosen" : ""}`}
            data-chosen={isChosen || undefined}
            ref={isChosen ? own : undefined}
            onClick={() => choose(places[0]!)}
          >
            <Lines lines={lines} />
          </div>
        );
      })}
    </Paper>
  );
}

/** Lines of a text as read: headings in bold, without the signs of Markdown. */
function Lines({ lines }: { lines: string[] }) {
  return lines.map(asShown).map((line, index) =>
    line === null ? null : (
      <Text key={index} size="sm" fw={line.isHeading ? 600 : undefined} mih="1lh">
        {line.text}
      </Text>
    ),
  );
}
