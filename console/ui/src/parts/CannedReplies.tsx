import { ActionIcon, Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconBookmarks, IconPencil, IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "./Dialog";
import { ApiError, ask, get, isConflict, type CannedReply, type CannedReplyList } from "../api";
import { saying, timeText, useTexts } from "../texts";
import { AskFirst } from "./AskFirst";
import { Conflict } from "./Conflict";
import { useLeaving } from "./leaving";
import { Missing } from "./Missing";
import { errorText, Failed, Waiting } from "./parts";
import { useMutation } from "./acting";
import { LimitedText, MOST_TITLE_CHARS, MOST_MESSAGE_CHARS } from "./LimitedInput";
import { ListRow } from "./ListRow";
import { SearchBox } from "./SearchBox";
import { SentenceField } from "./SentenceField";

const SAY = {
  vi: saying({
    conflict: "Câu soạn sẵn này vừa được người khác sửa",
    deleted: "Câu soạn sẵn này vừa bị xóa",
    deleted_by: "Người xóa: {name}, {at}.",
    deleted_text:
      "Những gì bạn viết vẫn còn nguyên. Bấm Lưu để thêm lại thành câu mới, hoặc Thôi nếu không cần nữa.",
  }),
  en: saying({
    conflict: "Somebody has just changed this canned reply",
    deleted: "This canned reply has just been deleted",
    deleted_by: "Deleted by {name}, {at}.",
    deleted_text:
      "What you have written is still here. Press Save to add it again as a new one, or Cancel if it is not needed any longer.",
  }),
};

type Draft = Pick<CannedReply, "title" | "text"> & Partial<CannedReply>;

/** The button that opens the school's canned replies; `reply`, as written so far, becomes a new one by a click. */
export function CannedReplies({ reply, onPick }: { reply: string; onPick: (text: string) => void }) {
  const { say } = useTexts();
  const [opened, { open, close }] = useDisclosure();
  const [editing, setEditing] = useState<Draft>();
  const narrow = useMediaQuery("(max-width: 40em)");
  const [written, setWritten] = useState(false);
  const edit = (draft?: Draft) => {
    setWritten(false);
    setEditing(draft);
  };
  const end = () => {
    edit();
    close();
  };
  const leave = useLeaving(written, end);
  const leaveEditing = useLeaving(written, edit);
  return (
    <>
      <Button variant="default" leftSection={<IconBookmarks size={16} />} onClick={open}>
        {say("canned.title")}
      </Button>
      {/* A portal's submit would reach the form around this button. */}
      <div onSubmit={(event) => event.stopPropagation()}>
        <Dialog
          opened={opened}
          onClose={leave}
          title={say("canned.title")}
          size={editing ? "lg" : "md"}
          fullScreen={narrow ?? false}
        >
          {editing ? (
            <Editing draft={editing} setWritten={setWritten} leave={leaveEditing} onDone={() => edit()} />
          ) : (
            <Choosing
              onEdit={edit}
              onNew={() => edit({ title: "", text: reply.trim() })}
              onPick={(text) => {
                onPick(text);
                end();
              }}
            />
          )}
        </Dialog>
      </div>
    </>
  );
}

function Choosing({
  onPick,
  onEdit,
  onNew,
}: {
  onPick: (text: string) => void;
  onEdit: (reply: CannedReply) => void;
  onNew: () => void;
}) {
  const { say } = useTexts();
  const [wanted, setWanted] = useState("");
  const found = useQuery({
    queryKey: ["canned"],
    queryFn: () => get<CannedReplyList>("/canned-replies"),
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const words = wanted.toLocaleLowerCase().split(/\s+/);
  const shown = found.data.replies.filter((each) =>
    words.every((word) => `${each.title} ${each.text}`.toLocaleLowerCase().includes(word)),
  );
  return (
    <Stack gap="xs">
      <SearchBox label={say("canned.search")} value={wanted} set={setWanted} autofocus />
      {shown.length === 0 && (
        <Text size="sm" c="dimmed">
          {say(found.data.replies.length ? "canned.none_found" : "canned.empty")}
        </Text>
      )}
      {shown.map((each) => (
        <Group key={each.id} gap="xs" wrap="nowrap" align="stretch">
          <ListRow p="xs" open={() => onPick(each.text)} testid="canned">
            <Text size="sm" fw={550}>
              {each.title}
            </Text>
            <Text size="xs" c="dimmed" lineClamp={2}>
              {each.text}
            </Text>
          </ListRow>
          <ActionIcon
            variant="subtle"
            size="lg"
            onClick={() => onEdit(each)}
            aria-label={say("canned.edit", { title: each.title })}
          >
            <IconPencil size={18} />
          </ActionIcon>
        </Group>
      ))}
      <Button variant="light" leftSection={<IconPlus size={16} />} onClick={onNew}>
        {say("canned.add")}
      </Button>
    </Stack>
  );
}

function Editing({
  draft,
  setWritten,
  leave,
  onDone,
}: {
  draft: Draft;
  setWritten: (written: boolean) => void;
  leave: () => void;
  onDone: () => void;
}) {
  const { say, language } = useTexts();
  const own = SAY[language];
  const queries = useQueryClient();
  const [title, setTitle] = useState(draft.title);
  const [text, setText] = useState(draft.text);
  /** The one that is changed; none of a new one, or when it was deleted meanwhile. */
  const [seen, setSeen] = useState(draft.id === undefined ? undefined : (draft as CannedReply));
  const [deletion, setDeletion] = useState<ApiError>();
  const renew = () => queries.invalidateQueries({ queryKey: ["canned"] });
  const shared = {
    onSuccess: onDone,
    onSettled: renew,
    onError: (error: Error) => {
      if (!isDeleted(error)) return;
      setDeletion(error);
      setSeen(undefined);
      setWritten(true);
    },
  };
  const saving = useMutation({
    mutationFn: () =>
      seen
        ? ask("PUT", `/canned-replies/${seen.id}`, { title, text, version: seen.version })
        : ask("POST", "/canned-replies", { title, text }),
    ...shared,
  });
  const deleting = useMutation({
    mutationFn: ({ id, version }: CannedReply) => ask("DELETE", `/canned-replies/${id}?version=${version}`),
    ...shared,
  });
  const fault = saving.error ?? deleting.error;
  if (isConflict(fault)) {
    const now = fault.detail.theirs as CannedReply;
    const goOn = () => {
      setSeen(now);
      saving.reset();
      deleting.reset();
    };
    return (
      <Conflict
        title={own("conflict")}
        fault={fault}
        of="console"
        parts={[
          { name: say("canned.name"), mine: title.trim(), theirs: now.title },
          { name: say("canned.text"), mine: text.trim(), theirs: now.text },
        ]}
        loadTheirs={() => {
          setTitle(now.title);
          setText(now.text);
          setWritten(false);
          goOn();
        }}
        takeLatest={goOn}
      />
    );
  }
  const missing = [
    !title.trim() && say("canned.name"),
    !text.trim() && say("canned.text"),
    title.length > MOST_TITLE_CHARS && say("too_long", { name: say("canned.name") }),
    text.length > MOST_MESSAGE_CHARS && say("too_long", { name: say("canned.text") }),
  ];
  return (
    <form
      onChange={() => setWritten(true)}
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack>
        <SentenceField
          label={say("canned.name")}
          description={say("canned.name_help")}
          most={MOST_TITLE_CHARS}
          value={title}
          set={setTitle}
          data-autofocus
        />
        <LimitedText
          label={say("canned.text")}
          autosize
          minRows={3}
          maxRows={12}
          most={MOST_MESSAGE_CHARS}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {deletion && <Deleted by={deletion.detail.deleted as Deleter | null} />}
        {fault && !isDeleted(fault) && <Alert color="red">{errorText(say, fault)}</Alert>}
        <Missing names={missing} />
        <Group justify="space-between">
          {seen ? (
            <AskFirst
              variant="subtle"
              color="red"
              name={say("canned.delete")}
              text={say("canned.delete_text", { title: seen.title })}
              act={(done) => deleting.mutate(seen, { onSettled: done })}
              pending={deleting.isPending}
            />
          ) : (
            <span />
          )}
          <Group gap="xs">
            <Button variant="default" onClick={leave}>
              {say("cancel")}
            </Button>
            <Button type="submit" disabled={missing.some(Boolean)} loading={saving.isPending}>
              {say("save")}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

interface Deleter {
  name: string;
  at: number;
}

function isDeleted(error: Error): error is ApiError {
  return error instanceof ApiError && error.code === "no_canned_reply";
}

/** Tells that somebody has deleted meanwhile what is edited. */
function Deleted({ by }: { by: Deleter | null }) {
  const { language } = useTexts();
  const own = SAY[language];
  return (
    <Alert color="orange" title={own("deleted")} data-testid="deleted">
      {by && (
        <Text size="sm" fw={550}>
          {own("deleted_by", { name: by.name, at: timeText(by.at, language) })}
        </Text>
      )}
      {own("deleted_text")}
    </Alert>
  );
}
