import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { momentOf } from '../format.ts';

interface PlotProps {
  /** Oldest first, evenly spaced; null where nothing was measured. */
  readonly series: readonly (readonly (number | null)[])[];
  /** Unix seconds of the newest point. */
  readonly end: number;
  /** Seconds between two points. */
  readonly step: number;
  /** Points that fill the width. */
  readonly points: number;
  readonly show: (value: number) => string;
  /** Called with the position of the point under the pointer; undefined when there is no pointer. */
  readonly onHover: (position: number | undefined) => void;
}

/** Pixels. */
const HEIGHT = 120;
const AXIS_WIDTH = 64;
const AXIS_HEIGHT = 22;
/** Least value at the top of a chart. */
const LEAST_RANGE = 4;
/** Steps of the value axis: whole numbers only. */
const STEPS = Array.from({ length: 16 }, (_, i) =>
  [1, 2, 5].map((digit) => digit * 10 ** i),
).flat();

/** Draws series over time on a canvas. */
export function Plot(props: PlotProps): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const parent = element.current;
    if (parent === null) return undefined;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsOf(parent, latest), dataOf(latest.current), parent);
    };
    draw();
    const sizes = new ResizeObserver(() => {
      if (parent.clientWidth > 0)
        plot.current?.setSize({ width: parent.clientWidth, height: HEIGHT });
    });
    sizes.observe(parent);
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', draw);
    return () => {
      theme.removeEventListener('change', draw);
      sizes.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [props.step, props.series.length]);
  useEffect(() => {
    plot.current?.setData(dataOf(props));
  }, [props.end, ...props.series]);
  return <div ref={element} class="canvas" />;
}

function dataOf({ end, series, step }: PlotProps): uPlot.AlignedData {
  const length = series[0]?.length ?? 0;
  const times = Array.from({ length }, (_, i) => end - (length - 1 - i) * step);
  return [times, ...series.map((values) => [...values])];
}

function optionsOf(parent: HTMLElement, latest: { readonly current: PlotProps }): uPlot.Options {
  const style = getComputedStyle(parent);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const grid = { stroke: color('--line'), width: 1 };
  const axis = {
    stroke: color('--soft'),
    font: `11px ${style.fontFamily}`,
    ticks: { show: false },
  };
  return {
    width: Math.max(80, parent.clientWidth),
    height: HEIGHT,
    padding: [8, 0, 0, 0],
    legend: { show: false },
    cursor: { drag: { setScale: false, x: false, y: false }, y: false, points: { size: 6 } },
    scales: {
      x: {
        range: () => {
          const { end, points, step } = latest.current;
          return [end - (points - 1) * step, end];
        },
      },
      // A line at zero must not touch the top.
      y: { range: (_, __, most) => [0, Math.max(most * 1.1, LEAST_RANGE)] },
    },
    axes: [
      {
        ...axis,
        size: AXIS_HEIGHT,
        grid: { show: false },
        space: 70,
        values: (_, times) => times.map((time) => momentOf(time, latest.current.step, true)),
      },
      {
        ...axis,
        size: AXIS_WIDTH,
        grid,
        space: 34,
        incrs: STEPS,
        values: (_, values) => values.map((value) => latest.current.show(value)),
      },
    ],
    series: [{}, ...latest.current.series.map((_, i) => lineOf(i, color))],
    hooks: {
      setCursor: [({ cursor }) => latest.current.onHover(cursor.idx ?? undefined)],
    },
  };
}

/** The first line is filled, so that color is not all that distinguishes them. */
function lineOf(i: number, color: (name: string) => string): uPlot.Series {
  const points = { show: false };
  if (i > 0) return { stroke: color('--second'), width: 1.5, points };
  return { stroke: color('--accent'), fill: color('--accent-wash'), width: 1.5, points };
}
