import { ActionIcon, AppShell, Badge, Box, Burger, Button, Group, NavLink, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconAffiliate,
  IconBooks,
  IconBrain,
  IconCalculator,
  IconCategory,
  IconChartBar,
  IconCpu,
  IconFileText,
  IconHistory,
  IconInbox,
  IconLanguage,
  IconListCheck,
  IconLock,
  IconLogout,
  IconMessageQuestion,
  IconMessages,
  IconNotes,
  IconPuzzle,
  IconShieldLock,
  IconTags,
  IconUsers,
} from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState, type ComponentType } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Navigate, NavLink as RouterLink, Route, Routes, useLocation } from "react-router-dom";
import {
  ApiError,
  ask,
  get,
  mayBeSignedIn,
  noteSignedIn,
  useToken,
  WAITING_COUNT,
  whenSessionEnds,
  type FirstRun,
  type Me,
  type Right,
  type WaitingCount as Count,
} from "./api";
import type { Key } from "./locales/vi";
import { Broken } from "./parts/Broken";
import { Logo } from "./parts/Logo";
import { Empty, Failed, Waiting } from "./parts/parts";
import { useWaitingNotification } from "./parts/waiting_notification";
import { SignIn } from "./pages/SignIn";
import { useTexts } from "./texts";

const SignInAgain = lazy(() => import("./parts/SignInAgain"));

interface Place {
  path: string;
  name: Key;
  right: Right;
  icon: typeof IconInbox;
  page: ComponentType<{ me: Me }>;
}

const WAITING_POLL_MS = 15_000;
const START = "/start";
const INBOX = "/inbox";

const GROUPS: { name: Key; places: Place[] }[] = [
  {
    name: "nav.daily",
    places: [
      {
        path: "/today",
        name: "nav.today",
        right: "read",
        icon: IconChartBar,
        page: lazy(() => import("./pages/Today")),
      },
      {
        path: INBOX,
        name: "nav.inbox",
        right: "reply",
        icon: IconInbox,
        page: lazy(() => import("./pages/Inbox")),
      },
      {
        path: "/gaps",
        name: "nav.gaps",
        right: "read",
        icon: IconPuzzle,
        page: lazy(() => import("./pages/Gaps")),
      },
      {
        path: "/conversations",
        name: "nav.conversations",
        right: "read",
        icon: IconMessages,
        page: lazy(() => import("./pages/Conversations")),
      },
      {
        path: "/try",
        name: "nav.try",
        right: "read",
        icon: IconMessageQuestion,
        page: lazy(() => import("./pages/Try")),
      },
    ],
  },
  {
    name: "nav.knowledge",
    places: [
      {
        path: "/faq",
        name: "nav.faq",
        right: "read",
        icon: IconBooks,
        page: lazy(() => import("./pages/Faq")),
      },
      {
        path: "/documents",
        name: "nav.documents",
        right: "read",
        icon: IconFileText,
        page: lazy(() => import("./pages/Documents")),
      },
      {
        path: "/facts",
        name: "nav.facts",
        right: "read",
        icon: IconCalculator,
        page: lazy(() => import("./pages/Facts")),
      },
      {
        path: "/topics",
        name: "nav.topics",
        right: "read",
        icon: IconCategory,
        page: lazy(() => import("./pages/Topics")),
      },
      {
        path: "/drafts",
        name: "nav.drafts",
        right: "publish",
        icon: IconNotes,
        page: lazy(() => import("./pages/Drafts")),
      },
      {
        path: "/graph",
        name: "nav.graph",
        right: "read",
        icon: IconAffiliate,
        page: lazy(() => import("./pages/Graph")),
      },
    ],
  },
  {
    name: "nav.understanding",
    places: [
      {
        path: "/nlu",
        name: "nav.nlu",
        right: "read",
        icon: IconTags,
        page: lazy(() => import("./pages/NluReview")),
      },
      {
        path: "/models",
        name: "nav.models",
        right: "read",
        icon: IconBrain,
        page: lazy(() => import("./pages/Models")),
      },
      {
        path: "/model",
        name: "nav.model",
        right: "read",
        icon: IconCpu,
        page: lazy(() => import("./pages/Model")),
      },
    ],
  },
  {
    name: "nav.management",
    places: [
      {
        path: START,
        name: "nav.start",
        right: "publish",
        icon: IconListCheck,
        page: lazy(() => import("./pages/Start")),
      },
      {
        path: "/versions",
        name: "nav.versions",
        right: "read",
        icon: IconHistory,
        page: lazy(() => import("./pages/Versions")),
      },
      {
        path: "/people",
        name: "nav.people",
        right: "administer",
        icon: IconUsers,
        page: lazy(() => import("./pages/People")),
      },
      {
        path: "/account",
        name: "nav.account",
        right: "read",
        icon: IconShieldLock,
        page: lazy(() => import("./pages/OwnAccount")),
      },
    ],
  },
];

