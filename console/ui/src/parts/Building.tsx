/** Whether Covan answers by what was published: documents, topics and the catalogue go live with a build. */
import { Alert, Loader } from "@mantine/core";
import { useState } from "react";
import { timeText, useTexts } from "../texts";
import { Seconds } from "./Doing";

/** That the whole build runs, how long it is waited for, and that it is done or has failed. */
export function Building({
  building,
  since,
  failed,
}: {
  building: boolean;
  /** From when on it is waited for, in milliseconds since 1970. */
  since: number;
  failed: boolean;
}) {
  const { say, language } = useTexts();
  const [was, setWas] = useState(building);
  const [doneAt, setDoneAt] = useState(0);
  if (was !== building) {
    setWas(building);
    setDoneAt(building ? 0 : Date.now() / 1000);
  }
  if (building)
    return (
      <Alert color="blue" role="status" icon={<Loader size="xs" aria-hidden />}>
        {say("documents.building")} <Seconds since={since} />
      </Alert>
    );
  if (failed) return <Alert color="red">{say("documents.build_failed")}</Alert>;
  return (
    doneAt > 0 && (
      <Alert
        color="green"
        role="status"
        withCloseButton
        closeButtonLabel={say("close")}
        onClose={() => setDoneAt(0)}
      >
        {say("documents.built", { time: timeText(doneAt, language) })}
      </Alert>
    )
  );
}
