/** Keeping what is written in a form as a draft, and going on with one that is kept. */
import { Alert, Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type ReactElement } from "react";
import { useNavigate } from "react-router-dom";
import { ask, get, isDraftConflict, type ApiError, type KeptDraft, type ListedDraft } from "../api";
import { useTexts } from "../texts";
import { Conflict } from "./Conflict";
import { DRAFTS, DraftState } from "./KeptDrafts";
import { useMutation } from "./acting";
import { useDraftTexts } from "./draft_texts";
import { mayLeave } from "./leaving";
import { errorText, firstFault, tell, tellError } from "./parts";

interface Form<D> {
  /** The draft that the form begins with. */
  begun: KeptDraft<D> | undefined;
  /** What is written. */
  draft: D;
  /** The fields of a draft by their names. */
  told: (draft: D) => Record<string, string>;
  /** Writes a draft into the form. */
  fill: (draft: D) => void;
  discarded: () => void;
  /** Whether what the draft changes is gone. */
  isOfGone?: boolean;
}

export interface Keeping {
  /** Whether something was written since the form began, or since it was kept. */
  isChanged: boolean;
  /** Publishes the draft of the form, if it has one, which is none then. */
  publish: <Done>(act: (of: { draft?: { id: number; version: number } }) => Promise<Done>) => Promise<Done>;
  /** Both drafts, when somebody else has saved or reviewed it meanwhile. */
  conflict: ReactElement | undefined;
  /** What is known of the draft; null without one. */
  state: ReactElement | null;
  /** The button that keeps what is written; `ready`: whether it can be kept. */
  button: (ready: boolean) => ReactElement;
}

export function useKeeping<D>({ begun, draft, told, fill, discarded, isOfGone = false }: Form<D>): Keeping {
  const { say } = useTexts();
  const drafts = useDraftTexts();
  const queries = useQueryClient();
  const [kept, setKept] = useState(begun);
  const written = JSON.stringify(draft, (name, value: unknown) =>
    name === "seen" || name === "seen_note" ? undefined : value,
  );
  const [last, setLast] = useState<string | undefined>(written);
  // A draft was written into the form: it is as it was kept.
  if (last === undefined) setLast(written);
  const latest = useMutation({
    mutationFn: async (fault: ApiError) => ({
      fault,
      theirs: await get<KeptDraft<D>>(`/drafts/${kept!.id}`),
    }),
  });
  const onFault = (error: Error) => {
    if (isDraftConflict(error)) latest.mutate(error);
  };
  const keeping = useMutation({
    mutationFn: async () => ({
      sent: written,
      made: await (kept
        ? ask<KeptDraft<D>>("PUT", `/drafts/${kept.id}`, { version: kept.version, draft })
        : ask<KeptDraft<D>>("POST", "/drafts", draft)),
    }),
    onSuccess: ({ sent, made }) => {
      tell(drafts("kept"));
      setKept(made);
      setLast(sent);
      void queries.invalidateQueries({ queryKey: DRAFTS });
    },
    onError: onFault,
  });
  const publish: Keeping["publish"] = async (act) => {
    try {
      const done = await act(kept ? { draft: { id: kept.id, version: kept.version } } : {});
      setKept(undefined);
      return done;
    } catch (error) {
      onFault(error as Error);
      throw error;
    }
  };
  const goOn = (theirs: KeptDraft<D>) => {
    setKept(theirs);
    keeping.reset();
    latest.reset();
  };
  const conflict = latest.data && (
    <Conflict
      title={drafts("conflict")}
      fault={latest.data.fault}
      of="draft"
      parts={Object.entries(told(draft)).map(([name, mine]) => ({
        name,
        mine,
        theirs: told(latest.data.theirs.draft)[name] ?? "",
      }))}
      loadTheirs={() => {
        fill(latest.data.theirs.draft);
        setLast(undefined);
        goOn(latest.data.theirs);
      }}
      takeLatest={() => goOn(latest.data.theirs)}
    />
  );
  const isChanged = last !== undefined && written !== last;
  const fault = firstFault(keeping.error, latest.error);
  return {
    isChanged,
    publish,
    conflict,
    state: (
      <>
        {kept && (
          <DraftState
            kept={kept}
            isChanged={isChanged}
            isOfGone={isOfGone}
            setKept={setKept}
            discarded={() => {
              setKept(undefined);
              discarded();
            }}
            onFault={onFault}
          />
        )}
        {fault && (
          <Alert color="red" style={{ whiteSpace: "pre-wrap" }}>
            {errorText(say, fault)}
          </Alert>
        )}
      </>
    ),
    button: (ready) => (
      <Button
        variant="light"
        disabled={!ready || (kept !== undefined && !isChanged)}
        loading={keeping.isPending}
        onClick={() => keeping.mutate()}
      >
        {drafts("keep")}
      </Button>
    ),
  };
}

/**
 * Opening kept drafts on a page that has what is open in its address: the draft that the form of `id` begins with, and a
 * number that is another one for each opening.
 */
export function useOpenedDraft<D>(
  id: string | undefined,
  page: string,
  placeOf: (draft: ListedDraft) => string,
) {
  const { say } = useTexts();
  const go = useNavigate();
  const [opened, setOpened] = useState<{ kept: KeptDraft<D>; place: string; isOfGone: boolean }>();
  const [times, setTimes] = useState(0);
  const opening = useMutation({
    mutationFn: async (listed: ListedDraft) => ({
      kept: await get<KeptDraft<D>>(`/drafts/${listed.id}`),
      place: placeOf(listed),
      isOfGone: listed.part === "gone",
    }),
    onSuccess: (draft) => {
      if (!mayLeave()) return;
      setOpened(draft);
      setTimes(times + 1);
      void go(`${page}/${encodeURIComponent(draft.place)}`);
    },
    onError: (error) => tellError(say, error),
  });
  useEffect(() => {
    setOpened((now) => (now && now.place !== id ? undefined : now));
  }, [id]);
  const isOpen = opened?.place === id;
  return {
    begun: isOpen ? opened?.kept : undefined,
    isOfGone: isOpen && opened?.isOfGone === true,
    times,
    open: (draft: ListedDraft) => opening.mutate(draft),
  };
}
