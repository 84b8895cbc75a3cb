/** Items of the catalogue from a spreadsheet: what each row adds or changes is looked at, then all are saved together. */
import { Alert, Badge, Button, Checkbox, Group, Paper, Stack, Text } from "@mantine/core";
import { IconTable } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "./Dialog";
import {
  ApiError,
  ask,
  get,
  isConflict,
  upload,
  withQuery,
  type MadeItems,
  type Section,
  type SheetItem,
  type SheetItems,
} from "../api";
import { sayIfKnown, useTexts } from "../texts";
import { useMutation } from "./acting";
import { sectionName } from "./Catalogue";
import { useCatalogueSheetTexts } from "./catalogue_sheet_texts";
import { Doing } from "./Doing";
import { useLeaving } from "./leaving";
import { tell, tellError } from "./parts";
import { Fault } from "./Removal";
import { TableFile } from "./TableFile";
import { useTableFault } from "./table_texts";

const CONTACTS = ["school", "counselling"];

/** Whether items of a section can come from a spreadsheet. */
export const takesSheet = ({ id, grows }: Section) => grows && !CONTACTS.includes(id);

/** The imports of a school's dimensions: cohorts, majors, programmes and its own. */
export function DimensionSheets() {
  const found = useQuery({
    queryKey: ["catalogue"],
    queryFn: () => get<{ sections: Section[] }>("/catalogue"),
  });
  const sections = found.data?.sections.filter((each) => takesSheet(each) && each.name) ?? [];
  return sections.map((each) => <CatalogueSheet key={each.id} section={each} named />);
}

export function CatalogueSheet({ section, named = false }: { section: Section; named?: boolean }) {
  const { say, language } = useTexts();
  const told = useCatalogueSheetTexts();
  const tableFault = useTableFault();
  const queries = useQueryClient();
  const [file, setFile] = useState<File>();
  const [sheet, setSheet] = useState<SheetItems>();
  const [chosen, setChosen] = useState<Set<number>>(new Set());
  const items = sheet?.items ?? [];
  const ready = (item: SheetItem) => item.faults.length === 0 && item.changes.length > 0;
  const reading = useMutation({
    mutationFn: (given: File) =>
      upload<SheetItems>(
        withQuery("/catalogue-sheet", { section: section.id, name: given.name }),
        given,
        () => undefined,
      ),
    onSuccess: (read) => {
      setSheet(read);
      setChosen(new Set(read.items.filter(ready).map(({ line }) => line)));
      saving.reset();
    },
    onError: (error) => {
      const code = error instanceof ApiError ? error.code : "";
      const own =
        code === "sheet_columns" ? told("columns") : code === "sheet_no_items" ? told("no_items") : "";
      tellError(say, new Error(own || tableFault(error)));
    },
  });
  const taken = items.filter((item) => chosen.has(item.line));
  const saving = useMutation({
    mutationFn: () =>
      ask<MadeItems>("POST", "/catalogue-sheet/items", {
        section_id: section.id,
        items: taken.map(({ id, version, fields }) => ({ ...fields, id, version })),
      }),
    onSuccess: ({ count, warnings }) => {
      tell([told("published", { n: count }), ...warnings].join("\n"));
      setSheet(undefined);
      void queries.invalidateQueries();
    },
  });
  const leave = useLeaving(sheet !== undefined, () => setSheet(undefined), saving.isPending);
  const name = sectionName(say, language, section);
  const faulty = items.filter(({ faults }) => faults.length > 0).length;
  return (
    <>
      <TableFile
        name={named ? told("open_for", { name }) : told("open")}
        accept=".xlsx,.csv"
        chosen={(given) => {
          setFile(given);
          reading.mutate(given);
        }}
        variant="default"
        {...(named && { size: "xs" })}
        leftSection={<IconTable size={16} />}
        loading={reading.isPending}
      />
      <Dialog
        opened={sheet !== undefined}
        onClose={leave}
        title={<b>{told("title", { section: name, n: items.length })}</b>}
        size="60rem"
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": say("close") }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {told("help")} {!!sheet?.unread.length && told("unread", { names: sheet.unread.join(", ") })}
          </Text>
          {faulty > 0 && <Alert color="orange">{told("faulty", { n: faulty })}</Alert>}
          {!items.some(ready) && !faulty && <Alert color="green">{told("nothing")}</Alert>}
          <Stack gap={6} mah="50vh" style={{ overflowY: "auto" }} data-testid="sheet">
            {items.map((item) => (
              <ItemCard
                key={item.line}
                item={item}
                chosen={chosen.has(item.line)}
                disabled={!ready(item)}
                choose={(isChosen) => {
                  const next = new Set(chosen);
                  if (isChosen) next.add(item.line);
                  else next.delete(item.line);
                  setChosen(next);
                }}
              />
            ))}
          </Stack>
          {isConflict(saving.error) ? (
            <Alert color="orange" data-testid="sheet-conflict">
              <Stack gap="xs" align="start">
                {told("conflict")}
                <Button
                  size="xs"
                  variant="default"
                  loading={reading.isPending}
                  onClick={() => file && reading.mutate(file)}
                >
                  {told("again")}
                </Button>
              </Stack>
            </Alert>
          ) : (
            saving.error && <Fault error={saving.error} />
          )}
          <Doing task="check" pending={saving.isPending} />
          <Group justify="end">
            <Button variant="default" onClick={leave}>
              {say("cancel")}
            </Button>
            <Button onClick={() => saving.mutate()} loading={saving.isPending} disabled={!taken.length}>
              {told("publish", { n: taken.length })}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

/** A row: what it adds or changes, field by field, and what is wrong with it. */
function ItemCard({
  item,
  chosen,
  disabled,
  choose,
}: {
  item: SheetItem;
  chosen: boolean;
  disabled: boolean;
  choose: (chosen: boolean) => void;
}) {
  const { say } = useTexts();
  const told = useCatalogueSheetTexts();
  const state = !item.changes.length ? "same" : item.version ? "changed" : "new";
  return (
    <Paper withBorder p="sm" data-testid="sheet-item">
      <Group wrap="nowrap" align="start">
        <Checkbox
          aria-label={item.name || told("row", { n: item.line })}
          checked={chosen}
          disabled={disabled}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
        <div style={{ flexGrow: 1, minWidth: 0, overflowWrap: "anywhere" }}>
          <Group gap="xs" justify="space-between" align="start">
            <Text size="sm" fw={550}>
              {item.name || told("row", { n: item.line })}{" "}
              <Text span size="xs" c="dimmed">
                {item.id}
              </Text>
            </Text>
            <Badge
              variant="light"
              tt="none"
              color={state === "new" ? "green" : state === "changed" ? "blue" : "gray"}
            >
              {told(state)}
            </Badge>
          </Group>
          {item.changes.map(({ field, before, after }) => (
            <Text key={field} size="xs">
              <Text span size="xs" c="dimmed">
                {sayIfKnown(say, `field.${field}`, sayIfKnown(say, `entry.${field}`, field))}:
              </Text>{" "}
              {before && <del>{before.split("\n").join(", ")}</del>} {after.split("\n").join(", ")}
            </Text>
          ))}
          {item.faults.map(({ field, column, message }) => (
            <Text key={`${field} ${message}`} size="xs" c="red">
              {column
                ? told("column", { n: item.line, column, message })
                : told("no_column", { n: item.line, message })}
            </Text>
          ))}
        </div>
      </Group>
    </Paper>
  );
}
