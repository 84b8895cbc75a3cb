import { Alert, Anchor, SimpleGrid, Stack, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import type { ChangedSource } from "../api";
import { useTexts } from "../texts";
import { Side } from "./Conflict";

/** The sources of an entry whose text changed after it was last edited or reviewed, each beside the old text. */
export function ChangedSources({ sources }: { sources: ChangedSource[] }) {
  const { say } = useTexts();
  if (!sources.length) return null;
  return (
    <Alert color="orange" title={say("faq.sources_changed")} data-testid="changed-sources">
      <Text size="sm">{say("faq.sources_changed_text")}</Text>
      <Stack gap="sm" mt="xs">
        {sources.map(({ document, title, locator, before, now }) => (
          <div key={`${document} ${locator}`}>
            <Anchor
              component={Link}
              size="sm"
              target="_blank"
              to={`/documents/${encodeURIComponent(document)}?${new URLSearchParams({ at: locator })}`}
            >
              {[title, locator].filter(Boolean).join(" · ")}
            </Anchor>
            {!now ? (
              <Text size="sm">{say("faq.source_gone")}</Text>
            ) : before ? (
              <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xs">
                <Side name={say("faq.source_before")} text={before} other={now} />
                <Side name={say("faq.source_now")} text={now} other={before} />
              </SimpleGrid>
            ) : (
              <Text size="sm">{say("faq.source_long")}</Text>
            )}
          </div>
        ))}
      </Stack>
    </Alert>
  );
}
