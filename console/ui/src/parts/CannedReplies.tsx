import { ActionIcon, Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconBookmarks, IconPencil, IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, get, type CannedReply, isConflict, type CannedReplyList } from "../api";
import { useTexts } from "../texts";
import { AskFirst } from "./AskFirst";
import { useLeaving } from "./leaving";
import { Missing } from "./Missing";
import { errorText, Failed, Waiting } from "./parts";
import { useMutation } from "./acting";
import { LimitedInput, LimitedText, MOST_TITLE_CHARS, MOST_MESSAGE_CHARS } from "./LimitedInput";
import { ListRow } from "./ListRow";
import { SearchBox } from "./SearchBox";

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
        <Modal opened={opened} onClose={leave} title={say("canned.title")} fullScreen={narrow ?? false}>
          {editing ? (
            <Editing
              draft={editing}
              onWrite={() => setWritten(true)}
              leave={leaveEditing}
              onDone={() => edit()}
            />
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
        </Modal>
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
  onWrite,
  leave,
  onDone,
}: {
  draft: Draft;
  onWrite: () => void;
  leave: () => void;
  onDone: () => void;
}) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const [title, setTitle] = useState(draft.title);
  const [text, setText] = useState(draft.text);
  const [version, setVersion] = useState(draft.version);
  const renew = () => queries.invalidateQueries({ queryKey: ["canned"] });
  const saving = useMutation({
    mutationFn: () =>
      draft.id
        ? ask("PUT", `/canned-replies/${draft.id}`, { title, text, version })
        : ask("POST", "/canned-replies", { title, text }),
    onSuccess: onDone,
    onSettled: renew,
  });
  const deleting = useMutation({
    mutationFn: () => ask("DELETE", `/canned-replies/${draft.id}?version=${version}`),
    onSuccess: onDone,
    onSettled: renew,
  });
  const fault = saving.error ?? deleting.error;
  const theirs = isConflict(fault) ? (fault.detail.theirs as CannedReply) : undefined;
  const missing = [
    !title.trim() && say("canned.name"),
    !text.trim() && say("canned.text"),
    title.length > MOST_TITLE_CHARS && say("too_long", { name: say("canned.name") }),
    text.length > MOST_MESSAGE_CHARS && say("too_long", { name: say("canned.text") }),
  ];
  return (
    <form
      onChange={onWrite}
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack>
        <LimitedInput
          label={say("canned.name")}
          description={say("canned.name_help")}
          most={MOST_TITLE_CHARS}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
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
        {theirs ? (
          <Alert color="orange" title={say("canned.conflict")}>
            <Text size="sm" fw={550}>
              {theirs.title}
            </Text>
            <Text size="sm" style={{ whiteSpace: "pre-wrap" }} mb="xs">
              {theirs.text}
            </Text>
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => {
                setVersion(theirs.version);
                saving.reset();
                deleting.reset();
              }}
            >
              {say("canned.keep_mine")}
            </Button>
          </Alert>
        ) : (
          fault && <Alert color="red">{errorText(say, fault)}</Alert>
        )}
        <Missing names={missing} />
        <Group justify="space-between">
          {draft.id ? (
            <AskFirst
              variant="subtle"
              color="red"
              name={say("canned.delete")}
              text={say("canned.delete_text", { title: draft.title })}
              act={(done) => deleting.mutate(undefined, { onSettled: done })}
              pending={deleting.isPending}
            />
          ) : (
            <span />
          )}
          <Group gap="xs">
            <Button variant="default" onClick={leave}>
              {say("cancel")}
            </Button>
            <Button
              type="submit"
              disabled={missing.some(Boolean) || theirs !== undefined}
              loading={saving.isPending}
            >
              {say("save")}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
