import { Alert, Anchor, Badge, Button, Checkbox, Group, Paper, Select, Stack, Text } from "@mantine/core";
import { IconPencil, IconTags } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { Link } from "react-router-dom";
import {
  ApiError,
  ask,
  get,
  type Contradiction,
  type Me,
  type ReadPart,
  type Review,
  type UnlikeName,
  type Unsure,
  type Labelled,
} from "../api";
import type { Key } from "../locales/vi";
import { TrainButton } from "../parts/TrainButton";
import { WaitingLabels } from "../parts/WaitingLabels";
import { Empty, Failed, Page, tell, tellError, Waiting } from "../parts/parts";
import { sayIfKnown, saying, timeText, useTexts, type Language } from "../texts";
import { useMutation } from "../parts/acting";
import { useAsking } from "../parts/leaving";
import { MOST_EXAMPLE_CHARS } from "../parts/LimitedInput";
import { SentenceField } from "../parts/SentenceField";

const PAGE = 20;

const vi = {
  unlike: "Danh mục không biết những tên này như bạn đánh dấu",
  unlike_text:
    "Bỏ hay đổi dấu nếu đánh nhầm. Nếu đúng là tên mới thì vẫn lưu được; muốn Covan nhận ra tên ấy, thêm nó vào Danh mục.",
  known_as: "“{text}” được đánh dấu là {marked}, mà danh mục biết đó là {known}.",
  unknown: "“{text}” được đánh dấu là {marked}, mà danh mục không có {marked} nào tên như vậy.",
  save: "Vẫn lưu",
  saved: "Đã lưu {n} nhãn:",
  more: "và {n} câu nữa",
  back: "Xem lại hoặc bỏ thay đổi này ở Phiên bản",
  next: "Sinh viên chưa thấy gì khác. Nhãn có hiệu lực sau hai bước ở trang Mô hình và ngưỡng: Huấn luyện ngay, rồi Đưa vào dùng.",
  to_models: "Mở Mô hình và ngưỡng",
  keys: "Phím mũi tên chọn từng chữ, thêm Shift để chọn nhiều chữ; Tab để tới nút đánh dấu",
};

type ReviewKey = keyof typeof vi;

const en: Record<ReviewKey, string> = {
  unlike: "The catalogue does not know these names as you marked them",
  unlike_text:
    "Change the mark if it is a slip. A new name may be saved all the same; for Covan to recognize it, add it to the catalogue.",
  known_as: "“{text}” is marked as {marked}; the catalogue knows it as {known}.",
  unknown: "“{text}” is marked as {marked}; the catalogue has no {marked} of this name.",
  save: "Save all the same",
  saved: "Saved {n} {n|label|labels}:",
  more: "and {n} more",
  back: "Look at this change or take it back in Versions",
  next: "Students notice nothing yet. Labels take effect after two steps in Models and thresholds: Train now, then Make it live.",
  to_models: "Open Models and thresholds",
  keys: "Arrow keys choose a word, with Shift several; Tab leads to the buttons that mark them",
};

const SAY = { vi: saying(vi), en: saying(en) };

const MOST_SAVED = 10;
/** The probability from which a guess is entered as the meaning of a message: a less probable one is mostly wrong. */
const LEAST_GUESS = 0.3;

/** Labels that were saved, and the version that they made; "" without versions. */
interface Saved {
  labels: { text: string; intent: string }[];
  commit: string;
}

/** What the advisor has done with a message. */
interface Draft {
  parts: ReadPart[];
  intent: string;
  chosen: boolean;
  edited: boolean;
}

