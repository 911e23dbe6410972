import type { BlockSummary, PoolSummary } from '../queries/rows.ts';
import { count, kilobytes, shortXmr, time } from './format.ts';
import { html, type Html } from './html.ts';

/** Weight up to which a block of a quiet network costs its miner nothing. Source: CRYPTONOTE_BLOCK_GRANTED_FULL_REWARD_ZONE_V5. */
const FREE_WEIGHT = 300_000;
const GAUGE = 100;

/** Returns the gauge of a card: how full a block is. A drawing, because the page's policy forbids styles in attributes. */
function gauge(weight: number, most: number): Html {
  const share = Math.min(1, Math.sqrt(weight / most));
  const height = Math.max(2, Math.round(GAUGE * share));
  return html`<svg
    class="gauge"
    viewBox="0 0 10 ${GAUGE}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect x="0" y="${GAUGE - height}" width="10" height="${height}" />
  </svg>`;
}

function nextCard(pool: PoolSummary, most: number): Html {
  return html`<li class="card next">
    <a href="/pool">
      ${gauge(Math.min(pool.weight, FREE_WEIGHT), most)}
      <strong>next</strong>
      <span>${count(pool.count)} waiting</span>
      <span>${kilobytes(pool.weight)}</span>
      <span>${shortXmr(pool.fees)} fees</span>
    </a>
  </li>`;
}

function card(block: BlockSummary, most: number): Html {
  const { height, weight, transactions, fees, timestamp } = block;
  return html`<li class="card" data-height="${height}" data-id="${block.id}">
    <a href="/block/${height}">
      ${gauge(weight, most)}
      <strong>${count(height)}</strong>
      <span>${count(transactions - 1)} tx</span>
      <span>${kilobytes(weight)}</span>
      <span>${shortXmr(fees)} fees</span>
      <span class="age">${time(timestamp)}</span>
    </a>
  </li>`;
}

/** Returns the newest blocks as a row of cards, with the one that may come next in front. */
export function blockStrip(blocks: readonly BlockSummary[], pool: PoolSummary): Html {
  const most = Math.max(FREE_WEIGHT / 10, ...blocks.map(({ weight }) => weight));
  return html`<ol class="strip" tabindex="0" aria-label="Newest blocks">
    ${nextCard(pool, most)}${blocks.map((block) => card(block, most))}
  </ol>`;
}
