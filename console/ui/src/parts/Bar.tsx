import { useComputedColorScheme } from "@mantine/core";
import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, Tooltip } from "chart.js";
import { Chart as ChartOfType } from "react-chartjs-2";

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Legend, Tooltip);

const ONLY = "#1098ad";
export const COLOURS: Record<string, string> = {
  answer: "#12b886",
  clarify: "#339af0",
  no_answer: "#fd7e14",
  passed_on: "#868e96",
  median: "#1098ad",
  p95: "#f59f00",
  written: "#7048e8",
};

/** A bar chart; a row without a name is the only one. `whole`: the axis counts things; `stacked`: rows add up. */
export function Bar({
  label,
  names,
  rows,
  whole = true,
  stacked = true,
}: {
  label: string;
  names: string[];
  rows: { name: string; label: string; counts: number[] }[];
  whole?: boolean;
  stacked?: boolean;
}) {
  const dark = useComputedColorScheme("light") === "dark";
  const ink = dark ? "#c1c2c5" : "#495057";
  const line = dark ? "#373a40" : "#e9ecef";
  return (
    <div style={{ height: 220 }}>
      <ChartOfType
        type="bar"
        aria-label={`${label}: ${names.map((name, place) => `${name} ${rows.map((row) => row.counts[place]).join("/")}`).join(", ")}`}
        data={{
          labels: names,
          datasets: rows.map((row) => ({
            label: row.label,
            data: row.counts,
            backgroundColor: COLOURS[row.name] ?? ONLY,
            maxBarThickness: 46,
            borderRadius: 3,
          })),
        }}
        options={{
          maintainAspectRatio: false,
          animation: false,
          plugins: { legend: { display: rows.length > 1, labels: { color: ink, boxWidth: 12 } } },
          scales: {
            x: { stacked, grid: { display: false }, ticks: { color: ink } },
            y: {
              stacked,
              beginAtZero: true,
              grid: { color: line },
              ticks: { color: ink, ...(whole ? { precision: 0 } : {}) },
            },
          },
        }}
      />
    </div>
  );
}
