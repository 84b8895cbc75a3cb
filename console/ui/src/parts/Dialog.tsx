/** Mantine's dialog; of several that are open, Escape closes the topmost alone, wherever the focus is. */
import { Modal, type ModalProps } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useLayoutEffect, useState } from "react";

/** Those that are open, the topmost last. */
const shown: symbol[] = [];

/** What a dialog has seen: the one below it becomes the topmost while the same key is still told to all. */
const seen = new WeakSet<Event>();

export function Dialog({ closeOnEscape = true, ...props }: ModalProps) {
  const [self] = useState(() => Symbol());
  const { opened, onClose } = props;
  useLayoutEffect(() => {
    if (!opened) return;
    shown.push(self);
    return () => void shown.splice(shown.indexOf(self), 1);
  }, [opened, self]);
  useWindowEvent(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || event.isComposing || seen.has(event) || shown.at(-1) !== self) return;
      seen.add(event);
      // An open list or calendar closes itself first.
      const isTaken =
        event.target instanceof Element && event.target.matches("[data-mantine-stop-propagation=true]");
      if (closeOnEscape && !isTaken) onClose();
    },
    { capture: true },
  );
  return <Modal {...props} closeOnEscape={false} />;
}
