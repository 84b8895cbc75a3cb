/** Forms that ask before what was written there is dropped. */
import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useTexts } from "../texts";

/** What a form holds now. */
interface Held {
  written: boolean;
  question: string;
}

/** The forms on the page that something was written in. */
const forms = new Set<{ current: Held }>();

/** Return whether the page may be left: when something is written there, the person is asked first, and once. */
export function mayLeave(): boolean {
  const written = [...forms].filter((each) => each.current.written);
  const [first] = written;
  if (first && !window.confirm(first.current.question)) return false;
  for (const each of written) each.current.written = false;
  return true;
}

/**
 * Ask before what is written is dropped: by the browser's way back, by another page of the console, by closing the tab.
 * Return the function that ends this, for a form that was saved or given up.
 */
export function useAsking(written: boolean): () => void {
  const { say } = useTexts();
  const latest = useRef<Held>({ written, question: "" });
  // A key may follow the last letter at once, before a dialog listens with the newest function: this one reads what holds
  // now.
  useLayoutEffect(() => {
    latest.current = { written, question: say("leave.ask") };
  });
  useEffect(() => {
    if (!written) return;
    forms.add(latest);
    if (forms.size === 1) listen();
    return () => {
      forms.delete(latest);
      if (forms.size === 0) stopListening();
    };
  }, [written]);
  return useCallback(() => {
    latest.current.written = false;
  }, []);
}

/**
 * Return how to leave a form in a dialog: when something was written there, the person is asked first. While it is
 * `pending`, being saved, it stays: it would look as if it were given up.
 */
export function useLeaving(written: boolean, leave: () => void, pending = false): () => void {
  const { say } = useTexts();
  const end = useAsking(written);
  const latest = useRef({ written, leave, pending, question: "" });
  useLayoutEffect(() => {
    latest.current = { written, leave, pending, question: say("leave.ask") };
  });
  return useCallback(() => {
    const { written, leave, pending, question } = latest.current;
    if (pending) return;
    if (written && !window.confirm(question)) return;
    end();
    leave();
  }, [end]);
}

// Browsers of 2025 and before may have no `navigation`: there the way back and the menu do not ask.
function listen(): void {
  window.navigation?.addEventListener("navigate", askBeforeGoing);
  window.addEventListener("beforeunload", askBeforeClosing);
}

function stopListening(): void {
  window.navigation?.removeEventListener("navigate", askBeforeGoing);
  window.removeEventListener("beforeunload", askBeforeClosing);
}

function askBeforeGoing(event: NavigateEvent): void {
  const isWithin = event.navigationType === "traverse" || event.destination.sameDocument;
  if (isWithin && event.cancelable && !mayLeave()) event.preventDefault();
}

function askBeforeClosing(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
