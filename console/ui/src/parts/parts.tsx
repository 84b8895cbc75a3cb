/** What several pages show. */
import { Badge, Button, Center, Group, Loader, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconArrowLeft } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ApiError, isConflict } from "../api";
import type { Key } from "../locales/vi";
import { sayIfKnown, useTexts, type Say } from "../texts";

export function Page({
  title,
  aside,
  intro,
  children,
}: {
  title: string;
  aside?: ReactNode;
  intro?: string;
  children: ReactNode;
}) {
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="wrap">
        <div>
          <Title order={2} size="h3">
            {title}
          </Title>
          {intro && (
            <Text c="dimmed" size="sm">
              {intro}
            </Text>
          )}
        </div>
        {aside}
      </Group>
      {children}
    </Stack>
  );
}

/** The first of some errors that is no conflict: those are shown beside both texts. */
export function firstFault(...errors: (Error | null)[]): Error | undefined {
  return errors.find((error): error is Error => error !== null && !isConflict(error));
}

/** The button that loads more of a list. */
export function More({
  list: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}) {
  const { say } = useTexts();
  return (
    hasNextPage && (
      <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {say("more")}
      </Button>
    )
  );
}

/** Back from what is shown to the list it was chosen from: on a phone, or always where it hides that list. */
export function Back({ name, go, always = false }: { name: Key; go: () => void; always?: boolean }) {
  const { say } = useTexts();
  return (
    <Button
      hiddenFrom={always ? undefined : "md"}
      variant="subtle"
      size="compact-sm"
      leftSection={<IconArrowLeft size={16} />}
      onClick={go}
      style={{ alignSelf: "start" }}
    >
      {say(name)}
    </Button>
  );
}

/** An empty state that says what will be here, and what to do. */
export function Empty({
  icon,
  title,
  text,
  children,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="xs" maw={460} mx="auto" ta="center">
        <ThemeIcon size={48} radius="xl" variant="light">
          {icon}
        </ThemeIcon>
        <Text fw={600}>{title}</Text>
        <Text c="dimmed" size="sm">
          {text}
        </Text>
        {children}
      </Stack>
    </Paper>
  );
}

export function Waiting() {
  const { say } = useTexts();
  return (
    <Center py="xl" role="status">
      <Group gap="xs">
        <Loader size="sm" aria-hidden />
        <Text size="sm" c="dimmed">
          {say("loading")}
        </Text>
      </Group>
    </Center>
  );
}

export function Failed({ error, retry }: { error: Error; retry: () => void }) {
  const { say } = useTexts();
  return (
    <Paper withBorder p="lg" role="alert">
      <Stack align="center" gap="sm">
        <Text>{errorText(say, error)}</Text>
        <Button variant="light" onClick={retry}>
          {say("retry")}
        </Button>
      </Stack>
    </Paper>
  );
}

/** Return what an error means to the person at the page; `labels` are those of the form's fields. */
export function errorText(say: Say, error: Error, labels: Partial<Record<string, Key>> = {}): string {
  if (!(error instanceof ApiError)) return error.message;
  // The server says these in the reader's language; its other messages are English, for the log.
  if (["faulty", "invalid"].includes(error.code))
    return error.message.replace(/'(\w+)'/g, (name, field: string) => {
      const label = labels[field];
      return label ? `“${say(label)}”` : name;
    });
  const { code, status } = error;
  const otherwise =
    status === 403 ? "forbidden" : status === 429 ? "too_often" : status < 500 ? "refused" : "server";
  return sayIfKnown(say, `error.${code}`, say(`error.${otherwise}`, { code: code || status }));
}

export function tellError(say: Say, error: Error): void {
  notifications.show({ color: "red", message: errorText(say, error) });
}

export function tell(message: string): void {
  notifications.show({ color: "green", message });
}

const DECISION_COLOURS: Record<string, string> = {
  answer: "green",
  clarify: "blue",
  no_answer: "orange",
  passed_on: "grape",
  "": "gray",
};

export function DecisionBadge({ decision }: { decision: string }) {
  const { say } = useTexts();
  return (
    <Badge variant="light" color={DECISION_COLOURS[decision] ?? "gray"} tt="none">
      {sayIfKnown(say, `decision.${decision}`, decision)}
    </Badge>
  );
}

export function WhyBadges({ why }: { why: Record<string, number> | string[] }) {
  const { say } = useTexts();
  const counts = Array.isArray(why) ? why.map((each): [string, number] => [each, 1]) : Object.entries(why);
  const colours: Record<string, string> = {
    thumbs_down: "red",
    hand_over: "grape",
    low_confidence: "yellow",
  };
  return counts.map(([name, count]) => (
    <Badge key={name} variant="light" color={colours[name] ?? "orange"} tt="none">
      {say(`why.${name}` as Key)}
      {count > 1 ? ` · ${count}` : ""}
    </Badge>
  ));
}

/** Save a table as a file that a spreadsheet opens. */
export function download(name: string, rows: (string | number)[][]): void {
  // A cell that begins with =, +, - or @ would be a formula.
  const cell = (value: string | number) =>
    `"${String(value)
      .replace(/"/g, '""')
      .replace(/^[=+\-@]/, "'$&")}"`;
  const blob = new Blob(["\ufeff", rows.map((row) => row.map(cell).join(",")).join("\r\n")], {
    type: "text/csv",
  });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
