/** Forms that ask before what was written there is dropped. */
import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useTexts } from "../texts";

/**
 * Return how to leave a form: when something was written there, the person is asked first. The browser's way back and
 * closing the page ask, too.
 */
export function useLeaving(written: boolean, leave: () => void): () => void {
  const { say } = useTexts();
  const latest = useRef({ written, leave, question: "" });
  // A key may follow the last letter at once, before a dialog listens with the newest function: this one reads what holds
  // now.
  useLayoutEffect(() => {
    latest.current = { written, leave, question: say("leave.ask") };
  });
  useEffect(() => {
    if (!written) return;
    const askBeforeGoingBack = (event: NavigateEvent) => {
      if (event.navigationType !== "traverse" || !event.cancelable) return;
      if (!window.confirm(latest.current.question)) event.preventDefault();
    };
    const askBeforeClosing = (event: BeforeUnloadEvent) => event.preventDefault();
    // Browsers of 2025 and before may have no such object: there the way back does not ask.
    window.navigation?.addEventListener("navigate", askBeforeGoingBack);
    window.addEventListener("beforeunload", askBeforeClosing);
    return () => {
      window.navigation?.removeEventListener("navigate", askBeforeGoingBack);
      window.removeEventListener("beforeunload", askBeforeClosing);
    };
  }, [written]);
  return useCallback(() => {
    const { written, leave, question } = latest.current;
    if (!written || window.confirm(question)) leave();
  }, []);
}
