import {
  Alert,
  Badge,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Paper,
  PasswordInput,
  Stack,
  Table,
  Tabs,
  TagsInput,
  Text,
} from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "../parts/Dialog";
import { ask, get, isConflict, type NewAccountsInUse, type PeopleList, type Account } from "../api";
import { conflicts } from "../locales/conflicts";
import type { Key } from "../locales/vi";
import { AskFirst } from "../parts/AskFirst";
import { Audit } from "../parts/Audit";
import { Conflict } from "../parts/Conflict";
import { useLeaving } from "../parts/leaving";
import { errorText, Failed, Page, tell, tellError, Waiting } from "../parts/parts";
import { useTexts } from "../texts";
import { useMutation } from "../parts/acting";
import { LimitedInput, MOST_ID_CHARS } from "../parts/LimitedInput";
import { SentenceField } from "../parts/SentenceField";

const NEW_ROLES = ["advisor"];
const HURTFUL = { size: "compact-sm", variant: "subtle", color: "red" } as const;

export default function People() {
  const { say } = useTexts();
  return (
    <Page title={say("people.title")}>
      <Tabs defaultValue="people" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="people">{say("people.tab")}</Tabs.Tab>
          <Tabs.Tab value="audit">{say("audit.tab")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="people">
          <Accounts />
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <Audit />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Accounts() {
  const { say, language } = useTexts();
  const queries = useQueryClient();
  const [editing, setEditing] = useState<Account | "new">();
  const unlink = useMutation({
    mutationFn: (person: Account) => ask("DELETE", `/people/${encodeURIComponent(person.login)}/identity`),
    onSettled: () => void queries.invalidateQueries({ queryKey: ["people"] }),
    onError: (error) => tellError(say, error),
  });
  const reset = useMutation({
    mutationFn: (person: Account) =>
      ask("DELETE", `/people/${encodeURIComponent(person.login)}/second-factor`),
    onSettled: () => void queries.invalidateQueries({ queryKey: ["people"] }),
    onError: (error) => tellError(say, error),
  });
  const found = useQuery({
    queryKey: ["people"],
    queryFn: () => get<PeopleList>("/people"),
  });
  const lock = useMutation({
    mutationFn: (person: Account) =>
      ask("PATCH", `/people/${encodeURIComponent(person.login)}`, {
        version: person.version,
        active: !person.active,
      }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ["people"] }),
    onError: (error) =>
      tellError(say, isConflict(error) ? new Error(conflicts[language].account_listed) : error),
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  return (
    <Stack>
      <Button
        leftSection={<IconPlus size={16} />}
        onClick={() => setEditing("new")}
        style={{ alignSelf: "start" }}
      >
        {say("people.add")}
      </Button>
      <Table verticalSpacing="sm" className="stacked">
        <Table.Tbody>
          {found.data.people.map((person) => (
            <Table.Tr key={person.login}>
              <Table.Td>
                <Text fw={550}>{person.name}</Text>
                <Text size="xs" c="dimmed">
                  {person.login}
                </Text>
              </Table.Td>
              <Table.Td>
                <Group gap={4}>
                  {person.roles.map((role) => (
                    <Badge key={role} variant="light" tt="none">
                      {say(`role.${role}` as Key)}
                    </Badge>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td>
                <Badge color={person.active ? "green" : "gray"} variant="light" tt="none">
                  {say(person.active ? "people.active" : "people.inactive")}
                </Badge>
                {person.second_factor && (
                  <Badge variant="light" tt="none" ml={4}>
                    {say("factor.title")}
                  </Badge>
                )}
                {person.linked && (
                  <Badge variant="light" tt="none" ml={4}>
                    {say("people.linked")}
                  </Badge>
                )}
                {person.locked_until * 1000 > Date.now() && (
                  <Text size="xs" c="orange">
                    {say("people.locked")}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Group gap={4} className="acts">
                  {person.second_factor && (
                    <AskFirst
                      {...HURTFUL}
                      name={say("people.reset_factor")}
                      text={say("people.reset_factor_text", { name: person.name })}
                      act={(done) => reset.mutate(person, { onSettled: done })}
                      pending={reset.isPending && reset.variables.login === person.login}
                    />
                  )}
                  {person.linked && (
                    <AskFirst
                      {...HURTFUL}
                      name={say("people.unlink")}
                      text={say("people.unlink_text", { name: person.name })}
                      act={(done) => unlink.mutate(person, { onSettled: done })}
                      pending={unlink.isPending && unlink.variables.login === person.login}
                    />
                  )}
                  <Button size="compact-sm" variant="subtle" onClick={() => setEditing(person)}>
                    {say("entry.edit").split(" ")[0]}
                  </Button>
                  {person.active ? (
                    <AskFirst
                      {...HURTFUL}
                      name={say("people.lock")}
                      text={say("people.lock_text", { name: person.name })}
                      act={(done) => lock.mutate(person, { onSettled: done })}
                      pending={lock.isPending && lock.variables.login === person.login}
                    />
                  ) : (
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      color="gray"
                      onClick={() => lock.mutate(person)}
                    >
                      {say("people.unlock")}
                    </Button>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {found.data.openid && <FirstSignIns roles={found.data.roles} />}
      {editing && (
        <PersonForm
          person={editing === "new" ? undefined : editing}
          known={found.data}
          close={() => setEditing(undefined)}
        />
      )}
    </Stack>
  );
}

/** Who gets an account by signing in at the school's provider. */
function FirstSignIns({ roles }: { roles: string[] }) {
  const found = useQuery({
    queryKey: ["new-accounts"],
    queryFn: () => get<NewAccountsInUse>("/people/new-accounts"),
  });
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  return found.data ? <FirstSignInsForm kept={found.data} roles={roles} /> : <Waiting />;
}

function FirstSignInsForm({ kept, roles }: { kept: NewAccountsInUse; roles: string[] }) {
  const { say, language } = useTexts();
  const queries = useQueryClient();
  const [seen, setSeen] = useState(kept);
  const [domains, setDomains] = useState(kept.domains);
  const [chosen, setChosen] = useState(kept.roles.length ? kept.roles : ["advisor"]);
  const saving = useMutation({
    mutationFn: () =>
      ask("PUT", "/people/new-accounts", { domains, roles: domains.length ? chosen : [], seen }),
    onSuccess: () => {
      setSeen({ domains, roles: domains.length ? chosen : [] });
      void queries.invalidateQueries({ queryKey: ["new-accounts"] });
      tell(say("first.saved"));
    },
  });
  if (isConflict(saving.error)) {
    const now = saving.error.detail.theirs as NewAccountsInUse;
    const named = (of: string[]) => of.map((role) => say(`role.${role}` as Key)).join("\n");
    const goOn = () => {
      setSeen(now);
      saving.reset();
    };
    return (
      <Paper withBorder p="md" maw={720}>
        <Conflict
          title={conflicts[language].first_sign_ins}
          fault={saving.error}
          of="console"
          parts={[
            { name: say("first.domains"), mine: domains.join("\n"), theirs: now.domains.join("\n") },
            { name: say("people.roles"), mine: named(chosen), theirs: named(now.roles) },
          ]}
          loadTheirs={() => {
            setDomains(now.domains);
            setChosen(now.roles.length ? now.roles : ["advisor"]);
            goOn();
          }}
          takeLatest={goOn}
        />
      </Paper>
    );
  }
  return (
    <Paper
      withBorder
      p="md"
      component="form"
      maw={560}
      onSubmit={(event: React.FormEvent) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack gap="sm">
        <div>
          <Text fw={600}>{say("first.title")}</Text>
          <Text size="sm" c="dimmed">
            {say("first.text")}
          </Text>
        </div>
        <TagsInput
          label={say("first.domains")}
          description={say("first.domains_help")}
          value={domains}
          onChange={setDomains}
          acceptValueOnBlur
        />
        <Checkbox.Group label={say("people.roles")} value={chosen} onChange={setChosen}>
          <Group gap="md" mt={6}>
            {roles
              .filter((role) => role !== "administrator")
              .map((role) => (
                <Checkbox key={role} value={role} label={say(`role.${role}` as Key)} />
              ))}
          </Group>
        </Checkbox.Group>
        {saving.error && <Alert color="red">{errorText(say, saving.error)}</Alert>}
        <Button type="submit" variant="light" loading={saving.isPending} style={{ alignSelf: "start" }}>
          {say("save")}
        </Button>
      </Stack>
    </Paper>
  );
}

/** Add an account, or change that of `person`. */
function PersonForm({
  person,
  known,
  close,
}: {
  person: Account | undefined;
  known: PeopleList;
  close: () => void;
}) {
  const { say, language } = useTexts();
  const words = conflicts[language];
  const queries = useQueryClient();
  const [seen, setSeen] = useState(person);
  const [login, setLogin] = useState(person?.login ?? "");
  const [name, setName] = useState(person?.name ?? "");
  const [chosen, setChosen] = useState(person?.roles ?? NEW_ROLES);
  const [password, setPassword] = useState("");
  const [mail, setMail] = useState(person?.mail ?? "");
  const [offices, setOffices] = useState(person?.offices ?? []);
  const saving = useMutation({
    mutationFn: () =>
      seen
        ? ask("PATCH", `/people/${encodeURIComponent(seen.login)}`, {
            version: seen.version,
            password_version: seen.password_version,
            name,
            mail,
            offices,
            ...(chosen.join() === seen.roles.join() ? {} : { roles: chosen }),
            ...(password ? { password } : {}),
          })
        : ask("POST", "/people", { login, name, roles: chosen, password, mail, offices }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["people"] });
      close();
    },
  });
  const same = (some: string[], others: string[]) => [...some].sort().join() === [...others].sort().join();
  const written =
    login !== (seen?.login ?? "") ||
    name !== (seen?.name ?? "") ||
    password !== "" ||
    mail !== (seen?.mail ?? "") ||
    !same(chosen, seen?.roles ?? NEW_ROLES) ||
    !same(offices, seen?.offices ?? []);
  const leave = useLeaving(written, close, saving.isPending);
  const form = (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack>
        {!person && (
          <LimitedInput
            label={say("login.login")}
            value={login}
            most={MOST_ID_CHARS}
            onChange={(event) => setLogin(event.currentTarget.value)}
            autoComplete="off"
            required
          />
        )}
        <SentenceField label={say("people.name")} value={name} most={MOST_ID_CHARS} set={setName} required />
        <Checkbox.Group label={say("people.roles")} value={chosen} onChange={setChosen}>
          <Stack gap={6} mt={6}>
            {known.roles.map((role) => (
              <Checkbox
                key={role}
                value={role}
                label={say(`role.${role}` as Key)}
                description={say(`role.${role}_help` as Key)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <PasswordInput
          label={say(person ? "people.new_password" : "login.password")}
          description={say("error.bad_password")}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="new-password"
          required={!person}
        />
        <LimitedInput
          type="email"
          most={MOST_ID_CHARS}
          label={say("people.mail")}
          description={say(known.mails ? "people.mail_help" : "people.mail_off")}
          value={mail}
          onChange={(event) => setMail(event.currentTarget.value)}
          autoComplete="off"
        />
        <MultiSelect
          label={say("people.offices")}
          description={say("people.offices_help")}
          searchable
          clearable
          value={offices}
          onChange={setOffices}
          data={known.offices.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {saving.error && <Alert color="red">{errorText(say, saving.error)}</Alert>}
        <Button
          type="submit"
          loading={saving.isPending}
          disabled={[login, name, mail].some((each) => each.length > MOST_ID_CHARS)}
        >
          {say("save")}
        </Button>
      </Stack>
    </form>
  );
  const shown = () => {
    if (!seen || !isConflict(saving.error)) return form;
    const now = saving.error.detail.theirs as Account;
    const roles = (of: string[]) =>
      known.roles
        .filter((role) => of.includes(role))
        .map((role) => say(`role.${role}` as Key))
        .join("\n");
    const officeNames = (of: string[]) =>
      of.map((id) => known.offices.find((each) => each.id === id)?.name ?? id).join("\n");
    const goOn = () => {
      setSeen(now);
      saving.reset();
      void queries.invalidateQueries({ queryKey: ["people"] });
    };
    return (
      <Conflict
        title={words.account}
        fault={saving.error}
        of="console"
        parts={[
          { name: say("people.name"), mine: name.trim(), theirs: now.name },
          { name: say("people.roles"), mine: roles(chosen), theirs: roles(now.roles) },
          { name: say("people.mail"), mine: mail.trim(), theirs: now.mail },
          { name: say("people.offices"), mine: officeNames(offices), theirs: officeNames(now.offices) },
          ...(now.active === seen.active
            ? []
            : [
                {
                  name: words.state,
                  mine: words.untouched,
                  theirs: say(now.active ? "people.active" : "people.inactive"),
                },
              ]),
          ...(!password || now.password_version === seen.password_version
            ? []
            : [{ name: words.password, mine: words.my_password, theirs: words.their_password }]),
        ]}
        loadTheirs={() => {
          setName(now.name);
          setChosen(now.roles);
          setMail(now.mail);
          setOffices(now.offices);
          setPassword("");
          goOn();
        }}
        takeLatest={goOn}
      />
    );
  };
  return (
    <Dialog
      opened
      onClose={leave}
      title={<b>{say(person ? "people.tab" : "people.add")}</b>}
      closeButtonProps={{ "aria-label": say("close") }}
      size="lg"
    >
      {shown()}
    </Dialog>
  );
}
