import { Alert, Checkbox, Text } from "@mantine/core";
import { ApiError } from "../api";
import { useTexts } from "../texts";

/** The numbers and addresses of which the server asks whether they are public. */
export function askedContacts(error: Error | null): string[] {
  const found = error instanceof ApiError && error.code === "unlisted_contacts" ? error.detail.contacts : [];
  return Array.isArray(found) ? found.map(String) : [];
}

/** Numbers and addresses of an answer that the school has not listed: whoever publishes them says that they may. */
export function PublicContacts({
  contacts,
  confirmed,
  confirm,
}: {
  contacts: string[];
  confirmed: string[];
  confirm: (contacts: string[]) => void;
}) {
  const { say } = useTexts();
  if (!contacts.length) return null;
  return (
    <Alert color="orange" title={say("contacts.title")} data-testid="contacts">
      <Text size="sm" fw={600}>
        {contacts.join(" · ")}
      </Text>
      <Text size="sm" my={6}>
        {say("contacts.text")}
      </Text>
      <Checkbox
        label={say("contacts.confirm")}
        checked={contacts.every((each) => confirmed.includes(each))}
        onChange={(event) => confirm(event.currentTarget.checked ? contacts : [])}
      />
    </Alert>
  );
}
