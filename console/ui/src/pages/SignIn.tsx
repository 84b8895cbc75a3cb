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
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { ApiError, ask, get, noteSignedIn, type Me } from "../api";
import { Logo } from "../parts/Logo";
import { errorText } from "../parts/parts";
import { sayIfKnown, useTexts } from "../texts";

export function SignIn() {
  const { say, change } = useTexts();
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [step, setStep] = useState<"password" | "code" | "recovery">("password");
  const queries = useQueryClient();
  const [address] = useSearchParams();
  const refused = address.get("refused");
  const methods = useQuery({
    queryKey: ["methods"],
    queryFn: () => get<{ openid: string | null }>("/session/methods"),
  });
  const openid = methods.data?.openid;
  const entering = useMutation({
    mutationFn: () => ask<Me>("POST", "/session", { login, password, code }),
    onError: (error) => {
      if (isCodeNeeded(error)) setStep("code");
    },
    onSuccess: (me) => {
      noteSignedIn(true);
      queries.setQueryData(["me"], me);
    },
  });
  const goTo = (other: typeof step) => {
    setStep(other);
    setCode("");
    entering.reset();
  };
  return (
    <Center mih="100dvh" p="md">
      <Paper
        withBorder
        p="xl"
        w={400}
        component="form"
        onSubmit={(event: React.FormEvent) => {
          event.preventDefault();
          entering.mutate();
        }}
      >
        <Stack>
          <Group gap="sm">
            <Logo size={32} />
            <Title order={1} size="h4">
              {say("login.title")}
            </Title>
          </Group>
          {step === "password" ? (
            <>
              <Text size="sm" c="dimmed">
                {say("login.intro")}
              </Text>
              {refused && !entering.error && (
                <Alert color="red">{sayIfKnown(say, `error.${refused}`, say("error.openid_faulty"))}</Alert>
              )}
              {openid != null && (
                <>
                  <Button component="a" href="/api/session/openid" onClick={() => noteSignedIn(true)}>
                    {say("login.openid", { name: openid || say("login.openid_school") })}
                  </Button>
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
            <TextInput
              key={step}
              label={say(`login.${step}`)}
              description={say(`login.${step}_help`)}
              autoComplete="one-time-code"
              inputMode={step === "code" ? "numeric" : "text"}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              required
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
          <Group justify="space-between">
            <Text size="xs" c="dimmed" maw={240}>
              {step === "password" && say("login.help")}
            </Text>
            <Button size="compact-xs" variant="subtle" onClick={change}>
              {say("language")}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </Center>
  );
}

const isCodeNeeded = (error: Error) => error instanceof ApiError && error.code === "code_needed";
