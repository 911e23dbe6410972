import { newestBlocks, readEmission, readTotals } from '../queries/block-queries.ts';
import { bestOfPool, readPoolTotals } from '../queries/pool-queries.ts';
import type { Queryable } from '../database/database.ts';
import type { Totals } from '../queries/rows.ts';
import { blockChart } from './chart.ts';
import { blockStrip } from './block-strip.ts';
import { compact, count, kilobytes, time } from './format.ts';
import { html, type Html } from './html.ts';
import { poolMap, poolTable } from './pool-map.ts';

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
  const pool = await readPoolTotals(within);
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