export default function NluReview({ me }: { me: Me }) {
  // The rows stay where they are while somebody works on them.
  const [touched, setTouched] = useState(false);
  const found = useQuery({
    queryKey: ["nlu"],
    queryFn: () => get<Review>("/nlu"),
    refetchInterval: touched ? false : 15_000,
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  return <Messages review={found.data} mayLabel={me.rights.includes("publish")} noteTouched={setTouched} />;
}

function Messages({
  review,
  mayLabel,
  noteTouched,
}: {
  review: Review;
  mayLabel: boolean;
  noteTouched: (touched: boolean) => void;
}) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const [drafts, setDrafts] = useState<Record<number, Partial<Draft>>>({});
  const [only, setOnly] = useState<string | null>(null);
  const [shown, setShown] = useState(PAGE);
  const [contradictions, setContradictions] = useState<Record<number, Contradiction["other"]>>({});
  const [unlike, setUnlike] = useState<UnlikeName[]>([]);
  const [saved, setSaved] = useState<Saved>();
  // A topic that the school has given up may be among the guesses.
  const isIntent = (intent: string) => intent in review.topics || review.general.includes(intent);
  const draftOf = (message: Unsure): Draft => ({
    parts: message.parts,
    intent:
      Object.entries(message.guesses).find(
        ([intent, probability]) => isIntent(intent) && probability >= LEAST_GUESS,
      )?.[0] ?? "",
    chosen: false,
    edited: false,
    ...drafts[keyOf(message)],
  });
  const change = (messages: Unsure[], changes: Partial<Draft>) => {
    noteTouched(true);
    setUnlike([]);
    setDrafts((before) => {
      const changed = messages.map((each) => [keyOf(each), { ...before[keyOf(each)], ...changes }] as const);
      return { ...before, ...Object.fromEntries(changed) };
    });
    const gone = new Set(messages.map(keyOf));
    setContradictions((before) =>
      Object.fromEntries(Object.entries(before).filter(([key]) => !gone.has(Number(key)))),
    );
  };
  const mayBeChosen = (message: Unsure) =>
    (!message.personal || draftOf(message).edited) && draftOf(message).intent !== "";
  const listed = review.messages.filter((each) => !only || draftOf(each).intent === only);
  const visible = listed.slice(0, shown);
  const ready = visible.filter(mayBeChosen);
  const chosen = review.messages.filter((each) => draftOf(each).chosen && mayBeChosen(each));
  const guessed = [...new Set(review.messages.map((each) => draftOf(each).intent))].filter(Boolean);
  const intentText = (intent: string) => review.topics[intent] ?? sayIfKnown(say, `intent.${intent}`, intent);

  useAsking(Object.keys(drafts).length > 0);
  const saving = useMutation({
    mutationFn: (confirmsNames: boolean) =>
      ask<Labelled>("POST", "/nlu/labels", {
        confirms_names: confirmsNames,
        labels: chosen.map((each) => {
          const { parts, intent } = draftOf(each);
          return { parts, intent, traces: each.traces };
        }),
      }),
    onSuccess: ({ commit }) => {
      tell(say("nlu.saved", { n: chosen.length }));
      const labels = chosen.map((each) => {
        const { parts, intent } = draftOf(each);
        return { text: textOf(parts), intent: intentText(intent) };
      });
      setSaved({ labels, commit });
      setDrafts({});
      setUnlike([]);
      noteTouched(false);
      setContradictions({});
      void queries.invalidateQueries();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === "unlike_names")
        return setUnlike(error.detail.names as UnlikeName[]);
      if (!(error instanceof ApiError) || error.code !== "contradiction") return tellError(say, error);
      const told = error.detail.contradictions as Contradiction[];
      const of = told.flatMap(({ number }) => chosen[number] ?? []);
      change(of, { chosen: false });
      setContradictions(
        Object.fromEntries(told.map(({ number, other }) => [chosen[number] && keyOf(chosen[number]), other])),
      );
    },
  });

  return (
    <Page title={say("nlu.title")} intro={say("nlu.intro")}>
      <Train mayTrain={mayLabel} />
      {saved && <SavedLabels saved={saved} />}
      {review.messages.length === 0 ? (
        <Empty icon={<IconTags />} title={say("nlu.empty")} text={say("nlu.empty_text")} />
      ) : (
        <>
          {!mayLabel && (
            <Text size="sm" c="dimmed">
              {say("nlu.read_only")}
            </Text>
          )}
          <Paper withBorder p="xs" className="tools">
            <Group justify="space-between" gap="xs">
              <Group gap="sm">
                {mayLabel && (
                  <Checkbox
                    label={say("nlu.choose_all")}
                    checked={ready.length > 0 && ready.every((each) => draftOf(each).chosen)}
                    indeterminate={
                      ready.some((each) => draftOf(each).chosen) &&
                      !ready.every((each) => draftOf(each).chosen)
                    }
                    onChange={(event) => change(ready, { chosen: event.currentTarget.checked })}
                  />
                )}
                <Select
                  size="xs"
                  w={190}
                  clearable
                  aria-label={say("nlu.only")}
                  placeholder={say("nlu.only")}
                  data={guessed.map((intent) => ({ value: intent, label: intentText(intent) }))}
                  value={only}
                  onChange={(value) => {
                    setOnly(value);
                    setShown(PAGE);
                  }}
                />
                <Text size="xs" c="dimmed">
                  {say("nlu.count", { n: only ? listed.length : review.count })}
                </Text>
              </Group>
              {mayLabel && (
                <Button
                  size="xs"
                  disabled={chosen.length === 0}
                  loading={saving.isPending}
                  onClick={() => saving.mutate(false)}
                >
                  {say("nlu.save", { n: chosen.length })}
                </Button>
              )}
            </Group>
          </Paper>
          {unlike.length > 0 && (
            <UnlikeNames
              names={unlike}
              dimensions={review.dimensions}
              save={() => saving.mutate(true)}
              pending={saving.isPending}
            />
          )}
          {Object.keys(contradictions).length > 0 && (
            <Alert color="red" role="alert">
              {say("nlu.contradiction", { n: Object.keys(contradictions).length })}
            </Alert>
          )}
          {mayLabel && (
            <Text size="xs" c="dimmed">
              {say("nlu.mark_help")}
            </Text>
          )}
          <Stack gap="xs">
            {visible.map((message) => (
              <Message
                key={keyOf(message)}
                message={message}
                draft={draftOf(message)}
                review={review}
                mayLabel={mayLabel}
                mayBeChosen={mayBeChosen(message)}
                other={contradictions[keyOf(message)]}
                intentText={intentText}
                change={(changes) => change([message], changes)}
              />
            ))}
          </Stack>
          {listed.length > shown && (
            <Button variant="subtle" onClick={() => setShown(shown + PAGE)}>
              {say("more")}
            </Button>
          )}
        </>
      )}
    </Page>
  );
}

