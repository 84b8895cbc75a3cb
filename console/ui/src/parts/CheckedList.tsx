import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconListCheck, IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "./Dialog";
import { ask, get, type Dimension, type CheckedQuestion, type CheckedQuestionList } from "../api";
import { hasWords } from "../loose_search";
import { saying, useTexts } from "../texts";
import { CheckedForm } from "./CheckedForm";
import { JudgedQuestion } from "./JudgedQuestion";
import { useMutation } from "./acting";
import { tell, tellError } from "./parts";
import { SearchBox } from "./SearchBox";

const PAGE = 50;

const vi = {
  open: "Câu hỏi đã kiểm ({n})",
  title: "Câu hỏi đã kiểm",
  intro:
    "Cố vấn đã định câu nào đúng cho những câu này. Trước mỗi lần đăng, Covan hỏi lại tất cả và báo câu nào đổi. Câu được thêm ở đây, hoặc khi ai đó sửa một lượt trong trang Trò chuyện.",
  search: "Tìm trong câu hỏi đã kiểm",
  none: "Không có câu nào có những chữ này.",
  add: "Thêm câu hỏi đã kiểm",
  edit: "Sửa",
  empty: "Trường chưa có câu hỏi đã kiểm nào.",
  remove: "Bỏ",
  remove_title: "Bỏ câu hỏi đã kiểm",
  remove_text: "Covan không hỏi lại “{question}” trước khi đăng nữa. Câu trả lời cho câu ấy không đổi.",
  removed: "Đã bỏ câu hỏi đã kiểm.",
};

type ListKey = keyof typeof vi;

const en: Record<ListKey, string> = {
  open: "Checked questions ({n})",
  title: "Checked questions",
  intro:
    "Advisors have said what is right for these. Before each publication Covan asks all of them and tells which ones change. Add one here, or correct a turn in the log.",
  search: "Search the checked questions",
  none: "No question has these words.",
  add: "Add a checked question",
  edit: "Change",
  empty: "The school has no checked questions yet.",
  remove: "Take out",
  remove_title: "Take out a checked question",
  remove_text: "Covan no longer asks “{question}” before a publication. What it is answered stays.",
  removed: "The question is checked no more.",
};

const SAY = { vi: saying(vi), en: saying(en) };

/** The school's checked questions, to be looked through, added, changed and taken out. */
export function CheckedList({ dimensions, mayWrite }: { dimensions: Dimension[]; mayWrite: boolean }) {
  const { say, language } = useTexts();
  const said = SAY[language];
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const [text, setText] = useState("");
  const [shown, setShown] = useState(PAGE);
  const [form, setForm] = useState<{ checked?: CheckedQuestion }>();
  const found = useQuery({
    queryKey: ["checked-questions"],
    queryFn: () => get<CheckedQuestionList>("/checked-questions"),
  });
  const removing = useMutation({
    mutationFn: ({ question }: CheckedQuestion) => ask("POST", "/checked-questions/removal", { question }),
    onSuccess: () => tell(said("removed")),
    onError: (error) => tellError(say, error),
    onSettled: () => void queries.invalidateQueries(),
  });
  const all = found.data?.questions ?? [];
  const listed = all.filter(({ question, entry }) =>
    hasWords(`${question} ${entry?.question ?? ""}`, text.trim()),
  );
  if (!found.data || (!all.length && !mayWrite)) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconListCheck size={16} />} onClick={open}>
        {said("open", { n: all.length })}
      </Button>
      <Dialog
        opened={opened}
        onClose={close}
        title={<b>{said("title")}</b>}
        size="lg"
        closeButtonProps={{ "aria-label": say("close") }}
      >
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {said("intro")}
          </Text>
          <Group gap="xs">
            <SearchBox
              label={said("search")}
              value={text}
              set={(typed) => {
                setText(typed);
                setShown(PAGE);
              }}
              style={{ flex: "1 1 12rem" }}
            />
            {mayWrite && (
              <Button leftSection={<IconPlus size={16} />} onClick={() => setForm({})}>
                {said("add")}
              </Button>
            )}
          </Group>
          {listed.length === 0 && <Text size="sm">{said(all.length ? "none" : "empty")}</Text>}
          {listed.slice(0, shown).map((each) => (
            <JudgedQuestion
              key={each.question}
              testid="checked-question"
              question={each.question}
              outcome={each}
              dimensions={dimensions}
              edit={mayWrite && !each.ruled && { name: said("edit"), open: () => setForm({ checked: each }) }}
              removal={
                mayWrite && {
                  name: said("remove"),
                  text: said("remove_text", { question: each.question }),
                  confirm: said("remove_title"),
                  act: (done) => removing.mutate(each, { onSettled: done }),
                  pending: removing.isPending && removing.variables.question === each.question,
                }
              }
            />
          ))}
          {listed.length > shown && (
            <Button variant="subtle" onClick={() => setShown(shown + PAGE)}>
              {say("more")}
            </Button>
          )}
        </Stack>
      </Dialog>
      {form && <CheckedForm checked={form.checked} close={() => setForm(undefined)} />}
    </>
  );
}
