import { Alert, Button, Group, Stack, Textarea } from "@mantine/core";
import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { isConflict, type ApiError, type BuiltDraft } from "../api";
import { useTexts } from "../texts";
import { Conflict } from "./Conflict";
import { Doing } from "./Doing";
import { Invitations } from "./Invitations";
import { tell } from "./parts";
import { Fault } from "./Removal";

/** The frame of a form for topics or the catalogue: saving, faults, and both texts when the file has changed. */
export function DictionaryForm<T extends { version: string }>({
  about,
  mayWrite,
  mine,
  version,
  complete,
  moves = false,
  save,
  added,
  latest,
  load,
  draft,
  children,
}: {
  /** What is saved, by section and id. */
  about: string;
  mayWrite: boolean;
  mine: string;
  /** At which it was seen; "" for a new one. */
  version: string;
  complete: boolean;
  /** Whether it gets another id. */
  moves?: boolean;
  save: (version: string) => Promise<unknown>;
  /** What follows when a new one is saved, or one with another id. */
  added: () => void;
  latest: () => Promise<T | undefined>;
  load: (now: T) => void;
  /** What is written, for testers. */
  draft: BuiltDraft;
  children: ReactNode;
}) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const warnings = useQuery<string[]>({ queryKey: ["warnings", about], queryFn: skipToken });
  const [seen, setSeen] = useState(version);
  const [first, setFirst] = useState(mine);
  const [fault, setFault] = useState<ApiError>();
  const saving = useMutation({
    mutationFn: () => save(seen) as Promise<{ warnings: string[] }>,
    onSuccess: async ({ warnings }) => {
      tell(say("topics.saved"));
      // The form of a new one is another one from now on.
      queries.setQueryData(["warnings", about], warnings);
      setFirst(mine);
      if (!version || moves) added();
      await queries.invalidateQueries();
      const now = await latest();
      if (now) setSeen(now.version);
    },
    onError: (error) => {
      if (isConflict(error)) setFault(error);
    },
  });
  const taking = useMutation({
    mutationFn: latest,
    onSuccess: (now) => {
      setSeen(now?.version ?? "");
      setFault(undefined);
      saving.reset();
    },
  });
  if (fault)
    return (
      <Conflict
        title={say("topics.conflict")}
        fault={fault}
        parts={[{ mine, theirs: String(fault.detail.theirs ?? "") }]}
        loading={taking.isPending}
        loadTheirs={() => taking.mutate(undefined, { onSuccess: (now) => now && load(now) })}
        takeLatest={() => taking.mutate()}
      />
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack gap="sm">
        <fieldset disabled={!mayWrite} className="plain">
          <Stack gap="sm">{children}</Stack>
        </fieldset>
        {warnings.data?.map((each) => (
          <Alert key={each} color="yellow" data-testid="warning">
            {each}
          </Alert>
        ))}
        {saving.error && <Fault error={saving.error} />}
        {mayWrite && (
          <Group justify="space-between">
            <div style={{ flex: 1 }}>
              <Doing task="check" pending={saving.isPending} />
            </div>
            <Invitations draft={complete && mine !== first ? draft : null} />
            <Button type="submit" loading={saving.isPending} disabled={!complete || mine === first}>
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
