import { Alert, Button, Group } from "@mantine/core";
import { type UseMutationResult } from "@tanstack/react-query";
import { useState, type ReactElement, type ReactNode } from "react";
import { isConflict, type ApiError } from "../api";
import { useTexts } from "../texts";
import { Conflict } from "./Conflict";
import { NoVersions } from "./NoVersions";
import { Doing } from "./Doing";
import { errorText, firstFault } from "./parts";
import { useMutation } from "./acting";

/** How somebody else's change of what is edited is shown, and taken. */
interface Meanwhile<Latest> {
  title: string;
  mine: string;
  latest: () => Promise<Latest>;
  /** Takes the version of what stands there by now. */
  see: (now: Latest) => void;
  /** Takes the rest of it, too. */
  load: (now: Latest) => void;
}

export interface Publishing<Tried> {
  trying: UseMutationResult<Tried, Error, void>;
  publishing: UseMutationResult<unknown, Error, void>;
  /** Both texts, when somebody else has changed it meanwhile. */
  conflict: ReactElement | undefined;
  /** Forgets what was tried, when the text has changed. */
  reset: () => void;
}

/** Trying and publishing a text of the knowledge folder. */
export function usePublishing<Tried, Published, Latest>(
  attempt: () => Promise<Tried>,
  publish: () => Promise<Published>,
  published: (done: Published) => void | Promise<void>,
  meanwhile?: Meanwhile<Latest>,
): Publishing<Tried> {
  const [fault, setFault] = useState<ApiError>();
  const onError = (error: Error) => {
    if (meanwhile && isConflict(error)) setFault(error);
  };
  const trying = useMutation({ mutationFn: attempt, onError });
  const publishing = useMutation({ mutationFn: publish, onSuccess: published, onError });
  const reset = () => {
    trying.reset();
    publishing.reset();
  };
  const taking = useMutation({
    mutationFn: async () => meanwhile?.latest(),
    onSuccess: (now) => {
      if (now) meanwhile?.see(now);
      setFault(undefined);
      reset();
    },
  });
  const conflict = fault && meanwhile && (
    <Conflict
      title={meanwhile.title}
      fault={fault}
      parts={[{ mine: meanwhile.mine, theirs: String(fault.detail.theirs ?? "") }]}
      loading={taking.isPending}
      loadTheirs={() => taking.mutate(undefined, { onSuccess: (now) => now && meanwhile.load(now) })}
      takeLatest={() => taking.mutate()}
    />
  );
  return { trying, publishing, conflict, reset };
}

/** The buttons that try and publish, what they say while they work, and what went wrong. */
export function PublishButtons<Tried>({
  attempt,
  isNew,
  mayPublish = true,
  of: { trying, publishing },
  children,
}: {
  /** The name of the button that tries. */
  attempt: string;
  /** Whether there is something to try and to publish. */
  isNew: boolean;
  mayPublish?: boolean;
  of: Publishing<Tried>;
  /** Further buttons. */
  children?: ReactNode;
}) {
  const { say } = useTexts();
  const fault = firstFault(publishing.error, trying.error);
  return (
    <>
      {fault && (
        <Alert color="red" style={{ whiteSpace: "pre-wrap" }}>
          {errorText(say, fault)}
        </Alert>
      )}
      <Doing task="try" pending={trying.isPending} />
      <NoVersions />
      <Doing task="publish" pending={publishing.isPending} />
      <Group justify="end" gap="xs">
        {children}
        <Button variant="light" disabled={!isNew} loading={trying.isPending} onClick={() => trying.mutate()}>
          {attempt}
        </Button>
        <Button
          disabled={!isNew || !mayPublish}
          loading={publishing.isPending}
          onClick={() => publishing.mutate()}
        >
          {say("entry.publish")}
        </Button>
      </Group>
    </>
  );
}
