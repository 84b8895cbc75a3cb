/** Who is in charge of a fact, or of the facts of a group, and when it was last reviewed. */
import { Alert, Button, Group, Paper, Select, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, get, isConflict, withQuery, type ApiError, type Reviewed, type UsedFact } from "../api";
import { dayText, useTexts } from "../texts";
import { isReadable } from "./day_times";
import { useMutation } from "./acting";
import { Conflict } from "./Conflict";
import { FACT } from "./fact_names";
import { useLeaving } from "./leaving";
import { errorText, tell } from "./parts";
import { ReviewFields, ReviewLine, useOfficeName } from "./Review";
import { useReviewTexts } from "./review_texts";

export function FactReview({ fact, mayWrite }: { fact: UsedFact; mayWrite: boolean }) {
  const reviews = useReviewTexts();
  const [opened, setOpened] = useState(false);
  return (
    <Stack gap={4} data-testid="review">
      <Text size="sm" fw={600}>
        {reviews("title")}
      </Text>
      <ReviewLine review={fact} />
      {opened ? (
        <ReviewForm fact={fact} close={() => setOpened(false)} />
      ) : (
        mayWrite && (
          <Button
            variant="subtle"
            size="compact-sm"
            style={{ alignSelf: "start" }}
            onClick={() => setOpened(true)}
          >
            {reviews("change")}
          </Button>
        )
      )}
    </Stack>
  );
}

const NOTHING = { owner: "", reviewed_at: "" };
const noted = (fact: UsedFact, name: string): Reviewed =>
  fact.told.find((each) => each.name === name) ?? NOTHING;

function ReviewForm({ fact, close }: { fact: UsedFact; close: () => void }) {
  const { say, language } = useTexts();
  const reviews = useReviewTexts();
  const queries = useQueryClient();
  const officeName = useOfficeName();
  const [name, setName] = useState(fact.name);
  const [seen, setSeen] = useState(noted(fact, name));
  const [review, setReview] = useState(seen);
  const latest = useMutation({
    mutationFn: async (fault: ApiError) => {
      const now = await get<UsedFact>(withQuery("/facts/value", { name: fact.name }));
      return { fault, theirs: noted(now, name) };
    },
  });
  const isChanged = review.owner !== seen.owner || review.reviewed_at !== seen.reviewed_at;
  const saving = useMutation({
    mutationFn: () =>
      ask("PUT", "/facts/review", {
        name,
        owner: review.owner,
        reviewed_at: review.reviewed_at,
        seen_owner: seen.owner,
        seen_reviewed_at: seen.reviewed_at,
      }),
    onSuccess: () => {
      tell(reviews("saved"));
      void queries.invalidateQueries();
      close();
    },
    onError: (error) => {
      if (isConflict(error)) latest.mutate(error);
    },
  });
  const leave = useLeaving(isChanged, close, saving.isPending);
  if (latest.data) {
    const { fault, theirs } = latest.data;
    const goOn = () => {
      setSeen(theirs);
      saving.reset();
      latest.reset();
    };
    const day = (of: Reviewed) => of.reviewed_at && dayText(of.reviewed_at, language);
    return (
      <Conflict
        title={reviews("conflict")}
        fault={fault}
        parts={[
          { name: say("entry.owner"), mine: officeName(review.owner), theirs: officeName(theirs.owner) },
          { name: say("entry.reviewed_at"), mine: day(review), theirs: day(theirs) },
        ]}
        loadTheirs={() => {
          setReview(theirs);
          goOn();
        }}
        takeLatest={goOn}
      />
    );
  }
  return (
    <Paper
      withBorder
      p="sm"
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack gap="sm">
        <Select
          label={reviews("of")}
          description={reviews("of_help")}
          allowDeselect={false}
          value={name}
          onChange={(chosen) => {
            const now = noted(fact, chosen!);
            setName(chosen!);
            setSeen(now);
            setReview(now);
          }}
          data={fact.told.map((each) => ({
            value: each.name,
            label:
              each.name === fact.name
                ? reviews("of_this")
                : reviews("of_group", { name: each.name.slice(FACT.length) }),
          }))}
        />
        <ReviewFields review={review} set={(changed) => setReview({ ...review, ...changed })} />
        {saving.error && (
          <Alert color="red" style={{ whiteSpace: "pre-wrap" }}>
            {errorText(say, saving.error)}
          </Alert>
        )}
        <Group justify="end">
          <Button variant="subtle" color="gray" onClick={leave}>
            {say("cancel")}
          </Button>
          <Button
            type="submit"
            loading={saving.isPending}
            disabled={!isChanged || !isReadable(review.reviewed_at)}
          >
            {say("save")}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
