import { Alert, Button, Select, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "./Dialog";
import { ask, get, type InboxConversation, type Me, type Recipients } from "../api";
import { useTexts } from "../texts";
import { useLeaving } from "./leaving";
import { errorText, Failed, tell, Waiting } from "./parts";
import { useMutation } from "./acting";
import { LimitedText, MOST_MESSAGE_CHARS } from "./LimitedInput";

const ADVISOR = "advisor:";
const OFFICE = "office:";

/** Hand a conversation on to an advisor or an office, with a note to them. */
export function HandOn({
  it,
  me,
  onClose,
  renew,
}: {
  it: InboxConversation;
  me: Me;
  onClose: () => void;
  renew: () => void;
}) {
  const { say } = useTexts();
  const [to, setTo] = useState<string | null>(null);
  const [text, setText] = useState("");
  // As it was when the dialog was opened: who has taken it meanwhile keeps it.
  const [takenBy] = useState(it.taken_by);
  const narrow = useMediaQuery("(max-width: 40em)");
  const found = useQuery({
    queryKey: ["recipients"],
    queryFn: () => get<Recipients>("/inbox/recipients"),
  });
  const name = to?.slice(to.indexOf(":") + 1) ?? "";
  const handing = useMutation({
    mutationFn: () =>
      ask("POST", `/inbox/${it.id}/hand-on`, {
        taken_by: takenBy,
        text: text.trim(),
        ...(to?.startsWith(ADVISOR) ? { to: name } : { office: name }),
      }),
    onSuccess: () => {
      tell(say("hand_on.done", { name }));
      onClose();
    },
    onSettled: renew,
  });
  const option = (kind: string) => (each: string) => ({
    value: kind + each,
    label: kind === ADVISOR && each === me.name ? say("hand_on.me", { name: each }) : each,
  });
  const leave = useLeaving(text.trim() !== "", onClose);
  return (
    <Dialog opened onClose={leave} title={say("hand_on.title")} fullScreen={narrow ?? false}>
      {found.isPending ? (
        <Waiting />
      ) : found.error ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            handing.mutate();
          }}
        >
          <Stack>
            {takenBy && takenBy !== me.name && (
              <Alert color="orange">{say("hand_on.of_another", { name: takenBy })}</Alert>
            )}
            <Select
              label={say("hand_on.to")}
              searchable
              nothingFoundMessage={say("hand_on.nobody")}
              value={to}
              onChange={setTo}
              data={[
                { group: say("hand_on.offices"), items: found.data.offices.map(option(OFFICE)) },
                {
                  group: say("hand_on.advisors"),
                  items: found.data.advisors.filter((each) => each !== takenBy).map(option(ADVISOR)),
                },
              ]}
            />
            <LimitedText
              label={say("hand_on.note")}
              description={say("hand_on.note_help")}
              autosize
              minRows={2}
              maxRows={8}
              most={MOST_MESSAGE_CHARS}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            {to && (
              <Text size="sm" c="dimmed">
                {say(to.startsWith(ADVISOR) ? "hand_on.advisor_help" : "hand_on.office_help", { name })}
              </Text>
            )}
            {handing.error && <Alert color="red">{errorText(say, handing.error)}</Alert>}
            <Button
              type="submit"
              disabled={!to || text.length > MOST_MESSAGE_CHARS}
              loading={handing.isPending}
            >
              {say("hand_on.go")}
            </Button>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
