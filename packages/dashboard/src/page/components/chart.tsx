import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { momentOf } from '../format.ts';
import { RANGES, type RangeName, type SeriesName, type Track } from '../state/messages.ts';
import { Plot } from './plot.tsx';

const RANGE_TEXTS: Readonly<Record<RangeName, string>> = {
  hour: 'over the last hour',
  day: 'over the last 24 hours',
  month: 'over the last 30 days',
};
/** Until there is a line, which takes two points. */
const FIRST_FIGURES: Readonly<Record<RangeName, string>> = {
  hour: 'within half a minute',
  day: 'within three minutes',
  month: 'within two hours',
};

interface ChartProps {
  readonly title: string;
  readonly more?: string | undefined;
  readonly range: RangeName;
  readonly track: Track;
  readonly lines: readonly { readonly name: SeriesName; readonly label: string }[];
  /** Returns a value as text. */
  readonly show: (value: number) => string;
}

/** A chart of one or two series with its title, the values under the pointer, and a sentence for those that do not see it. */
export function Chart({ title, more, range, track, lines, show }: ChartProps): JSX.Element {
  const [hovered, setHovered] = useState<number>();
  const series = lines.map(({ name }) => track.series[name] ?? []);
  const length = series[0]?.length ?? 0;
  const { step } = RANGES[range];
  const at = hovered === undefined ? length - 1 : Math.min(hovered, length - 1);
  const time = track.end - (length - 1 - at) * step;
  const text = lines
    .map(({ label }, i) => `${label} ${series[i]?.length ? summary(series[i], show) : 'unknown'}`)
    .join('; ');
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <p class="reading" aria-hidden="true">
          {lines.map(({ label, name }, i) => {
            const value = series[i]?.[at];
            return (
              <span key={name} class={`line-${i}`}>
                {typeof value === 'number' ? show(value) : '–'} <i>{label}</i>
              </span>
            );
          })}
          {hovered !== undefined && <time>{momentOf(time, step)}</time>}
        </p>
      </figcaption>
      {length < 2 ? (
        <p class="empty plot">The first figures come {FIRST_FIGURES[range]}.</p>
      ) : (
        <div class="plot" role="img" aria-label={`${title} ${RANGE_TEXTS[range]}: ${text}`}>
          <Plot
            series={series}
            show={show}
            step={step}
            end={track.end}
            points={RANGES[range].points}
            onHover={setHovered}
          />
        </div>
      )}
      {more !== undefined && <p class="unit">{more}</p>}
    </figure>
  );
}

/** Returns the newest and the largest value. */
function summary(values: readonly (number | null)[], show: (value: number) => string): string {
  const known = values.filter((value) => value !== null);
  return known.length === 0
    ? 'unknown'
    : `now ${show(known.at(-1) ?? 0)}, at most ${show(Math.max(...known))}`;
}
