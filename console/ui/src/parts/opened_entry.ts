import { ApiError, get, type Entry, type KeptDraft, type KeptEntry } from "../api";
import { useTexts } from "../texts";
import { useMutation } from "./acting";
import { tellError } from "./parts";

const entry = (id: string) => get<Entry>(`/faq/entries/${encodeURIComponent(id)}`);

/** Return the action that gets an entry by its id, for a form. */
export function useOpenedEntry(opened: (entry: Entry) => void) {
  const { say } = useTexts();
  return useMutation({
    mutationFn: entry,
    onSuccess: opened,
    onError: (error) => tellError(say, error),
  });
}

/** Return the action that gets a kept draft by its number, and the entry that it changes, for a form. */
export function useOpenedEntryDraft(
  opened: (found: { kept: KeptDraft<KeptEntry>; entry: Entry | undefined }) => void,
) {
  const { say } = useTexts();
  return useMutation({
    mutationFn: async (id: number) => {
      const kept = await get<KeptDraft<KeptEntry>>(`/drafts/${id}`);
      return { kept, entry: await entryOf(kept) };
    },
    onSuccess: opened,
    onError: (error) => tellError(say, error),
  });
}

/** The entry that a draft changes; undefined for a new one and for one that is gone. */
async function entryOf({ draft }: KeptDraft<KeptEntry>): Promise<Entry | undefined> {
  if (!draft.entry_id) return undefined;
  try {
    return await entry(draft.entry_id);
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return undefined;
    throw error;
  }
}
