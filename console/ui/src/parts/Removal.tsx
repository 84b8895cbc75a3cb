import { Alert, Anchor, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { ApiError, isConflict, type FolderFault, type LackingFact, type Use } from "../api";
import type { Key } from "../locales/vi";
import { useTexts } from "../texts";
import { AskFirst } from "./AskFirst";
import { LackingFacts } from "./LackingFacts";
import { NoVersions } from "./NoVersions";
import { errorText, tell } from "./parts";
import { useMutation } from "./acting";

/** What went wrong; of something that is still used, the places that use it. */
export function Fault({
  error,
  labels,
}: {
  error: Error;
  /** The labels of fields that the API may find wrong. */
  labels?: Partial<Record<string, Key>>;
}) {
  const { say } = useTexts();
  const lacking = error instanceof ApiError && (error.detail.lacking as LackingFact[] | undefined);
  if (lacking && lacking.length) {
    const others = (error.detail.problems as FolderFault[]).map(
      ({ file, line, message }) => `${line === null ? file : `${file}:${line}`}: ${message}`,
    );
    return <LackingFacts facts={lacking} others={others} />;
  }
  if (!(error instanceof ApiError) || error.code !== "in_use")
    return (
      <Alert color="red" style={{ whiteSpace: "pre-wrap" }}>
        {isConflict(error) ? say("removal.changed") : errorText(say, error, labels)}
      </Alert>
    );
  return <InUse uses={error.detail.uses as Use[]} />;
}

/** The pages on which what uses something is changed; there is none for the other kinds. */
const PAGES: Partial<Record<Use["kind"], string>> = {
  entry: "/faq/",
  calculator: "/facts/",
  document: "/documents/",
  topic: "/topics/topic~",
};

/** The places that use what is to go. */
export function InUse({ uses }: { uses: Use[] }) {
  const { say } = useTexts();
  return (
    <Alert color="red" title={say("removal.in_use")} data-testid="in-use">
      {uses.map(({ kind, id, name, file, line }) => (
        <Text key={`${file}:${line}`} size="sm" style={{ overflowWrap: "anywhere" }}>
          {say(`use.${kind}`)}:{" "}
          {PAGES[kind] ? (
            <Anchor component={Link} to={`${PAGES[kind]}${encodeURIComponent(id)}`} size="sm">
              {name}
            </Anchor>
          ) : (
            name
          )}{" "}
          <Text span size="xs" c="dimmed">
            {[name === id ? "" : id, line === null ? file : `${file}:${line}`].filter(Boolean).join(" · ")}
          </Text>
        </Text>
      ))}
    </Alert>
  );
}

/** The button that takes something away, once that is confirmed. */
export function Removal({
  name,
  check,
  remove,
  removed,
}: {
  name: string;
  /** What is shown of the removal before it is confirmed. */
  check?: ReactNode;
  remove: () => Promise<unknown>;
  removed: () => void;
}) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      tell(say("removal.done"));
      removed();
      void queries.invalidateQueries();
    },
  });
  return (
    <AskFirst
      variant="subtle"
      color="red"
      size="compact-sm"
      leftSection={<IconTrash size={14} />}
      style={{ alignSelf: "start" }}
      name={say("removal.remove")}
      text={say("removal.text", { name })}
      asking={
        <>
          {check}
          <NoVersions />
          {removing.error && <Fault error={removing.error} />}
        </>
      }
      confirm={say("removal.confirm")}
      act={(done) => removing.mutate(undefined, { onSuccess: done })}
      pending={removing.isPending}
      closed={removing.reset}
    />
  );
}
