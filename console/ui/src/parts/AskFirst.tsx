import { Button, Group, Stack, Text, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Dialog } from "./Dialog";
import { useTexts } from "../texts";
import { Elapsed } from "./Doing";

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
      <Dialog opened={asked} onClose={close} title={<b>{name}</b>} withCloseButton={false} centered>
        <Stack>
          <Text size="sm">{text}</Text>
          {more}
          {pending && <Elapsed />}
          <Group justify="end">
            <Button data-autofocus variant="subtle" color="gray" onClick={close}>
              {say("cancel")}
            </Button>
            <Button
              color={button.color === "red" ? "red" : undefined}
              loading={pending}
              disabled={refused}
              onClick={() => act(close)}
            >
              {confirm}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
