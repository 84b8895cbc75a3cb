/** A field of a day: chosen in a calendar, or typed as day/month/year. */
import "@mantine/dates/styles.layer.css";
import { DateInput } from "@mantine/dates";
import dayjs from "dayjs";
import "dayjs/locale/vi";
import customParseFormat from "dayjs/plugin/customParseFormat";
import { useState } from "react";
import { saying, useTexts } from "../texts";
import { isReadable } from "./day_times";

dayjs.extend(customParseFormat);

const SHOWN = "DD/MM/YYYY";

/** Strict, else 31/02 would be 03/03; any other mark between the numbers is read as a stroke. */
const TYPED = [SHOWN, "D/M/YYYY", "DD/M/YYYY", "D/MM/YYYY", "YYYY/MM/DD"];

const SAY = {
  vi: saying({
    form: "ngày/tháng/năm",
    unreadable: "Không có ngày “{typed}”. Hãy viết ngày/tháng/năm, ví dụ 15/09/2026.",
    clear: "Bỏ ngày",
    months: "Chọn tháng",
    years: "Chọn năm",
    previous_month: "Tháng trước",
    next_month: "Tháng sau",
    previous_year: "Năm trước",
    next_year: "Năm sau",
    previous_decade: "Mười năm trước",
    next_decade: "Mười năm sau",
  }),
  en: saying({
    form: "day/month/year",
    unreadable: "There is no day “{typed}”. Write day/month/year, as in 15/09/2026.",
    clear: "Clear the day",
    months: "Choose a month",
    years: "Choose a year",
    previous_month: "Previous month",
    next_month: "Next month",
    previous_year: "Previous year",
    next_year: "Next year",
    previous_decade: "Previous ten years",
    next_decade: "Next ten years",
  }),
};

/** Return the day (ISO 8601) that was typed; null when it cannot be read. */
function dayTyped(typed: string): string | null {
  const day = dayjs(typed.trim().replace(/[\s.-]+/g, "/"), TYPED, true);
  return day.isValid() ? day.format("YYYY-MM-DD") : null;
}

export function DateField({
  label,
  size,
  value,
  set,
}: {
  label: string;
  size?: "xs" | "sm";
  /** ISO 8601, nothing, or what was typed and cannot be read (`isReadable`). */
  value: string;
  set: (value: string) => void;
}) {
  const { language } = useTexts();
  const say = SAY[language];
  const [isTyping, setTyping] = useState(false);
  const [isOpened, setOpened] = useState(false);
  const isRead = isReadable(value);
  return (
    <DateInput
      label={label}
      {...(size && { size })}
      placeholder={say("form")}
      locale={language}
      valueFormat={SHOWN}
      dateParser={dayTyped}
      value={isRead && value ? value : null}
      onChange={(day) => set(day ?? "")}
      onInput={({ currentTarget: { value: typed } }) => {
        if (typed.trim() && !dayTyped(typed)) set(typed.trim());
      }}
      // What cannot be read stays there to be corrected.
      fixOnBlur={isRead}
      error={!isRead && !isTyping && say("unreadable", { typed: value })}
      onFocus={() => setTyping(true)}
      onBlur={() => setTyping(false)}
      clearable
      clearButtonProps={{ "aria-label": say("clear") }}
      popoverProps={{ onOpen: () => setOpened(true), onClose: () => setOpened(false) }}
      // Escape closes the calendar before the dialog that the field is in.
      data-mantine-stop-propagation={isOpened || undefined}
      ariaLabels={{
        monthLevelControl: say("months"),
        yearLevelControl: say("years"),
        previousMonth: say("previous_month"),
        nextMonth: say("next_month"),
        previousYear: say("previous_year"),
        nextYear: say("next_year"),
        previousDecade: say("previous_decade"),
        nextDecade: say("next_decade"),
      }}
    />
  );
}
