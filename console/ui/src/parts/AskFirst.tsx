import { Button, Group, Modal, Stack, Text, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useTexts } from "../texts";
import { Elapsed } from "./Doing";

// Escape is handled here: a dialog below would close with this one.
const OWN_ESCAPE = { "data-mantine-stop-propagation": true };

/** A button for what hurts when it is pressed by mistake: a second one acts, beside what will happen. */
export function AskFirst({
  name,
  text,
  act,
  pending,
  asking: more,
  confirm = name,
  opened,
  closed,
  refused = false,
  ...button
}: {
  name: string;
  text: string;
  /** Acts, and calls `done` when that has ended. */
  act: (done: () => void) => void;
  pending: boolean;
  /** What else is shown before the second button. */
  asking?: ReactNode;
  /** The name of the second button. */
  confirm?: string;
  /** Called when it is opened. */
  opened?: () => void;
  /** Called when it was closed. */
  closed?: () => void;
  /** Whether it cannot be done, as `asking` tells. */
  refused?: boolean;
} & Omit<ButtonProps, "children" | "loading">) {
  const { say } = useTexts();
  const [asked, { open, close }] = useDisclosure(false, { onOpen: opened, onClose: closed });
  return (
    <>
      <Button {...button} loading={pending} onClick={open}>
        {name}
      </Button>
      <Modal opened={asked} onClose={close} title={<b>{name}</b>} withCloseButton={false} centered>
        <Stack
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            close();
          }}
        >
          <Text size="sm">{text}</Text>
          {more}
          {pending && <Elapsed />}
          <Group justify="end">
            <Button {...OWN_ESCAPE} data-autofocus variant="subtle" color="gray" onClick={close}>
              {say("cancel")}
            </Button>
            <Button
              {...OWN_ESCAPE}
              color={button.color === "red" ? "red" : undefined}
              loading={pending}
              disabled={refused}
              onClick={() => act(close)}
            >
              {confirm}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
