/** The labels that students do not notice yet, and what is left to do with them. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get, type Models } from "../api";
import { saying, useTexts } from "../texts";

const vi = {
  untrained: "{n} nhãn đã lưu đang chờ huấn luyện: sinh viên chưa thấy gì khác.",
  unpromoted: "{n} nhãn đã vào mô hình mới, đang chờ được đưa vào dùng.",
  none: "Không có nhãn nào đang chờ huấn luyện.",
};

const en: typeof vi = {
  untrained: "{n} saved {n|label waits|labels wait} for training: students notice nothing yet.",
  unpromoted: "{n} {n|label is|labels are} in the new model, which is not live yet.",
  none: "No label waits for training.",
};

const SAY = { vi: saying(vi), en: saying(en) };

export function WaitingLabels() {
  const said = SAY[useTexts().language];
  const labels = useQuery({ queryKey: ["models"], queryFn: () => get<Models>("/models") }).data?.labels;
  if (!labels) return null;
  const { untrained, unpromoted } = labels;
  return (
    <Text size="sm" fw={untrained || unpromoted ? 600 : undefined} data-testid="waiting-labels">
      {[
        untrained > 0 && said("untrained", { n: untrained }),
        unpromoted > 0 && said("unpromoted", { n: unpromoted }),
      ]
        .filter(Boolean)
        .join(" ") || said("none")}
    </Text>
  );
}
