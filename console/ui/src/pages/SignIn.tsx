import {
  Alert,
  Button,
  Center,
  Group,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, noteSignedIn, type Me } from "../api";
import { errorText } from "../parts/parts";
import { useTexts } from "../texts";

export function SignIn() {
  const { say, change } = useTexts();
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const queries = useQueryClient();
  const entering = useMutation({
    mutationFn: () => ask<Me>("POST", "/session", { login, password }),
    onSuccess: (me) => {
      noteSignedIn(true);
      queries.setQueryData(["me"], me);
    },
  });
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
            <img src="/icon.svg" width={32} height={32} alt="" />
            <Title order={1} size="h4">
              {say("login.title")}
            </Title>
          </Group>
          <Text size="sm" c="dimmed">
            {say("login.intro")}
          </Text>
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
          {entering.error && <Alert color="red">{errorText(say, entering.error)}</Alert>}
          <Button type="submit" loading={entering.isPending}>
            {say("login.go")}
          </Button>
          <Group justify="space-between">
            <Text size="xs" c="dimmed" maw={240}>
              {say("login.help")}
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
