import { Alert, Button, Code, Group, List, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { ask, get, type Me, type NewSecondFactor, type SecondFactor, type RecoveryCodes } from "../api";
import { errorText, Failed, Page, tell, Waiting } from "../parts/parts";
import { useTexts } from "../texts";
import { useMutation } from "../parts/acting";
import { CodeField } from "../parts/CodeField";

const PATH = "/account/second-factor";

export default function OwnAccount({ me }: { me: Me }) {
  const { say } = useTexts();
  const queries = useQueryClient();
  const [begun, setBegun] = useState<NewSecondFactor>();
  const [codes, setCodes] = useState<string[]>();
  const found = useQuery({ queryKey: ["second-factor"], queryFn: () => get<SecondFactor>(PATH) });
  const look = () => void queries.invalidateQueries({ queryKey: ["second-factor"] });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  return (
    <Page title={say("nav.account")} intro={`${me.name} · ${me.login}`}>
      <OwnPassword />
      <Paper withBorder p="lg" maw={560}>
        <Stack>
          <Title order={3} size="h5">
            {say("factor.title")}
          </Title>
          {codes ? (
            <RecoveryCodes
              codes={codes}
              done={() => {
                setCodes(undefined);
                look();
              }}
            />
          ) : begun ? (
            <Confirm
              begun={begun}
              cancel={() => setBegun(undefined)}
              done={(made) => {
                setBegun(undefined);
                setCodes(made);
              }}
            />
          ) : found.data.on ? (
            <>
              <Text size="sm">{say("factor.on", { n: found.data.recovery_codes_left })}</Text>
              <WithPassword<undefined>
                path={`${PATH}/remove`}
                action={say("factor.remove")}
                color="red"
                done={() => {
                  tell(say("factor.removed"));
                  look();
                }}
              />
            </>
          ) : (
            <>
              <Text size="sm">{say("factor.off")}</Text>
              <WithPassword<NewSecondFactor> path={PATH} action={say("factor.begin")} done={setBegun} />
            </>
          )}
        </Stack>
      </Paper>
    </Page>
  );
}

function OwnPassword() {
  const { say } = useTexts();
  const [password, setPassword] = useState("");
  const [wanted, setWanted] = useState("");
  const [again, setAgain] = useState("");
  const changing = useMutation({
    mutationFn: () => ask("PUT", "/account/password", { password, new_password: wanted }),
    onSuccess: () => {
      setPassword("");
      setWanted("");
      setAgain("");
      tell(say("password.changed"));
    },
  });
  const differs = again !== "" && again !== wanted;
  return (
    <Paper withBorder p="lg" maw={560}>
      <form onSubmit={submitting(changing.mutate)}>
        <Stack>
          <Title order={3} size="h5">
            {say("password.title")}
          </Title>
          <PasswordInput
            label={say("password.now")}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            required
          />
          <PasswordInput
            label={say("password.new")}
            description={say("password.rule")}
            autoComplete="new-password"
            minLength={10}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
            required
          />
          <PasswordInput
            label={say("password.again")}
            autoComplete="new-password"
            value={again}
            onChange={(event) => setAgain(event.currentTarget.value)}
            error={differs && say("password.differs")}
            required
          />
          {changing.error && <Alert color="red">{errorText(say, changing.error)}</Alert>}
          <Button
            type="submit"
            loading={changing.isPending}
            disabled={!password || !wanted || again !== wanted}
            style={{ alignSelf: "start" }}
          >
            {say("password.change")}
          </Button>
        </Stack>
      </form>
    </Paper>
  );
}

/** Asks for the password again: whoever sits down at an open page does not know it. */
function WithPassword<T>({
  path,
  action,
  color,
  done,
}: {
  path: string;
  action: string;
  color?: string;
  done: (answer: T) => void;
}) {
  const { say } = useTexts();
  const [password, setPassword] = useState("");
  const sending = useMutation({
    mutationFn: () => ask<T>("POST", path, { password }),
    onSuccess: (answer) => {
      setPassword("");
      done(answer);
    },
  });
  return (
    <form onSubmit={submitting(sending.mutate)}>
      <Stack>
        <PasswordInput
          label={say("factor.password")}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          required
        />
        {sending.error && <Alert color="red">{errorText(say, sending.error)}</Alert>}
        <Button
          type="submit"
          loading={sending.isPending}
          style={{ alignSelf: "start" }}
          {...(color ? { color, variant: "light" } : {})}
        >
          {action}
        </Button>
      </Stack>
    </form>
  );
}

function Confirm({
  begun,
  cancel,
  done,
}: {
  begun: NewSecondFactor;
  cancel: () => void;
  done: (codes: string[]) => void;
}) {
  const { say } = useTexts();
  const [code, setCode] = useState("");
  const confirming = useMutation({
    mutationFn: () => ask<RecoveryCodes>("POST", `${PATH}/confirm`, { code }),
    onSuccess: (answer) => done(answer.recovery_codes),
  });
  return (
    <form onSubmit={submitting(confirming.mutate)}>
      <Stack>
        <List type="ordered" size="sm" spacing="xs">
          <List.Item>{say("factor.step_app")}</List.Item>
          <List.Item>{say("factor.step_scan")}</List.Item>
          <List.Item>{say("factor.step_code")}</List.Item>
        </List>
        <Group align="center" gap="lg">
          <img
            src={`data:image/svg+xml,${encodeURIComponent(begun.qr)}`}
            width={200}
            height={200}
            alt={say("factor.qr")}
          />
          <Stack gap={4} maw={260}>
            <Text size="sm" c="dimmed">
              {say("factor.by_hand")}
            </Text>
            <Code style={{ overflowWrap: "anywhere" }}>{begun.secret.replace(/(.{4})(?=.)/g, "$1 ")}</Code>
          </Stack>
        </Group>
        <CodeField label={say("login.code")} value={code} set={setCode} maw={220} />
        {confirming.error && <Alert color="red">{errorText(say, confirming.error)}</Alert>}
        <Group>
          <Button type="submit" loading={confirming.isPending}>
            {say("factor.confirm")}
          </Button>
          <Button variant="subtle" color="gray" onClick={cancel}>
            {say("cancel")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function RecoveryCodes({ codes, done }: { codes: string[]; done: () => void }) {
  const { say } = useTexts();
  return (
    <Stack>
      <Alert color="orange">{say("factor.keep")}</Alert>
      <Code block>{codes.join("\n")}</Code>
      <Group>
        <Button
          component="a"
          download="covan.txt"
          href={`data:text/plain,${encodeURIComponent(codes.join("\n"))}`}
        >
          {say("factor.download")}
        </Button>
        <Button variant="light" onClick={done}>
          {say("factor.kept")}
        </Button>
      </Group>
    </Stack>
  );
}

function submitting(send: () => void) {
  return (event: FormEvent) => {
    event.preventDefault();
    send();
  };
}
