/** The labels of a file of questions that name nothing of the school, each with its row. */
import { Alert, List, Text } from "@mantine/core";
import type { UnknownLabel } from "../api";
import { saying, useTexts } from "../texts";

const SAY = {
  vi: saying({
    title: "{n} chỗ trong tệp câu hỏi không khớp với dữ liệu của trường",
    why: "Câu hỏi ở dòng ấy có thể bị tính là sai dù Covan trả lời đúng. Sửa tệp rồi tải lên lại; tên đúng tìm được ở cuối trang này.",
    line: "Dòng {line}, ",
    unknown: "cột {column}: trường không có “{value}”",
    empty: "cột {column} để trống: câu trả lời nào cũng bị tính là sai",
    unread: "cột {column} không được dùng đến",
  }),
  en: saying({
    title: "{n} {n|place|places} in the file of questions {n|does|do} not go with the school's data",
    why: "A question of such a row may count as wrong although Covan answers it rightly. Mend the file and upload it again; the right names are found at the end of this page.",
    line: "Row {line}, ",
    unknown: "column {column}: the school has no “{value}”",
    empty: "column {column} is empty: every answer counts as wrong",
    unread: "nobody reads the column {column}",
  }),
};

export function UnknownLabels({ labels }: { labels: UnknownLabel[] }) {
  const say = SAY[useTexts().language];
  if (labels.length === 0) return null;
  return (
    <Alert color="yellow" title={say("title", { n: labels.length })} data-testid="unknown-labels">
      <Text size="sm">{say("why")}</Text>
      <List size="sm" mah="16rem" style={{ overflow: "auto", overflowWrap: "anywhere" }}>
        {labels.map(({ line, column, value, why }) => (
          <List.Item key={`${line} ${column} ${value}`}>
            {why !== "unread" && say("line", { line })}
            {say(why, { column, value })}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
