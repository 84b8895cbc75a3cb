import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import type { InboxConversation } from "../api";
import { timeText, useTexts } from "../texts";
import { DecisionBadge } from "./parts";

/** What is known of the student: the profile, and the last questions with what became of them. */
export function StudentPanel({ student }: { student: InboxConversation["student"] }) {
  const { say, language } = useTexts();
  return (
    <Stack gap="md" data-testid="student">
      <div>
        <Text fw={600} size="sm">
          {say("student.profile")}
        </Text>
        {student.profile.length === 0 && (
          <Text size="sm" c="dimmed">
            {say("student.unknown")}
          </Text>
        )}
        {student.profile.map((each) => (
          <Text key={each.name} size="sm">
            <Text span c="dimmed" size="sm">
              {each.name.charAt(0).toLocaleUpperCase()}
              {each.name.slice(1)}:
            </Text>{" "}
            {each.value}
          </Text>
        ))}
        {student.since !== null && (
          <Text size="xs" c="dimmed" mt={4}>
            {say("student.since", { time: timeText(student.since, language) })}
          </Text>
        )}
      </div>
      {student.questions.length > 0 && (
        <div>
          <Text fw={600} size="sm" mb={4}>
            {say("student.asked")}
          </Text>
          <Stack gap="xs">
            {student.questions.map((each) => (
              <div key={each.id}>
                <Anchor component={Link} to={`/conversations/${each.id}`} size="sm" lineClamp={2}>
                  {each.question}
                </Anchor>
                <Text size="xs" c="dimmed" component="div">
                  {each.decision && <DecisionBadge decision={each.decision} />}{" "}
                  {each.topic && `${each.topic} · `}
                  {timeText(each.at, language)}
                </Text>
              </div>
            ))}
          </Stack>
        </div>
      )}
    </Stack>
  );
}
