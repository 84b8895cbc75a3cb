import { get, type Entry } from "../api";
import { useTexts } from "../texts";
import { useMutation } from "./acting";
import { tellError } from "./parts";

/** Return the action that gets an entry by its id, for a form. */
export function useOpenedEntry(opened: (entry: Entry) => void) {
  const { say } = useTexts();
  return useMutation({
    mutationFn: (id: string) => get<Entry>(`/faq/entries/${encodeURIComponent(id)}`),
    onSuccess: opened,
    onError: (error) => tellError(say, error),
  });
}
