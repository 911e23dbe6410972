import type { JSX } from 'preact';
import * as format from '../format.ts';
import type { PageData } from '../state/data.ts';
import type { RangeName, Sections } from '../state/messages.ts';
import { Chart } from './chart.tsx';

const RANGE_NAMES: Readonly<Record<RangeName, string>> = {
  hour: '1 hour',
  day: '24 hours',
  month: '30 days',
};

interface OverTimeProps {
  readonly history: PageData['history'];
  readonly sections: Partial<Sections>;
  readonly range: RangeName;
  readonly setRange: (range: RangeName) => void;
  readonly isPublic: boolean;
}

/** Charts of the last hour, day or month. */
export function OverTime(props: OverTimeProps): JSX.Element {
  const { history, isPublic, range, sections, setRange } = props;
  const track = history[range];
  const { traffic } = sections;
  return (
    <section class="section over-time" aria-labelledby="over-time-title">
      <header class="section-head">
        <h2 id="over-time-title">Over time</h2>
        <fieldset class="choice">
          <legend class="hidden">Range of the charts</legend>
          {(['hour', 'day', 'month'] as const).map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="range"
                checked={range === name}
                onChange={() => setRange(name)}
              />
              <span>{RANGE_NAMES[name]}</span>
            </label>
          ))}
        </fieldset>
      </header>
      <div class="charts">
        {!isPublic && (
          <Chart
            range={range}
            track={track}
            title="Traffic"
            more={
              traffic &&
              `${format.bytes(traffic.bytesIn)} in and ${format.bytes(traffic.bytesOut)} out since the start`
            }
            lines={[
              { name: 'bytesIn', label: 'in' },
              { name: 'bytesOut', label: 'out' },
            ]}
            show={format.byteRate}
          />
        )}
        <Chart
          range={range}
          track={track}
          title="Pool"
          lines={[{ name: 'pool', label: 'transactions' }]}
          show={format.short}
        />
        {!isPublic && (
          <Chart
            range={range}
            track={track}
            title="Peers"
            lines={[{ name: 'peers', label: 'connected' }]}
            show={format.short}
          />
        )}
      </div>
    </section>
  );
}
