import type { JSX } from 'preact';
import * as format from '../format.ts';
import type { FeeFacts, PoolBand, PoolFacts } from '../state/messages.ts';
import { Section } from './section.tsx';

const BYTES_PER_KB = 1000;

interface PoolProps {
  readonly pool: PoolFacts | undefined;
  readonly fees: FeeFacts | undefined;
  /** Unix milliseconds. */
  readonly now: number;
}

/** The transaction pool by fee rate. */
export function Pool({ pool, fees, now }: PoolProps): JSX.Element {
  const isEmpty = pool === undefined || pool.count === 0;
  const aside =
    isEmpty || pool.oldest === null
      ? 'by fee rate'
      : `by fee rate, oldest ${format.shortDuration(now / 1000 - pool.oldest)}`;
  return (
    <Section id="pool" title="Pool" aside={aside}>
      {isEmpty ? (
        <p class="empty">No transactions are waiting.</p>
      ) : (
        <Histogram bands={pool.bands} fees={fees?.perByte ?? []} />
      )}
    </Section>
  );
}

interface HistogramProps {
  readonly bands: readonly PoolBand[];
  readonly fees: readonly number[];
}

function Histogram({ bands, fees }: HistogramProps): JSX.Element {
  const heaviest = Math.max(1, ...bands.map(({ weight }) => weight));
  return (
    <>
      <ol class="bands">
        {bands.map((band) => (
          <li key={band.from}>
            <span class="count" aria-hidden="true">
              {band.count === 0 ? '' : format.short(band.count)}
            </span>
            <span class="column" title={sentence(band)} aria-hidden="true">
              <span style={{ height: `${(100 * band.weight) / heaviest}%` }} />
            </span>
            <span class="edge" aria-hidden="true">
              {multiple(band.from, fees[0] ?? 1)}
            </span>
            <span class="hidden">{sentence(band)}</span>
          </li>
        ))}
      </ol>
      <p class="unit">
        Bytes, with the number of transactions above, from multiples of the slow fee (
        {format.smallXmr((fees[0] ?? 0) * BYTES_PER_KB)} XMR per kB).
      </p>
    </>
  );
}

/** Returns the lowest rate of a band, as a multiple of the lowest advised one. */
function multiple(from: number, lowest: number): string {
  return from === 0 ? '< 1' : String(Math.round(from / lowest));
}

function sentence({ count, from, weight }: PoolBand): string {
  const rate = format.smallXmr(from * BYTES_PER_KB);
  return `From ${rate} XMR per kB: ${format.grouped(count)} transactions, ${format.bytes(weight)}.`;
}
