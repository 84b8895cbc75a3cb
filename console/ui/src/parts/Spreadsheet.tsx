/** Entries from a spreadsheet: the rows are looked at, given their topics, and published together. */
import { Alert, Badge, Button, Checkbox, Group, Paper, Select, Stack, Text } from "@mantine/core";
import { IconTable } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "./Dialog";
import { ask, upload, withQuery, type SheetRow, type SheetRows, type MadeEntries } from "../api";
import { useTexts } from "../texts";
import { NoVersions } from "./NoVersions";
import { Doing } from "./Doing";
import { plainText } from "./Markdown";
import { useLeaving } from "./leaving";
import { errorText, tell, tellError } from "./parts";
import { PublicContacts } from "./PublicContacts";
import { useTableFault, useTableTexts } from "./table_texts";
import { useMutation } from "./acting";
import { TableFile } from "./TableFile";

export function Spreadsheet({ topics }: { topics: { id: string; name: string }[] }) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const [rows, setRows] = useState<SheetRow[]>([]);
  const [chosen, setChosen] = useState<Set<number>>(new Set());
  const [others, setOthers] = useState<string | null>(null);
  const [confirmed, setConfirmed] = useState<string[]>([]);
  const [created, setCreated] = useState<string[]>([]);
  const tableFault = useTableFault();
  const told = useTableTexts();
  const reading = useMutation({
    mutationFn: (file: File) =>
      upload<SheetRows>(withQuery("/faq/spreadsheet", { name: file.name }), file, () => undefined),
    onSuccess: (read) => {
      setRows(read.rows);
      const ready = read.rows.filter(
        (row) => !row.faults.length && !row.known && !row.contacts.length && !row.same.length,
      );
      setChosen(new Set(ready.map((row) => row.line)));
      setConfirmed([]);
      setCreated([]);
    },
    onError: (error) => tellError(say, new Error(tableFault(error))),
  });
  const taken = rows.filter((row) => chosen.has(row.line));
  const lacking = rows.filter((row) => row.new_topic && !row.topic && !row.faults.length);
  const offered = [...new Map(lacking.map((row) => [row.new_topic, row.unknown_topic]))];
  const topicOf = (row: SheetRow) =>
    row.topic || (created.includes(row.new_topic) ? row.new_topic : (others ?? ""));
  const isNew = (id: string) => taken.some((row) => topicOf(row) === id);
  const added = offered
    .filter(([id]) => created.includes(id) && isNew(id))
    .map(([id, name]) => ({ id, name }));
  const publishing = useMutation({
    mutationFn: () =>
      ask<MadeEntries>("POST", "/faq/spreadsheet/entries", {
        entries: taken.map((row) => ({
          question: row.question,
          answer: row.answer,
          variants: row.variants,
          topic: topicOf(row),
        })),
        new_topics: added,
        public_contacts: confirmed,
      }),
    onSuccess: ({ ids }) => {
      tell(
        added.length
          ? told("published_topics", { n: ids.length })
          : say("sheet.published", { n: ids.length }),
      );
      setRows([]);
      void queries.invalidateQueries();
    },
  });
  const change = (line: number, topic: string | null) =>
    setRows(rows.map((row) => (row.line === line ? { ...row, topic: topic ?? "" } : row)));
  const choices = topics.map(({ id, name }) => ({ value: id, label: name }));
  const contacts = [...new Set(taken.flatMap((row) => row.contacts))];
  const untold = taken.some((row) => !topicOf(row));
  const leave = useLeaving(rows.length > 0, () => setRows([]), publishing.isPending);
  return (
    <>
      <TableFile
        name={say("sheet.open")}
        accept=".xlsx,.csv"
        chosen={reading.mutate}
        variant="default"
        leftSection={<IconTable size={16} />}
        loading={reading.isPending}
      />
      <Dialog
        opened={rows.length > 0}
        onClose={leave}
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
          {offered.length > 0 && (
            <Checkbox.Group
              label={told("new_topics")}
              description={told("new_topics_help")}
              value={created}
              onChange={setCreated}
            >
              <Stack gap={6} mt={6}>
                {offered.map(([id, name]) => (
                  <Checkbox
                    key={id}
                    value={id}
                    label={told("new_topic", {
                      name,
                      n: lacking.filter((row) => row.new_topic === id).length,
                    })}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
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
                      {plainText(row.answer)}
                    </Text>
                    <Group gap={4} mt={4}>
                      {row.known && (
                        <Badge color="orange" variant="light" tt="none">
                          {say("sheet.known", { question: row.known })}
                        </Badge>
                      )}
                      {row.same.length > 0 && (
                        <Badge color="orange" variant="light" tt="none">
                          {told("same", { lines: row.same.join(", ") })}
                        </Badge>
                      )}
                      {row.unknown_topic && !topicOf(row) && (
                        <Badge color="orange" variant="light" tt="none">
                          {say("sheet.unknown_topic", { name: row.unknown_topic })}
                        </Badge>
                      )}
                      {row.contacts.length > 0 && (
                        <Badge color="orange" variant="light" tt="none">
                          {say("sheet.contacts", { contacts: row.contacts.join(", ") })}
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
          <PublicContacts contacts={contacts} confirmed={confirmed} confirm={setConfirmed} />
          {publishing.error && (
            <Alert color="red" style={{ whiteSpace: "pre-wrap" }}>
              {errorText(say, publishing.error)}
            </Alert>
          )}
          <NoVersions />
          <Doing task="publish" pending={publishing.isPending} />
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {untold ? say("sheet.topic_missing") : ""}
            </Text>
            <Group>
              <Button variant="default" onClick={leave}>
                {say("cancel")}
              </Button>
              <Button
                onClick={() => publishing.mutate()}
                loading={publishing.isPending}
                disabled={!taken.length || untold || contacts.some((each) => !confirmed.includes(each))}
              >
                {say("sheet.publish", { n: taken.length })}
              </Button>
            </Group>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
