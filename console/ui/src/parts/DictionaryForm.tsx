import { Alert, Button, Group, Stack, Textarea } from "@mantine/core";
import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import {
  isConflict,
  type ApiError,
  type KeptDraft,
  type ChangedCataloguePart,
  type OldContacts,
  type SavedPart,
  type PartDraft,
  type TopicDraft,
} from "../api";
import { useTexts } from "../texts";
import { Conflict } from "./Conflict";
import { Doing } from "./Doing";
import { DraftCheck } from "./DraftCheck";
import { Invitations } from "./Invitations";
import { useKeeping } from "./keeping";
import { tell } from "./parts";
import { Fault } from "./Removal";
import { useMutation } from "./acting";
import { useAsking } from "./leaving";
import { Missing } from "./Missing";
import { NoVersions } from "./NoVersions";
import { OldContactPlaces } from "./OldContactPlaces";

/** The labels of the fields that the API may find wrong. */
const LABELS = { id: "topics.id", name: "field.name", name_en: "field.name_en" } as const;

/** What is told of a part that was saved. */
type Saved = SavedPart & Partial<Pick<ChangedCataloguePart, "old_contacts">>;

/** What a form may begin with, and go back to. */
export interface BegunForm<D extends TopicDraft | PartDraft> {
  begun: KeptDraft<D & { seen: string }> | undefined;
  /** Whether what the draft changes is gone. */
  isOfGone: boolean;
  discarded: () => void;
}

/** The frame of a form for topics or the catalogue: saving, faults, and both texts when the file has changed. */
export function DictionaryForm<T extends { version: string }, D extends TopicDraft | PartDraft>({
  about,
  mayWrite,
  mine,
  theirs,
  version,
  missing,
  moves = false,
  save,
  added,
  latest,
  load,
  draft,
  drafted,
  fill,
  begun,
  isOfGone,
  discarded,
  children,
}: {
  /** What is saved, by section and id. */
  about: string;
  mayWrite: boolean;
  /** What is written, by the names of its fields. */
  mine: Record<string, string>;
  /** The same fields of what stands in the file. */
  theirs: (now: T) => Record<string, string>;
  /** At which it was seen; "" for a new one. */
  version: string;
  /** The names of the fields that it lacks. */
  missing: (string | false)[];
  /** Whether it gets another id. */
  moves?: boolean;
  /** Saves over the version that was seen, from the draft that the form is of. */
  save: (of: { version: string; draft?: { id: number; version: number } }) => Promise<unknown>;
  /** What follows when a new one is saved, or one with another id. */
  added: () => void;
  latest: () => Promise<T | undefined>;
  load: (now: T) => void;
  /** What is written, for testers and for the check before it is saved. */
  draft: D;
  /** The fields of a draft, as `mine` has them. */
  drafted: (draft: D) => Record<string, string>;
  /** Writes a draft into the form. */
  fill: (draft: D) => void;
  children: ReactNode;
} & BegunForm<D>) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const warnings = useQuery<string[]>({ queryKey: ["warnings", about], queryFn: skipToken });
  const oldContacts = useQuery<OldContacts>({ queryKey: ["old-contacts", about], queryFn: skipToken });
  const complete = !missing.some(Boolean);
  const [seen, setSeen] = useState(begun?.draft.seen ?? version);
  const written = JSON.stringify(mine);
  // All that a draft has is still to be saved.
  const [first, setFirst] = useState(begun ? "" : written);
  const keeping = useKeeping<D & { seen: string }>({
    begun,
    draft: { ...draft, seen },
    told: drafted,
    fill: (kept) => {
      fill(kept);
      setSeen(kept.seen);
    },
    discarded,
    isOfGone,
  });
  const saved = useAsking(mayWrite && written !== first && keeping.isChanged);
  const saving = useMutation({
    mutationFn: async () => {
      const done = await keeping.publish((of) => save({ version: seen, ...of }));
      return { ...(done as Saved), sent: written, leaves: !version || moves };
    },
    onSuccess: async ({ warnings, old_contacts, sent, leaves }) => {
      tell(say("topics.saved"));
      // The form of a new one is another one from now on.
      queries.setQueryData(["warnings", about], warnings);
      queries.setQueryData(["old-contacts", about], old_contacts ?? { places: [], count: 0, replaces: [] });
      setFirst(sent);
      saved();
      if (leaves) added();
      await queries.invalidateQueries();
      const now = await latest();
      if (now) setSeen(now.version);
    },
    onError: (error) => {
      if (isConflict(error)) meanwhile.mutate(error);
    },
  });
  // Another form takes its place once it is saved, and would drop what is typed until then.
  const isLeft = saving.isPending ? !version || moves : saving.data?.leaves;
  const meanwhile = useMutation({
    mutationFn: async (fault: ApiError) => ({ fault, now: await latest() }),
  });
  if (meanwhile.data) {
    const { fault, now } = meanwhile.data;
    const stands = now ? theirs(now) : {};
    const goOn = () => {
      setSeen(now?.version ?? "");
      saving.reset();
      meanwhile.reset();
    };
    return (
      <Conflict
        title={say("topics.conflict")}
        fault={fault}
        parts={Object.entries(mine).map(([name, text]) => ({ name, mine: text, theirs: stands[name] ?? "" }))}
        loadTheirs={() => {
          if (now) load(now);
          goOn();
        }}
        takeLatest={goOn}
      />
    );
  }
  if (keeping.conflict) return keeping.conflict;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack gap="sm">
        {keeping.state}
        <fieldset disabled={!mayWrite || isLeft} className="plain">
          <Stack gap="sm">{children}</Stack>
        </fieldset>
        {warnings.data?.map((each) => (
          <Alert key={each} color="yellow" data-testid="warning">
            {each}
          </Alert>
        ))}
        {!!oldContacts.data?.count && (
          <OldContactPlaces
            of={oldContacts.data}
            changed={(left) => queries.setQueryData(["old-contacts", about], left)}
          />
        )}
        {saving.error && <Fault error={meanwhile.error ?? saving.error} labels={LABELS} />}
        {mayWrite && (
          <DraftCheck
            draft={draft}
            version={seen}
            ready={complete && written !== first}
            load={(kept, version) => {
              fill(kept);
              setSeen(version);
            }}
          />
        )}
        {mayWrite && written !== first && <NoVersions />}
        {mayWrite && written !== first && <Missing names={missing} />}
        {mayWrite && (
          <Group justify="space-between">
            <div style={{ flex: 1 }}>
              <Doing task="check" pending={saving.isPending} />
            </div>
            <Invitations draft={complete && written !== first ? draft : null} />
            {keeping.button(complete && written !== first)}
            <Button type="submit" loading={saving.isPending} disabled={!complete || written === first}>
              {say("save")}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** A list of texts, one a line. */
export function Lines({
  label,
  description,
  value,
  set,
}: {
  label: string;
  description: string;
  value: string[];
  set: (value: string[]) => void;
}) {
  const [text, setText] = useState(value.join("\n"));
  const lines = text
    .split("\n")
    .map((each) => each.trim())
    .filter(Boolean);
  // Loaded anew meanwhile.
  const shown = lines.join("\n") === value.join("\n") ? text : value.join("\n");
  return (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={2}
      maxRows={10}
      value={shown}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        set([
          ...new Set(
            next
              .split("\n")
              .map((each) => each.trim())
              .filter(Boolean),
          ),
        ]);
      }}
    />
  );
}
