import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTexts } from "../texts";

const KEPT = "covan-console-took-";
/** Waits up to this are too short to count. */
const SHORT_S = 2;

/** What goes on while somebody waits: for how many seconds now, and how many it took here the last time. */
export function Doing({ task, pending }: { task: "try" | "publish" | "ask" | "check"; pending: boolean }) {
  return pending && <Counting task={task} />;
}

/** For how many whole seconds this is shown, or since a time in milliseconds since 1970. */
export function useSeconds(since?: number): number {
  const [shownAt] = useState(() => Date.now());
  const [now, setNow] = useState(shownAt);
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(ticking);
  }, []);
  return Math.max(0, Math.round((now - (since ?? shownAt)) / 1000));
}

/** How long it is waited, once that is worth telling. */
export function Seconds({ since }: { since?: number }) {
  const { say } = useTexts();
  const seconds = useSeconds(since);
  return seconds > SHORT_S && say("doing.seconds", { n: seconds });
}

/** For how long an act goes on that has no words of its own. */
export function Elapsed() {
  const { say } = useTexts();
  const seconds = useSeconds();
  return (
    seconds > SHORT_S && (
      <Text size="xs" c="dimmed" role="status">
        {say("doing.seconds", { n: seconds })}
      </Text>
    )
  );
}

function Counting({ task }: { task: "try" | "publish" | "ask" | "check" }) {
  const { say } = useTexts();
  const seconds = useSeconds();
  const [before] = useState(() => Number(localStorage.getItem(KEPT + task)) || 0);
  useEffect(() => {
    const began = Date.now();
    return () => localStorage.setItem(KEPT + task, String(Math.round((Date.now() - began) / 1000)));
  }, [task]);
  return (
    <Text size="xs" c="dimmed" role="status">
      {[
        say(`doing.${task}`),
        before > SHORT_S && say("doing.before", { n: before }),
        seconds > SHORT_S && say("doing.seconds", { n: seconds }),
      ]
        .filter(Boolean)
        .join(" ")}
    </Text>
  );
}
