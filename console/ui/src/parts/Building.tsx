/** Whether Covan answers by what was published: documents, topics and the catalogue go live with a build. */
import { Alert, Loader } from "@mantine/core";
import { useState } from "react";
import { saying, timeText, useTexts } from "../texts";
import { Seconds } from "./Doing";

const vi = {
  building:
    "Đang đọc lại các văn bản, thường mất vài giây, văn bản mới dài thì lâu hơn. Trong lúc đó Covan vẫn trả lời theo bản cũ.",
  built: "Xong lúc {time}. Covan đang trả lời theo bản mới.",
  failed:
    "Lần đọc gần nhất không xong; Covan vẫn trả lời theo bản cũ. Xem trang Văn bản có tệp nào “Không đọc được”: mở ra, thay hoặc gỡ tệp ấy là Covan đọc lại. Không có tệp nào như vậy thì nhờ người vận hành chạy covan index để xem lý do.",
};

const en: Record<keyof typeof vi, string> = {
  building:
    "The documents are being read again, which usually takes some seconds, longer for long new ones. Meanwhile Covan answers from the version before.",
  built: "Done at {time}. Covan answers by the new texts.",
  failed:
    "The last reading did not end well; Covan answers from the version before. See whether a file on the Documents page cannot be read: open it, replace or remove it, and Covan reads again. If there is none, ask whoever runs Covan to run covan index and see why.",
};

const SAY = { vi: saying(vi), en: saying(en) };

/** That the whole build runs, how long it is waited for, and that it is done or has failed. */
export function Building({
  building,
  since,
  failed,
}: {
  building: boolean;
  /** From when on it is waited for, in milliseconds since 1970. */
  since: number;
  failed: boolean;
}) {
  const { say, language } = useTexts();
  const told = SAY[language];
  const [was, setWas] = useState(building);
  const [doneAt, setDoneAt] = useState(0);
  if (was !== building) {
    setWas(building);
    setDoneAt(building ? 0 : Date.now() / 1000);
  }
  if (building)
    return (
      <Alert className="kept-in-sight" color="blue" role="status" icon={<Loader size="xs" aria-hidden />}>
        {told("building")} <Seconds since={since} />
      </Alert>
    );
  if (failed) return <Alert color="red">{told("failed")}</Alert>;
  return (
    doneAt > 0 && (
      <Alert
        className="kept-in-sight"
        color="green"
        role="status"
        withCloseButton
        closeButtonLabel={say("close")}
        onClose={() => setDoneAt(0)}
      >
        {told("built", { time: timeText(doneAt, language) })}
      </Alert>
    )
  );
}
