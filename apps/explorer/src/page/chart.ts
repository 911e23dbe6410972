import type { BlockSummary } from '../queries/rows.ts';
import { count, kilobytes, shortXmr } from './format.ts';
import { html, type Html } from './html.ts';

const HEIGHT = 120;
const STEP = 10;

/** Returns bars: one for each block, the newest on the right; above the line its size, below it its fees. */
export function blockChart(newestFirst: readonly BlockSummary[]): Html {
  const blocks = newestFirst.toReversed();
  const most = Math.max(1, ...blocks.map(({ weight }) => weight));
  const dearest = Math.max(1, ...blocks.map(({ fees }) => Number(fees)));
  const up = HEIGHT * 0.62;
  const down = HEIGHT - up - 2;
  return html`<svg
    class="chart"
    viewBox="0 0 ${Math.max(1, blocks.length) * STEP} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="Sizes and fees of the newest ${blocks.length} blocks"
  >
    ${blocks.map(({ height, weight, fees }, i) => {
      const size = Math.max(1.5, (up * weight) / most);
      const paid = (down * Number(fees)) / dearest;
      return html`<g>
        <title>Block ${count(height)}: ${kilobytes(weight)}, ${shortXmr(fees)} XMR of fees</title>
        <rect
          class="size"
          x="${i * STEP + 1}"
          y="${(up - size).toFixed(2)}"
          width="${STEP - 2}"
          height="${size.toFixed(2)}"
        />
        <rect
          class="paid"
          x="${i * STEP + 1}"
          y="${up + 2}"
          width="${STEP - 2}"
          height="${paid.toFixed(2)}"
        />
      </g>`;
    })}
  </svg>`;
}