/** The names that are marked as something else than the catalogue knows: they are saved when the person says so. */
function UnlikeNames({
  names,
  dimensions,
  save,
  pending,
}: {
  names: UnlikeName[];
  dimensions: Review["dimensions"];
  save: () => void;
  pending: boolean;
}) {
  const { language } = useTexts();
  const said = SAY[language];
  return (
    <Alert color="orange" title={said("unlike")} data-testid="unlike">
      {names.map(({ number, text, entity, known_as }) => (
        <Text key={`${number} ${text}`} size="sm">
          {said(known_as ? "known_as" : "unknown", {
            text,
            marked: nameIn(dimensions, entity, language),
            known: nameIn(dimensions, known_as, language),
          })}
        </Text>
      ))}
      <Text size="sm" my={6}>
        {said("unlike_text")}
      </Text>
      <Button size="xs" variant="light" color="orange" onClick={save} loading={pending}>
        {said("save")}
      </Button>
    </Alert>
  );
}

/** What was saved just now, and the way back. */
function SavedLabels({ saved: { labels, commit } }: { saved: Saved }) {
  const said = SAY[useTexts().language];
  return (
    <Alert color="green" title={said("saved", { n: labels.length })} data-testid="saved-labels">
      {labels.slice(0, MOST_SAVED).map(({ text, intent }) => (
        <Text key={text} size="sm">
          “{text}” → {intent}
        </Text>
      ))}
      {labels.length > MOST_SAVED && <Text size="sm">{said("more", { n: labels.length - MOST_SAVED })}</Text>}
      <Text size="sm" my={6}>
        {said("next")}{" "}
        <Anchor component={Link} to="/models" size="sm">
          {said("to_models")}
        </Anchor>
      </Text>
      {commit && (
        <Anchor component={Link} to={`/versions/${commit}`} size="sm">
          {said("back")}
        </Anchor>
      )}
    </Alert>
  );
}

