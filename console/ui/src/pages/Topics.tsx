import { Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router-dom";
import {
  ask,
  get,
  type KeptPart,
  type KeptTopic,
  type ListedDraft,
  type Me,
  type CatalogueSections,
  type KnownTopics,
} from "../api";
import { CatalogueList, PartForm, sectionName, shownName } from "../parts/Catalogue";
import { CatalogueSheet, takesSheet } from "../parts/CatalogueSheet";
import { Building } from "../parts/Building";
import { DraftCheck, KeptChecks } from "../parts/DraftCheck";
import { useOpenedDraft } from "../parts/keeping";
import { KeptDrafts } from "../parts/KeptDrafts";
import { Back, Failed, Page, Waiting } from "../parts/parts";
import { Removal } from "../parts/Removal";
import { TopicForm, TopicList } from "../parts/Topics";
import { useTexts } from "../texts";
import { mayLeave } from "../parts/leaving";

const BUILDING_MS = 3_000;

/** What is chosen stands in the address: "topic~ID" or "SECTION~ID", without an id for a new one. */
const BETWEEN = "~";
const TOPIC = "topic";

export default function Topics({ me }: { me: Me }) {
  const { say, language } = useTexts();
  const { id } = useParams();
  const go = useNavigate();
  const [section, chosen = ""] = id?.split(BETWEEN) ?? [];
  const [query] = useSearchParams();
  const isOfCatalogue = (section && section !== TOPIC) || query.get("kind") === "part";
  const [kind, setKind] = useState<"topics" | "catalogue">(isOfCatalogue ? "catalogue" : "topics");
  const [shown, setShown] = useState(section && section !== TOPIC ? section : "office");
  const mayWrite = me.rights.includes("publish");
  const poll = {
    refetchInterval: (query: { state: { data?: { building: boolean } | undefined } }) =>
      query.state.data?.building ? BUILDING_MS : (false as const),
  };
  const topics = useQuery({
    queryKey: ["topics"],
    queryFn: () => get<KnownTopics>("/topics"),
    ...poll,
  });
  const catalogue = useQuery({
    queryKey: ["catalogue"],
    queryFn: () => get<CatalogueSections>("/catalogue"),
    ...poll,
  });
  const isThere = ({ part }: ListedDraft) => part === "same" || part === "changed";
  const topicDrafts = useOpenedDraft<KeptTopic>(
    id,
    "/topics",
    (of) => `${TOPIC}${BETWEEN}${isThere(of) ? of.part_id : ""}`,
  );
  const partDrafts = useOpenedDraft<KeptPart>(
    id,
    "/topics",
    (of) => `${of.section_id}${BETWEEN}${isThere(of) ? of.part_id : ""}`,
  );
  if (topics.isPending || catalogue.isPending) return <Waiting />;
  const error = topics.error ?? catalogue.error;
  if (error)
    return (
      <Failed
        error={error}
        retry={() => {
          void topics.refetch();
          void catalogue.refetch();
        }}
      />
    );
  const { building, building_s, build_failed } = topics.data!;
  const { sections, due_days } = catalogue.data!;
  const open = (name: string, of: string) =>
    void go(`/topics/${encodeURIComponent(`${name}${BETWEEN}${of}`)}`);
  const leave = () => void go("/topics");
  const chosenTopic = topics.data!.topics.find((each) => each.id === chosen);
  const chosenSection = sections.find((each) => each.id === section);
  const chosenPart = chosenSection?.parts.find((each) => each.id === chosen);
  const importing = sections.find((each) => each.id === shown && takesSheet(each));
  const growing = kind === "topics" || sections.find((each) => each.id === shown)?.grows;
  return (
    <Page
      title={say("topics.title")}
      intro={say("topics.intro")}
      aside={
        <Group gap="xs">
          <SegmentedControl
            value={kind}
            onChange={(next) => {
              if (!mayLeave()) return;
              leave();
              setKind(next as typeof kind);
            }}
            data={[
              { value: "topics", label: say("topics.topics") },
              { value: "catalogue", label: say("topics.catalogue") },
            ]}
          />
          {mayWrite && kind === "catalogue" && importing && (
            <CatalogueSheet key={shown} section={importing} />
          )}
          {mayWrite && growing && (
            <Button
              leftSection={<IconPlus size={16} />}
              onClick={() => open(kind === "topics" ? TOPIC : shown, "")}
            >
              {say("topics.add")}
            </Button>
          )}
        </Group>
      }
    >
      <Building building={building} since={topics.dataUpdatedAt - 1000 * building_s} failed={build_failed} />
      {mayWrite && <KeptChecks under="/topics" />}
      {mayWrite &&
        (kind === "topics" ? (
          <KeptDrafts key={kind} kind="topic" open={topicDrafts.open} />
        ) : (
          <KeptDrafts key={kind} kind="part" open={partDrafts.open} />
        ))}
      <div className={`two${id ? " open" : ""}`}>
        {kind === "topics" ? (
          <TopicList
            topics={topics.data!.topics}
            dueDays={topics.data!.due_days}
            chosen={chosen}
            open={(of) => open(TOPIC, of)}
          />
        ) : (
          <CatalogueList
            sections={sections}
            dueDays={due_days}
            shown={shown}
            show={(next) => {
              if (!mayLeave()) return;
              leave();
              setShown(next);
            }}
            chosen={chosen}
            open={(of) => open(shown, of)}
          />
        )}
        <div className="detail">
          {section === TOPIC && (chosenTopic || !chosen) ? (
            <Stack gap="sm">
              <Back name="topics.all" go={leave} />
              <Text fw={600}>{chosenTopic?.name ?? say("topics.new")}</Text>
              <TopicForm
                key={`${chosen} ${topicDrafts.times}`}
                begun={topicDrafts.begun}
                isOfGone={topicDrafts.isOfGone}
                discarded={leave}
                topic={chosenTopic}
                sections={sections}
                mayWrite={mayWrite}
                added={(of) => open(TOPIC, of)}
              />
              {mayWrite && chosenTopic && (
                <Removal
                  name={chosenTopic.name}
                  check={
                    <DraftCheck
                      draft={{
                        kind: "removal",
                        of: "topic",
                        section_id: "",
                        id: chosen,
                        name: chosenTopic.name,
                      }}
                      version={chosenTopic.version}
                      ready
                    />
                  }
                  remove={() =>
                    ask("POST", `/topics/${encodeURIComponent(chosen)}/removal`, {
                      version: chosenTopic.version,
                    })
                  }
                  removed={leave}
                />
              )}
            </Stack>
          ) : chosenSection && (chosenPart || !chosen) ? (
            <Stack gap="sm">
              <Back name="topics.all" go={leave} />
              <Text fw={600}>
                {chosenPart
                  ? shownName(chosenPart, sections, language)
                  : say("catalogue.new", { name: sectionName(say, language, chosenSection) })}
              </Text>
              <PartForm
                key={`${section} ${chosen} ${partDrafts.times}`}
                begun={partDrafts.begun}
                isOfGone={partDrafts.isOfGone}
                discarded={leave}
                section={chosenSection}
                part={chosenPart}
                sections={sections}
                topics={topics.data!.topics}
                mayWrite={mayWrite}
                added={(of) => open(chosenSection.id, of)}
              />
              {mayWrite && chosenPart && chosenSection.grows && (
                <Removal
                  name={shownName(chosenPart, sections, language)}
                  check={
                    <DraftCheck
                      draft={{
                        kind: "removal",
                        of: "part",
                        section_id: chosenSection.id,
                        id: chosen,
                        name: shownName(chosenPart, sections, language).slice(0, 300),
                      }}
                      version={chosenPart.version}
                      ready
                    />
                  }
                  remove={() =>
                    ask(
                      "POST",
                      `/catalogue/${encodeURIComponent(chosenSection.id)}/${encodeURIComponent(chosen)}/removal`,
                      { version: chosenPart.version },
                    )
                  }
                  removed={leave}
                />
              )}
            </Stack>
          ) : (
            <Text c="dimmed" size="sm">
              {say(kind === "topics" ? "topics.choose" : "catalogue.choose")}
            </Text>
          )}
        </div>
      </div>
    </Page>
  );
}
