/** Notifications of the browser: of a student who begins to wait, and of a conversation that is handed on to somebody. */
import { useEffect, useRef } from "react";
import type { OpenConversation } from "../api";
import { useTexts } from "../texts";

const WORKER = "/notifications.js";

/** Whether the person can still be asked to allow notifications. */
export const mayAskToNotify = () => "Notification" in window && Notification.permission === "default";

/** Show a notification. A browser that shows none leaves the pages as they are. */
function notify(title: string, tag: string): void {
  try {
    new Notification(title, { tag });
  } catch {
    // Chrome on Android has the constructor, and throws: its notifications come from a service worker.
    void navigator.serviceWorker
      ?.register(WORKER)
      .then(() => navigator.serviceWorker.ready)
      .then((worker) => worker.showNotification(title, { tag }))
      .catch(() => undefined);
  }
}

/** Tell of a conversation that waits or is handed on to `me`, and was not before, where the person has allowed it. */
export function useWaitingNotification(conversations: OpenConversation[] | undefined, me: string): void {
  const { say } = useTexts();
  const known = useRef<Map<number, OpenConversation>>(undefined);
  useEffect(() => {
    if (!conversations) return;
    const before = known.current;
    known.current = new Map(conversations.map((each) => [each.id, each]));
    if (!before || !("Notification" in window) || Notification.permission !== "granted") return;
    const waits = ({ id, status }: OpenConversation) =>
      status === "waiting" && before.get(id)?.status !== "waiting";
    // Who takes a waiting conversation needs not be told.
    const isHanded = ({ id, taken_by, status }: OpenConversation) => {
      const was = before.get(id);
      return status === "taken" && taken_by === me && was?.status === "taken" && was.taken_by !== me;
    };
    if (conversations.some(waits)) notify(say("inbox.new"), "covan-inbox");
    if (conversations.some(isHanded)) notify(say("inbox.handed_to_me"), "covan-handed");
  }, [conversations, me, say]);
}
