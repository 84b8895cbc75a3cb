import { useComputedColorScheme } from "@mantine/core";
import { Chart, LinearScale, LineElement, PointElement, ScatterController, Tooltip } from "chart.js";
import { Scatter } from "react-chartjs-2";

Chart.register(ScatterController, LineElement, PointElement, LinearScale, Tooltip);

const LINE = "#1098ad";
const POINT = "#e8590c";

/** A curve of shares in per cent, with one point of it marked. */
export function Curve({
  label,
  x,
  y,
  points,
  marked,
}: {
  label: string;
  x: string;
  y: string;
  points: [number, number][];
  marked?: [number, number];
}) {
  const dark = useComputedColorScheme("light") === "dark";
  const ink = dark ? "#c1c2c5" : "#495057";
  const line = dark ? "#373a40" : "#e9ecef";
  const inPercent = ([across, up]: [number, number]) => ({ x: 100 * across, y: 100 * up });
  const axis = (text: string) => ({
    title: { display: true, text, color: ink },
    grid: { color: line },
    ticks: { color: ink },
    beginAtZero: true,
  });
  return (
    <div style={{ height: 240 }}>
      <Scatter
        aria-label={label}
        data={{
          datasets: [
            ...(marked
              ? [{ data: [inPercent(marked)], backgroundColor: POINT, pointRadius: 7, pointHoverRadius: 8 }]
              : []),
            {
              data: points.map(inPercent),
              showLine: true,
              borderColor: LINE,
              borderWidth: 2,
              pointRadius: 0,
            },
          ],
        }}
        options={{
          maintainAspectRatio: false,
          animation: false,
          plugins: { legend: { display: false }, tooltip: { enabled: false } },
          scales: { x: { ...axis(x), max: 100 }, y: axis(y) },
        }}
      />
    </div>
  );
}
