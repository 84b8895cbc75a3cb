/** Entries from a spreadsheet: the rows are looked at, given their topics, and published together. */
import {
  Alert,
  Badge,
  Button,
  Checkbox,
  FileButton,
  Group,
  Modal,
  Paper,
  Select,
  Stack,
  Text,
} from "@mantine/core";
import { IconTable } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, upload, withQuery, type SheetRow } from "../api";
import { useTexts } from "../texts";
import { Doing } from "./Doing";
import { errorText, tell, tellError } from "./parts";

export function Spreadsheet({ topics }: { topics: { id: string; name: string }[] }) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const [rows, setRows] = useState<SheetRow[]>([]);
  const [chosen, setChosen] = useState<Set<number>>(new Set());
  const [others, setOthers] = useState<string | null>(null);
  const reading = useMutation({
    mutationFn: (file: File) =>
      upload<{ rows: SheetRow[] }>(withQuery("/faq/spreadsheet", { name: file.name }), file, () => undefined),
    onSuccess: (read) => {
      setRows(read.rows);
      setChosen(new Set(read.rows.filter((row) => !row.faults.length && !row.known).map((row) => row.line)));
    },
    onError: (error) => tellError(say, error),
  });
  const taken = rows.filter((row) => chosen.has(row.line));
  const publishing = useMutation({
    mutationFn: () =>
      ask<{ ids: string[] }>("POST", "/faq/spreadsheet/entries", {
        entries: taken.map(({ question, answer, variants, topic }) => ({
          question,
          answer,
          variants,
          topic: topic || others,
        })),
      }),
    onSuccess: ({ ids }) => {
      tell(say("sheet.published", { n: ids.length }));
      setRows([]);
      void queries.invalidateQueries();
    },
  });
  const change = (line: number, topic: string | null) =>
    setRows(rows.map((row) => (row.line === line ? { ...row, topic: topic ?? "" } : row)));
  const choices = topics.map(({ id, name }) => ({ value: id, label: name }));
  const untold = taken.some((row) => !row.topic) && !others;
  return (
    <>
      <FileButton onChange={(file) => file && reading.mutate(file)} accept=".xlsx,.csv">
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<IconTable size={16} />}
            loading={reading.isPending}
          >
            {say("sheet.open")}
          </Button>
        )}
      </FileButton>
      <Modal
        opened={rows.length > 0}
        onClose={() => setRows([])}
        title={<b>{say("sheet.title", { n: rows.length })}</b>}
        size="70rem"
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": say("close") }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {say("sheet.help")}
          </Text>
          <Select
            label={say("sheet.others")}
            searchable
            value={others}
            onChange={setOthers}
            data={choices}
            maw={360}
          />
          <Stack gap={6} mah="50vh" style={{ overflowY: "auto" }} data-testid="sheet">
            {rows.map((row) => (
              <Paper key={row.line} withBorder p="sm">
                <Group wrap="nowrap" align="start">
                  <Checkbox
                    aria-label={row.question || String(row.line)}
                    checked={chosen.has(row.line)}
                    disabled={row.faults.length > 0}
                    onChange={(event) => {
                      const next = new Set(chosen);
                      if (event.currentTarget.checked) next.add(row.line);
                      else next.delete(row.line);
                      setChosen(next);
                    }}
                  />
                  <div style={{ flexGrow: 1 }}>
                    <Text size="sm" fw={550}>
                      {row.question || say("sheet.row", { n: row.line })}
                    </Text>
                    <Text size="xs" c="dimmed" lineClamp={2}>
                      {row.answer}
                    </Text>
                    <Group gap={4} mt={4}>
                      {row.known && (
                        <Badge color="orange" variant="light" tt="none">
                          {say("sheet.known", { question: row.known })}
                        </Badge>
                      )}
                      {row.faults.map((fault) => (
                        <Badge key={fault} color="red" variant="light" tt="none">
                          {say(`sheet.${fault}`)}
                        </Badge>
                      ))}
                    </Group>
                  </div>
                  <Select
                    aria-label={say("entry.topic")}
                    placeholder={say("entry.topic")}
                    size="xs"
                    w={180}
                    searchable
                    clearable
                    value={row.topic || null}
                    onChange={(topic) => change(row.line, topic)}
                    data={choices}
                  />
                </Group>
              </Paper>
            ))}
          </Stack>
          {publishing.error && (
            <Alert color="red" style={{ whiteSpace: "pre-wrap" }}>
              {errorText(say, publishing.error)}
            </Alert>
          )}
          <Doing task="publish" pending={publishing.isPending} />
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {untold ? say("sheet.topic_missing") : ""}
            </Text>
            <Group>
              <Button variant="default" onClick={() => setRows([])}>
                {say("cancel")}
              </Button>
              <Button
                onClick={() => publishing.mutate()}
                loading={publishing.isPending}
                disabled={!taken.length || untold}
              >
                {say("sheet.publish", { n: taken.length })}
              </Button>
            </Group>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
