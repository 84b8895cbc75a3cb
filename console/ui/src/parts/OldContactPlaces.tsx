import { Alert, Anchor, Button, Checkbox, Group, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { Dialog } from "./Dialog";
import { ask, isConflict, type NamedPlace, type OldContacts, type ReplacementPreview } from "../api";
import { useMutation } from "./acting";
import { SavedBy, Side } from "./Conflict";
import { NoVersions } from "./NoVersions";
import { useOldContactTexts } from "./old_contact_texts";
import { Failed, tell, Waiting } from "./parts";
import { Fault } from "./Removal";

/** Where a contact that was changed in the catalogue still stands: each with a link to it, or changed all at once. */
export function OldContactPlaces({
  of: { places, count, replaces },
  changed,
}: {
  of: OldContacts;
  /** Called with the places that stay after the others were changed. */
  changed: (left: OldContacts) => void;
}) {
  const say = useOldContactTexts();
  const [opened, { open, close }] = useDisclosure(false);
  // Of the places that are not named, some may be answers.
  const areFixed = count === places.length && places.every(({ kind }) => kind === "document");
  const way = areFixed ? "stay_text" : replaces.length ? "ways" : "by_hand";
  return (
    <Alert color="orange" title={say("title", { count })} data-testid="old-contacts">
      <Text size="sm">
        {say("text")} {say(way)}
      </Text>
      {places.map((place) => (
        <Text key={`${place.kind} ${place.id}`} size="sm" style={{ overflowWrap: "anywhere" }}>
          {say(place.kind)}: <PlaceLink of={place} />
        </Text>
      ))}
      {count > places.length && <Text size="sm">{say("more", { n: count - places.length })}</Text>}
      {way === "ways" && (
        <Button mt="xs" size="compact-sm" color="orange" variant="light" onClick={open}>
          {say("change_all")}
        </Button>
      )}
      <Dialog opened={opened} onClose={close} size="xl" title={<b>{say("change_all")}</b>}>
        {opened && (
          <ChangeAll
            replaces={replaces}
            done={(stay) => {
              close();
              changed({ places: stay, count: stay.length, replaces });
            }}
          />
        )}
      </Dialog>
    </Alert>
  );
}

/** The sentences that change, before and after, and the button that changes those that are marked. */
function ChangeAll({
  replaces,
  done,
}: {
  replaces: OldContacts["replaces"];
  done: (stay: NamedPlace[]) => void;
}) {
  const say = useOldContactTexts();
  const queries = useQueryClient();
  const [left, setLeft] = useState<string[]>([]);
  const preview = useQuery({
    queryKey: ["old-contact-preview", replaces],
    queryFn: () => ask<ReplacementPreview>("POST", "/old-contacts/preview", { replaces }),
    gcTime: 0,
    staleTime: Infinity,
  });
  const chosen = preview.data?.places.filter((place) => !left.includes(keyOf(place))) ?? [];
  const replacing = useMutation({
    mutationFn: () =>
      ask("POST", "/old-contacts/replacement", {
        replaces,
        places: chosen.map(({ kind, id, seen }) => ({ kind, id, seen })),
      }),
    onSuccess: () => {
      tell(say("changed", { n: chosen.length }));
      done([
        ...(preview.data?.places.filter((place) => left.includes(keyOf(place))) ?? []),
        ...(preview.data?.stay ?? []),
      ]);
      void queries.invalidateQueries();
    },
  });
  if (preview.isPending) return <Waiting />;
  if (preview.error) return <Failed error={preview.error} retry={() => void preview.refetch()} />;
  const { places, stay } = preview.data;
  const fault = replacing.error;
  const meant = isConflict(fault) ? places.find(({ id }) => fault.message.startsWith(`${id} `)) : undefined;
  return (
    <Stack>
      <Text size="sm">{say(places.length ? "preview" : "nothing")}</Text>
      {places.map((place) => (
        <Paper key={keyOf(place)} withBorder p="xs" data-testid="old-contact-change">
          <Checkbox
            label={`${say(place.kind)}: ${place.name}`}
            checked={!left.includes(keyOf(place))}
            onChange={(event) =>
              setLeft(
                event.currentTarget.checked
                  ? left.filter((each) => each !== keyOf(place))
                  : [...left, keyOf(place)],
              )
            }
          />
          {place.sentences.map(({ before, after }) => (
            <SimpleGrid key={before} cols={{ base: 1, md: 2 }} spacing="xs" mt="xs">
              <Side name={say("before")} text={before} other={after} />
              <Side name={say("after")} text={after} other={before} />
            </SimpleGrid>
          ))}
        </Paper>
      ))}
      {stay.length > 0 && (
        <Alert color="blue" title={say("stay")} data-testid="old-contact-stays">
          <Text size="sm">{say("stay_text")}</Text>
          {stay.map((place) => (
            <Text key={keyOf(place)} size="sm">
              <PlaceLink of={place} />
            </Text>
          ))}
        </Alert>
      )}
      {fault &&
        (isConflict(fault) ? (
          <Alert color="orange" title={say("conflict")} data-testid="conflict">
            <SavedBy saved={fault.detail.saved} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xs" mt="xs">
              <Side
                name={say("before")}
                text={meant?.sentences.map(({ before }) => before).join("\n") ?? ""}
                other={String(fault.detail.theirs ?? "")}
              />
              <Side
                name={meant?.name ?? ""}
                text={String(fault.detail.theirs ?? "")}
                other={meant?.sentences.map(({ before }) => before).join("\n") ?? ""}
              />
            </SimpleGrid>
          </Alert>
        ) : (
          <Fault error={fault} />
        ))}
      {places.length > 0 && <NoVersions />}
      <Group justify="end">
        {isConflict(fault) && (
          <Button
            variant="default"
            onClick={() => {
              replacing.reset();
              void preview.refetch();
            }}
          >
            {say("seen")}
          </Button>
        )}
        <Button
          disabled={!chosen.length || fault !== null}
          loading={replacing.isPending}
          onClick={() => replacing.mutate()}
        >
          {say("change", { n: chosen.length })}
        </Button>
      </Group>
    </Stack>
  );
}

const keyOf = ({ kind, id }: NamedPlace) => `${kind} ${id}`;

function PlaceLink({ of: { kind, id, name, locator } }: { of: NamedPlace }) {
  return (
    <Anchor component={Link} size="sm" to={addressOf(kind, id, locator)}>
      {[name, locator].filter(Boolean).join(" · ")}
    </Anchor>
  );
}

function addressOf(kind: NamedPlace["kind"], id: string, locator: string): string {
  const part = encodeURIComponent(id);
  if (kind === "document") return `/documents/${part}?${new URLSearchParams({ at: locator })}`;
  return kind === "entry" ? `/faq/${part}` : `/facts/${part}`;
}