/** The name of a dimension. */
function nameIn(dimensions: Review["dimensions"], id: string, language: Language): string {
  const dimension = dimensions.find((each) => each.id === id);
  return dimension ? (language === "en" ? dimension.name_en : dimension.name) : id;
}

/** Labels take effect with a training, which goes on in the page of models. */
function Train({ mayTrain }: { mayTrain: boolean }) {
  const { say } = useTexts();
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" gap="sm">
        <div style={{ flex: "1 1 16rem" }}>
          <WaitingLabels />
          <Text size="sm" c="dimmed">
            {say("nlu.train_help")}{" "}
            <Anchor component={Link} to="/models" size="sm">
              {say("nlu.train_look")}
            </Anchor>
          </Text>
        </div>
        {mayTrain && <TrainButton />}
      </Group>
    </Paper>
  );
}

/** The oldest turn of a message, which stays when it is asked again. */
const keyOf = (message: Unsure) => message.traces[message.traces.length - 1] ?? 0;

function Message({
  message,
  draft,
  review,
  mayLabel,
  mayBeChosen,
  other,
  intentText,
  change,
}: {
  message: Unsure;
  draft: Draft;
  review: Review;
  mayLabel: boolean;
  mayBeChosen: boolean;
  other: Contradiction["other"] | undefined;
  intentText: (intent: string) => string;
  change: (changes: Partial<Draft>) => void;
}) {
  const { say, language } = useTexts();
  const queries = useQueryClient();
  const [editing, setEditing] = useState<string>();
  const known = [...Object.keys(review.topics), ...review.general];
  const guesses = Object.fromEntries(
    Object.entries(message.guesses).filter(([each]) => known.includes(each)),
  );
  const aside = useMutation({
    mutationFn: () => ask("POST", "/nlu/aside", { traces: message.traces }),
    onSuccess: () => {
      tell(say("nlu.aside_done"));
      void queries.invalidateQueries({ queryKey: ["nlu"] });
    },
    onError: (error) => tellError(say, error),
  });
  const endEditing = () => {
    const text = (editing ?? "").trim();
    if (text.length > MOST_EXAMPLE_CHARS) return;
    if (text && text !== textOf(draft.parts))
      change({ parts: [{ text, entity: "" }], edited: true, chosen: true });
    setEditing(undefined);
  };
  const options = [
    {
      group: say("nlu.topics"),
      items: Object.keys(review.topics).map((value) => ({ value, label: intentText(value) })),
    },
    {
      group: say("nlu.talk"),
      items: review.general.map((value) => ({ value, label: intentText(value) })),
    },
  ];
  return (
    <Paper
      withBorder
      p="sm"
      data-testid="unsure"
      className="message-card"
      data-chosen={draft.chosen || undefined}
    >
      <Group align="start" wrap="nowrap" gap="sm">
        {mayLabel && (
          <Checkbox
            mt={6}
            aria-label={say("nlu.choose")}
            checked={draft.chosen && mayBeChosen}
            disabled={!mayBeChosen}
            onChange={(event) => change({ chosen: event.currentTarget.checked })}
          />
        )}
        <Group style={{ flex: 1 }} justify="space-between" align="start" gap="sm">
          <Stack gap={4} style={{ flex: "1 1 20rem", minWidth: 0 }}>
            {editing === undefined ? (
              <Marked
                parts={draft.parts}
                dimensions={review.dimensions}
                mayMark={mayLabel}
                change={(parts) => change({ parts, chosen: mayBeChosen })}
              />
            ) : (
              <Group gap="xs" wrap="nowrap">
                <SentenceField
                  style={{ flex: 1 }}
                  size="sm"
                  autoFocus
                  aria-label={say("nlu.edit")}
                  most={MOST_EXAMPLE_CHARS}
                  value={editing}
                  set={setEditing}
                  onKeyDown={(event) => {
                    if (event.key === "Enter") endEditing();
                    if (event.key === "Escape") setEditing(undefined);
                  }}
                />
                <Button size="xs" variant="light" onClick={endEditing}>
                  {say("nlu.edit_done")}
                </Button>
              </Group>
            )}
            <Group gap={6}>
              {message.personal && !draft.edited && (
                <Badge color="red" variant="light" tt="none">
                  {say("nlu.personal")}
                </Badge>
              )}
              <Text size="xs" c="dimmed">
                {[
                  say("gaps.students", { n: message.students }),
                  message.times > message.students && say("nlu.times", { n: message.times }),
                  timeText(message.last_at, language),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </Text>
              <Anchor component={Link} to={`/conversations/${message.traces[0]}`} size="xs">
                {say("gaps.look")}
              </Anchor>
              {mayLabel && editing === undefined && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  leftSection={<IconPencil size={13} />}
                  onClick={() => setEditing(textOf(draft.parts))}
                >
                  {say("nlu.edit")}
                </Button>
              )}
            </Group>
            {other && <Why other={other} intentText={intentText} />}
          </Stack>
          <Stack gap={6} w={{ base: "100%", xs: 280 }}>
            <Select
              size="sm"
              placeholder={say("nlu.intent")}
              searchable
              allowDeselect={false}
              disabled={!mayLabel}
              aria-label={say("nlu.intent")}
              data={options}
              value={draft.intent || null}
              onChange={(value) => value && change({ intent: value, chosen: true })}
            />
            <Group gap={4} justify="space-between" wrap="nowrap" align="start">
              <Group gap={4}>
                {Object.entries(guesses).map(([intent, probability]) => (
                  <Badge
                    key={intent}
                    component="button"
                    type="button"
                    size="sm"
                    tt="none"
                    style={{ cursor: mayLabel ? "pointer" : "default" }}
                    variant={intent === draft.intent ? "filled" : "light"}
                    disabled={!mayLabel}
                    onClick={() => change({ intent, chosen: true })}
                  >
                    {intentText(intent)} {Math.round(probability * 100)} %
                  </Badge>
                ))}
              </Group>
              {mayLabel && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="gray"
                  style={{ flexShrink: 0 }}
                  loading={aside.isPending}
                  onClick={() => aside.mutate()}
                >
                  {say("nlu.aside")}
                </Button>
              )}
            </Group>
          </Stack>
        </Group>
      </Group>
    </Paper>
  );
}

