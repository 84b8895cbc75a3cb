/** Texts of an answer as the channels show it: they come with the pages that show it. */
import { saying, useTexts } from "../texts";

const vi = {
  show: "Xem trên từng kênh",
  hide: "Thôi xem",
  source: "Nguồn: {sources}",
};

const en: typeof vi = {
  show: "See it on each channel",
  hide: "Hide",
  source: "Source: {sources}",
};

const SAY = { vi: saying(vi), en: saying(en) };

export const usePreviewTexts = () => SAY[useTexts().language];
