import { Alert, Checkbox, Text } from "@mantine/core";
import { ApiError } from "../api";
import { saying, useTexts } from "../texts";

const SAY = {
  vi: saying({
    title: "Có số hay địa chỉ thư chưa có trong danh mục và số liệu của trường",
    text: "Ai hỏi cũng sẽ thấy. Đừng đăng số riêng của một người; số của phòng, ban thì nên ghi vào danh mục.",
    confirm: "Đây là số, địa chỉ công khai; đăng được",
  }),
  en: saying({
    title: "A number or mail address that the school's catalogue and facts do not list",
    text: "Everybody who asks will see it. Do not publish a person's own number; an office's belongs in the catalogue.",
    confirm: "It is public and may be published",
  }),
};

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
  const say = SAY[useTexts().language];
  if (!contacts.length) return null;
  return (
    <Alert color="orange" title={say("title")} data-testid="contacts">
      <Text size="sm" fw={600}>
        {contacts.join(" · ")}
      </Text>
      <Text size="sm" my={6}>
        {say("text")}
      </Text>
      <Checkbox
        label={say("confirm")}
        checked={contacts.every((each) => confirmed.includes(each))}
        onChange={(event) => confirm(event.currentTarget.checked ? contacts : [])}
      />
    </Alert>
  );
}