/** Why a label is refused: where the message stands with another intent. */
function Why({
  other,
  intentText,
}: {
  other: Contradiction["other"];
  intentText: (intent: string) => string;
}) {
  const { say } = useTexts();
  return (
    <Text size="sm" c="red">
      {say(`nlu.other.${other.kind}` as Key, {
        text: other.text,
        intent: intentText(other.intent),
        file: other.file,
        line: other.line,
      })}{" "}
      {other.entry && (
        <Anchor component={Link} to={`/faq/${other.entry}`} size="sm">
          {say("nlu.open_entry")}
        </Anchor>
      )}
    </Text>
  );
}

/** A message with its names; a part of it that is selected can be marked as a name. */
function Marked({
  parts,
  dimensions,
  mayMark,
  change,
}: {
  parts: ReadPart[];
  dimensions: Review["dimensions"];
  mayMark: boolean;
  change: (parts: ReadPart[]) => void;
}) {
  const { say, language } = useTexts();
  const element = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<[number, number]>();
  useEffect(() => {
    if (!mayMark) return;
    const look = () => {
      const chosen = element.current && selectionIn(element.current);
      // A tap on one of the buttons below takes the selection away before it is a click.
      if (chosen || !element.current?.parentElement?.contains(document.activeElement)) {
        setSelected(chosen ?? undefined);
      }
    };
    document.addEventListener("selectionchange", look);
    return () => document.removeEventListener("selectionchange", look);
  }, [mayMark]);
  const nameOf = (id: string) => nameIn(dimensions, id, language);
  const mark = (entity: string) => {
    if (selected) change(marked(parts, selected, entity));
    document.getSelection()?.removeAllRanges();
    setSelected(undefined);
  };
  return (
    <div>
      <div
        ref={element}
        className="message"
        {...(mayMark && {
          role: "group",
          tabIndex: 0,
          "aria-label": textOf(parts),
          "aria-description": SAY[language]("keys"),
          onKeyDown: selectByWord,
        })}
      >
        {parts.map((part, place) =>
          part.entity ? (
            <mark
              key={place}
              className="name"
              data-kind={nameOf(part.entity)}
              title={say("nlu.unmark", { name: nameOf(part.entity) })}
              {...(mayMark && {
                role: "button",
                tabIndex: 0,
                onClick: () => change(joined(replaced(parts, place))),
                onKeyDown: (event) => {
                  if (event.key === "Enter") change(joined(replaced(parts, place)));
                },
              })}
            >
              {part.text}
            </mark>
          ) : (
            <span key={place}>{part.text}</span>
          ),
        )}
      </div>
      {selected && (
        <Group gap={6} my={4}>
          <Text size="xs">{say("nlu.mark", { text: textOf(parts).slice(...selected) })}</Text>
          {dimensions.map((dimension) => (
            <Button
              key={dimension.id}
              size="compact-sm"
              variant="light"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => mark(dimension.id)}
            >
              {nameOf(dimension.id)}
            </Button>
          ))}
        </Group>
      )}
    </div>
  );
}

