import type { Queryable } from '../database/database.ts';
import { newestBlocks, readEmission, readTotals } from '../queries/block-queries.ts';
import { bestOfPool, readPoolSummary } from '../queries/pool-queries.ts';
import type { BlockSummary, Totals } from '../queries/rows.ts';
import { blockStrip } from './block-strip.ts';
import { count, kilobytes, shortXmr, compact, time } from './format.ts';
import { html, type Html } from './html.ts';
import { poolMap, poolTable } from './pool-map.ts';

const HEIGHT = 120;
const STEP = 10;

/** Returns bars: one for each block, the newest on the right; above the line its size, below it its fees. */
function blockChart(newestFirst: readonly BlockSummary[]): Html {
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

const CARDS = 12;
const BARS = 60;
const MAPPED = 250;
const LISTED = 8;

function figures(totals: Totals, emission: string): Html {
  const rows = [
    ['Transactions', count(totals.transactions)],
    ['Outputs', count(totals.outputs)],
    ['Key images', count(totals.key_images)],
    ['Coins', `${compact(String(BigInt(emission) / 1_000_000_000_000n))} XMR`],
    ['Blocks reverted', count(totals.reverted)],
  ];
  return html`<dl class="figures">
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Returns the part of the front page that changes, and the height it shows. */
export async function livePart(within: Queryable): Promise<{ height: number; part: Html }> {
  const totals = await readTotals(within);
  const blocks = await newestBlocks(within, { count: BARS });
  const pool = await readPoolSummary(within);
  const best = await bestOfPool(within, MAPPED);
  const [newest] = blocks;
  const part = html` <section class="hero">
      <h1>
        <span class="figure" data-height="${totals.height}"
          >${count(Math.max(0, totals.height))}</span
        >
      </h1>
      <p>${newest && html`newest block, ${time(newest.timestamp)}`}</p>
      ${figures(totals, await readEmission(within))}
    </section>
    <section aria-labelledby="blocks-title">
      <h2 id="blocks-title">Blocks as they come <a class="more" href="/blocks">all blocks</a></h2>
      ${blockStrip(blocks.slice(0, CARDS), pool)}
    </section>
    <div class="columns">
      <section aria-labelledby="pool-title">
        <h2 id="pool-title">
          The pool
          <a class="more" href="/pool">${count(pool.count)} waiting, ${kilobytes(pool.weight)}</a>
        </h2>
        ${poolMap(best)} ${best.length > 0 && poolTable(best.slice(0, LISTED))}
      </section>
      <section aria-labelledby="chart-title">
        <h2 id="chart-title">Sizes and fees of the newest ${blocks.length} blocks</h2>
        ${blockChart(blocks)}
        <p class="legend"><i class="swatch size"></i>size <i class="swatch paid"></i>fees</p>
      </section>
    </div>`;
  return { height: totals.height, part };
}
