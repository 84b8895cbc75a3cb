/** The session has ended under what somebody was writing: a dialog over the page asks to sign in again. */
import { Alert, Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Dialog } from "./Dialog";
import { get, useToken, type Me } from "../api";
import { SignInForm } from "../pages/SignIn";
import { saying, useTexts } from "../texts";
import { useMutation } from "./acting";
import { errorText, tell } from "./parts";

const vi = {
  title: "Đăng nhập lại",
  text: "Phiên đăng nhập đã hết hạn. Những gì bạn đang viết vẫn còn nguyên phía sau: đăng nhập lại rồi làm tiếp.",
  entered: "Tôi đã đăng nhập",
  go_on: "Đã đăng nhập lại. Nội dung bạn đang viết vẫn còn; hãy bấm lại nút vừa rồi.",
};

const en: Record<keyof typeof vi, string> = {
  title: "Sign in again",
  text: "Your session has ended. What you are writing is still there behind this: sign in again, then go on.",
  entered: "I have signed in",
  go_on: "You are signed in again. What you were writing is still there; press the button again.",
};

const SAY = { vi: saying(vi), en: saying(en) };

export default function SignInAgain({
  me: { login },
  inAnotherTab,
  close,
}: {
  me: Me;
  /** Whether somebody has signed in with this browser meanwhile. */
  inAnotherTab: boolean;
  close: () => void;
}) {
  const { say, language } = useTexts();
  const told = SAY[language];
  const queries = useQueryClient();
  const entered = (me: Me) => {
    if (me.login !== login) {
      location.reload();
      return;
    }
    useToken(me.csrf);
    queries.setQueryData(["me"], me);
    close();
    tell(told("go_on"));
    void queries.invalidateQueries({ predicate: (query) => query.state.status === "error" });
  };
  const looking = useMutation({ mutationFn: () => get<Me>("/session"), onSuccess: entered });
  const look = looking.mutate;
  useEffect(() => {
    if (inAnotherTab) look();
    // The mutation is another function at each drawing: this happens once, when the dialog opens.
  }, []);
  return (
    <Dialog
      opened
      onClose={close}
      title={<b>{told("title")}</b>}
      zIndex={1000}
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <SignInForm intro={told("text")} of={login} entered={entered} target="_blank">
        <Button variant="light" onClick={() => looking.mutate()} loading={looking.isPending}>
          {told("entered")}
        </Button>
        {looking.error && <Alert color="red">{errorText(say, looking.error)}</Alert>}
      </SignInForm>
    </Dialog>
  );
}