const textOf = (parts: ReadPart[]) => parts.map((part) => part.text).join("");

/** Return the parts with the name at a place as plain words. */
const replaced = (parts: ReadPart[], place: number) =>
  parts.map((part, at) => (at === place ? { ...part, entity: "" } : part));

/** Return the parts with neighbouring plain words in one. */
function joined(parts: ReadPart[]): ReadPart[] {
  const found: ReadPart[] = [];
  for (const part of parts) {
    const last = found[found.length - 1];
    if (last && !last.entity && !part.entity) last.text += part.text;
    else if (part.text) found.push({ ...part });
  }
  return found;
}

/** Return the parts with a range of the text as a name; a name that it touches is plain words again. */
function marked(parts: ReadPart[], [start, end]: [number, number], entity: string): ReadPart[] {
  const text = textOf(parts);
  let at = 0;
  const kept = parts.map((part) => {
    const from = at;
    at += part.text.length;
    return { from, to: at, entity: from < end && at > start ? "" : part.entity };
  });
  const pieces = kept.flatMap(({ from, to, entity: own }) => [
    { text: text.slice(from, Math.min(to, Math.max(from, start))), entity: own },
    ...(from <= start && start < to ? [{ text: text.slice(start, end), entity }] : []),
    { text: text.slice(Math.max(from, Math.min(to, end)), to), entity: own },
  ]);
  return joined(pieces);
}

/** Select the next word of a message, or the one before, with an arrow key; with Shift, several. */
function selectByWord(event: KeyboardEvent<HTMLElement>) {
  const selection = document.getSelection();
  const message = event.currentTarget;
  if (!selection || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
  event.preventDefault();
  const isForward = event.key === "ArrowRight";
  if (!selection.anchorNode || !message.contains(selection.anchorNode)) selection.collapse(message, 0);
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  if (!event.shiftKey) isForward ? selection.collapseToEnd() : selection.collapseToStart();
  selection.modify("extend", isForward ? "forward" : "backward", "word");
  if (!message.contains(selection.focusNode) && anchorNode && focusNode)
    selection.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
}

/** Return the selected range of an element's text, whole words of it; null when there is none. */
function selectionIn(element: HTMLElement): [number, number] | null {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!element.contains(range.startContainer) || !element.contains(range.endContainer)) return null;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(range.startContainer, range.startOffset);
  const text = element.textContent ?? "";
  let start = before.toString().length;
  let end = start + range.toString().length;
  while (start < end && !isOfWord(text[start])) start++;
  while (end > start && !isOfWord(text[end - 1])) end--;
  if (start === end) return null;
  while (start > 0 && isOfWord(text[start - 1])) start--;
  while (end < text.length && isOfWord(text[end])) end++;
  return [start, end];
}

const isOfWord = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{M}\p{N}]/u.test(letter);
