import { Alert, Anchor } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import type { Me } from "../api";
import { saying, useTexts } from "../texts";

const SAY = {
  vi: saying({
    text: "Trường chưa lưu phiên bản nào: thay đổi này không hoàn tác được. Nhờ người vận hành bật, cách làm ở trang",
    page: "Phiên bản",
  }),
  en: saying({
    text: "No versions are kept: this change cannot be undone. The operator can turn them on, as told on the page",
    page: "Versions",
  }),
};

/** Whether a change can be undone on the page of the versions. */
export const useKeepsVersions = () => useQueryClient().getQueryData<Me>(["me"])?.keeps_versions ?? true;

/** Tells, before something is published, that it cannot be undone; nothing where versions are kept. */
export function NoVersions() {
  const say = SAY[useTexts().language];
  if (useKeepsVersions()) return null;
  return (
    <Alert role="note" color="orange" p="xs" data-testid="no-versions">
      {say("text")}{" "}
      <Anchor component={Link} to="/versions" size="sm">
        {say("page")}
      </Anchor>
      .
    </Alert>
  );
}
