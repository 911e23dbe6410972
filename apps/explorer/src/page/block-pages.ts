import type { BlockDetails, BlockSummary, TransactionSummary } from '../queries/rows.ts';
import { count, exactXmr, hash, kilobytes, shownRate, time } from './format.ts';
import { html, type Html } from './html.ts';
import { facts } from './layout.ts';

/** Returns the table of blocks, the newest first, with a link to older ones. */
export function blockList(blocks: readonly BlockSummary[]): Html {
  const last = blocks.at(-1);
  return html`<h1>Blocks</h1>
    <table class="list">
      <thead>
        <tr>
          <th>Height</th>
          <th>Mined</th>
          <th class="number">Transactions</th>
          <th class="number">Size</th>
          <th class="number wide">Fees</th>
        </tr>
      </thead>
      <tbody>
        ${blocks.map(
          (block) =>
            html`<tr>
              <td><a href="/block/${block.height}">${count(block.height)}</a></td>
              <td>${time(block.timestamp)}</td>
              <td class="number">${count(block.transactions - 1)}</td>
              <td class="number">${kilobytes(block.weight)}</td>
              <td class="number wide">${exactXmr(block.fees)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${
      last !== undefined &&
      last.height > 0 &&
      html`<p><a href="/blocks?upTo=${last.height - 1}">older blocks</a></p>`
    }`;
}

/** Returns the page of a block. `tip`: height of the newest one. */
export function blockPage(
  block: BlockDetails,
  transactions: readonly TransactionSummary[],
  tip: number,
): Html {
  const last = transactions.at(-1);
  const more = last !== undefined && last.position + 1 < block.transactions;
  return html`<nav class="steps" aria-label="Neighbors">
      ${block.height > 0 && html`<a href="/block/${block.height - 1}" rel="prev">← ${count(block.height - 1)}</a>`}
      ${block.height < tip && html`<a href="/block/${block.height + 1}" rel="next">${count(block.height + 1)} →</a>`}
    </nav>
    <h1>Block ${count(block.height)}</h1>
    ${facts([
      ['Id', hash(block.id)],
      ['Parent', block.height > 0 && hash(block.prev_id, '/block/')],
      ['Mined', time(block.timestamp)],
      ['Confirmations', count(tip - block.height + 1)],
      ['Size', `${kilobytes(block.weight)}; long-term ${kilobytes(block.long_term_weight)}`],
      ['Reward', `${exactXmr(block.reward)} XMR, of which ${exactXmr(block.fees)} XMR are fees`],
      ['Coins so far', `${exactXmr(block.generated_coins)} XMR`],
      [
        'Difficulty',
        `${count(BigInt(block.difficulty))}; of the chain ${count(BigInt(block.cumulative_difficulty))}`,
      ],
      ['Version, nonce', `${block.major_version}.${block.minor_version}, ${block.nonce}`],
    ])}
    <h2>
      ${count(block.transactions)} ${block.transactions === 1 ? 'transaction' : 'transactions'}
    </h2>
    <table class="list">
      <thead>
        <tr>
          <th>Transaction</th>
          <th class="number">Fee rate</th>
          <th class="number">Size</th>
          <th class="number wide">In / out</th>
        </tr>
      </thead>
      <tbody>
        ${transactions.map(
          (tx) =>
            html`<tr>
              <td>
                <a class="mono" href="/tx/${tx.id}">${tx.id.slice(0, 16)}…</a
                >${tx.position === 0 && html` <span class="tag">miner</span>`}
              </td>
              <td class="number">${tx.position === 0 ? '–' : shownRate(tx.fee, tx.weight)}</td>
              <td class="number">${kilobytes(tx.weight)}</td>
              <td class="number wide">${tx.inputs} / ${tx.outputs}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${more && html`<p><a href="/block/${block.height}?from=${last.position + 1}">more transactions</a></p>`}`;
}
