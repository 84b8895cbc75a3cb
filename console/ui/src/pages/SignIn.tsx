import {
  Alert,
  Button,
  Center,
  Divider,
  Group,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { ApiError, ask, get, noteSignedIn, type Me, type SignInMethods } from "../api";
import { Logo } from "../parts/Logo";
import { errorText } from "../parts/parts";
import { sayIfKnown, useTexts } from "../texts";
import { useMutation } from "../parts/acting";
import { CodeField } from "../parts/CodeField";

/** The page that asks who is there. */
export function SignIn() {
  const { say, change } = useTexts();
  const queries = useQueryClient();
  return (
    <Center mih="100dvh" p="md">
      <Paper withBorder p="xl" w={400}>
        <Group gap="sm" mb="md">
          <Logo size={32} />
          <Title order={1} size="h4">
            {say("login.title")}
          </Title>
        </Group>
        <SignInForm intro={say("login.intro")} entered={(me) => queries.setQueryData(["me"], me)} />
        <Group justify="end" mt="xs">
          <Button size="compact-xs" variant="subtle" onClick={change}>
            {say("language")}
          </Button>
        </Group>
      </Paper>
    </Center>
  );
}

/** Login and password, and the code where the account has a second factor; or the way to the school's provider. */
export function SignInForm({
  intro,
  of = "",
  entered,
  target,
  children,
}: {
  intro: string;
  /** The login of who was signed in before. */
  of?: string;
  entered: (me: Me) => void;
  /** Where the provider's page opens. */
  target?: "_blank";
  /** What follows the link to the provider. */
  children?: ReactNode;
}) {
  const { say } = useTexts();
  const [login, setLogin] = useState(of);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [step, setStep] = useState<"password" | "code" | "recovery">("password");
  const [address] = useSearchParams();
  const refused = address.get("refused");
  const methods = useQuery({
    queryKey: ["methods"],
    queryFn: () => get<SignInMethods>("/session/methods"),
  });
  const openid = methods.data?.openid;
  const entering = useMutation({
    mutationFn: () => ask<Me>("POST", "/session", { login, password, code }),
    onError: (error) => {
      if (isCodeNeeded(error)) setStep("code");
    },
    onSuccess: (me) => {
      noteSignedIn(true);
      entered(me);
    },
  });
  const goTo = (other: typeof step) => {
    setStep(other);
    setCode("");
    entering.reset();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        entering.mutate();
      }}
    >
      <Stack>
        {step === "password" ? (
          <>
            <Text size="sm" c="dimmed">
              {intro}
            </Text>
            {refused && !entering.error && (
              <Alert color="red">{sayIfKnown(say, `error.${refused}`, say("error.openid_faulty"))}</Alert>
            )}
            {openid != null && (
              <>
                <Button
                  component="a"
                  href="/api/session/openid"
                  target={target}
                  onClick={() => noteSignedIn(true)}
                >
                  {say("login.openid", { name: openid || say("login.openid_school") })}
                </Button>
                {children}
                <Divider label={say("login.or_password")} />
              </>
            )}
            <TextInput
              label={say("login.login")}
              autoComplete="username"
              value={login}
              onChange={(event) => setLogin(event.currentTarget.value)}
              required
              data-autofocus
            />
            <PasswordInput
              label={say("login.password")}
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              required
            />
          </>
        ) : (
          <CodeField
            key={step}
            label={say(`login.${step}`)}
            description={say(`login.${step}_help`)}
            inputMode={step === "code" ? "numeric" : "text"}
            value={code}
            set={setCode}
            autoFocus
          />
        )}
        {entering.error && !isCodeNeeded(entering.error) && (
          <Alert color="red">{errorText(say, entering.error)}</Alert>
        )}
        <Button
          type="submit"
          variant={openid != null && step === "password" ? "default" : "filled"}
          loading={entering.isPending}
        >
          {say("login.go")}
        </Button>
        {step !== "password" && (
          <Group justify="space-between" gap="xs">
            <Button size="compact-sm" variant="subtle" onClick={() => goTo("password")}>
              {say("login.back")}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => goTo(step === "code" ? "recovery" : "code")}
            >
              {say(step === "code" ? "login.lost_phone" : "login.have_phone")}
            </Button>
          </Group>
        )}
        {step === "password" && (
          <Text size="xs" c="dimmed">
            {say("login.help")}
          </Text>
        )}
      </Stack>
    </form>
  );
}

const isCodeNeeded = (error: Error) => error instanceof ApiError && error.code === "code_needed";