export function App() {
  const session = useQuery<Me, Error>({
    queryKey: ["me"],
    // Who never signed in here is not asked for: a refused request would be noted in the audit log.
    queryFn: () =>
      mayBeSignedIn() ? get<Me>("/session") : Promise.reject(new ApiError(403, "signed_out", "", {})),
    retry: false,
    staleTime: Infinity,
  });
  if (session.isPending) return <Waiting />;
  // A session that ends under a page leaves the page as it is, with the dialog over it.
  if (session.error && !session.data) {
    const signedOut = session.error instanceof ApiError && session.error.status === 403;
    if (signedOut) noteSignedIn(false);
    return signedOut ? <SignIn /> : <Failed error={session.error} retry={() => void session.refetch()} />;
  }
  useToken(session.data.csrf);
  return <Shell me={session.data} />;
}

function Shell({ me }: { me: Me }) {
  const { say, change } = useTexts();
  const [opened, { toggle, close }] = useDisclosure();
  const queries = useQueryClient();
  const here = useLocation().pathname;
  const [ended, setEnded] = useState("");
  useEffect(() => whenSessionEnds((code) => setEnded((before) => before || code)), []);
  const groups = GROUPS.map(({ name, places }) => ({
    name,
    places: places.filter((place) => me.rights.includes(place.right)),
  }));
  const places = groups.flatMap((group) => group.places);
  const others = GROUPS.flatMap((group) => group.places).filter((place) => !places.includes(place));
  const leave = () =>
    void ask("DELETE", "/session").finally(() => {
      noteSignedIn(false);
      queries.clear();
      location.assign("/");
    });
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 240, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={say("menu")} />
            <Logo size={26} />
            <Title order={1} size="h5">
              {say("app")}
            </Title>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" visibleFrom="sm">
              {me.name}
            </Text>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconLanguage size={16} />}
              onClick={change}
            >
              {say("language")}
            </Button>
            <ActionIcon variant="subtle" onClick={leave} aria-label={say("sign_out")} title={say("sign_out")}>
              <IconLogout size={18} />
            </ActionIcon>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" style={{ overflowY: "auto" }}>
        {groups.map((group) => (
          <Box key={group.name} mb="xs" role="group" aria-label={say(group.name)}>
            <Text size="xs" fw={600} c="dimmed" px="sm" pb={2} aria-hidden>
              {say(group.name)}
            </Text>
            {group.places.map(({ path, name, icon: Icon }) => (
              <NavLink
                key={path}
                py={6}
                component={RouterLink}
                to={path}
                label={say(name)}
                leftSection={<Icon size={18} />}
                rightSection={path === INBOX && <WaitingCount me={me} />}
                active={`${here}/`.startsWith(`${path}/`)}
                onClick={close}
              />
            ))}
          </Box>
        ))}
      </AppShell.Navbar>
      {ended && (
        <Suspense>
          <SignInAgain me={me} inAnotherTab={ended === "csrf"} close={() => setEnded("")} />
        </Suspense>
      )}
      <AppShell.Main>
        <ErrorBoundary FallbackComponent={Broken} resetKeys={[here]}>
          <Suspense fallback={<Waiting />}>
            <Routes>
              {places.map(({ path, page: Content }) => (
                <Route key={path} path={`${path}/:id?`} element={<Content me={me} />} />
              ))}
              {others.map(({ path, name }) => (
                <Route
                  key={path}
                  path={`${path}/:id?`}
                  element={
                    <Empty
                      icon={<IconLock />}
                      title={say("no_right.title", { page: say(name) })}
                      text={say("no_right.text")}
                    />
                  }
                />
              ))}
              <Route path="*" element={<Landing me={me} usual={places[0]?.path ?? "/today"} />} />
            </Routes>
          </Suspense>
        </ErrorBoundary>
      </AppShell.Main>
    </AppShell>
  );
}

/** How many students wait for a person; nothing when nobody does, or the front door is not there. It tells of new ones. */
function WaitingCount({ me }: { me: Me }) {
  const { say } = useTexts();
  const found = useQuery({
    queryKey: WAITING_COUNT,
    queryFn: () => get<Count>("/inbox/waiting"),
    refetchInterval: WAITING_POLL_MS,
    refetchIntervalInBackground: true,
    retry: false,
  });
  useWaitingNotification(found.data?.open, me.name);
  const waiting = found.isSuccess ? found.data.waiting : 0;
  return (
    waiting > 0 && (
      <Badge size="sm" circle={waiting < 10} aria-label={say("inbox.count", { n: waiting })}>
        {waiting}
      </Badge>
    )
  );
}

/** Goes to the usual first page; an administrator of a school that is not complete sees what is missing. */
function Landing({ me, usual }: { me: Me; usual: string }) {
  const mayComplete = me.rights.includes("administer");
  const found = useQuery({
    queryKey: ["first-run"],
    queryFn: () => get<FirstRun>("/first-run"),
    enabled: mayComplete,
    retry: false,
  });
  const here = useLocation().pathname;
  // Somebody may have chosen a page meanwhile, which is still being loaded.
  const isLeaving = location.pathname !== here;
  if (isLeaving || (mayComplete && found.isPending)) return <Waiting />;
  // The page that is gone to may have to be loaded, and this one stays until then.
  return (
    <>
      <Waiting />
      <Navigate to={found.data && !found.data.complete ? START : usual} replace />
    </>
  );
}
