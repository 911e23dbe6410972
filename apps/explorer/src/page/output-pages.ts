import type { KeyImageRow, UseRow } from '../queries/transaction-queries.ts';
import type { OutputRow, PoolRow, PoolSummary } from '../queries/rows.ts';
import { count, exactXmr, hash, kilobytes } from './format.ts';
import { html, type Html } from './html.ts';
import { facts } from './layout.ts';
import { poolMap, poolTable } from './pool-map.ts';
import { outputPath, shownAmount } from './transaction-page.ts';

/** Returns the page of an output with the rings that name it. */
export function outputPage(output: OutputRow, uses: readonly UseRow[]): Html {
  return html`<h1>Output #${output.global_index}</h1>
    ${facts([
      ['Public key', hash(output.key)],
      ['Amount', shownAmount(output.amount)],
      ['Transaction', html`${hash(output.tx, '/tx/')}, output ${output.position}`],
      ['Block', html`<a href="/block/${output.height}">${count(output.height)}</a>`],
      output.view_tag === null
        ? undefined
        : ['View tag', output.view_tag.toString(16).padStart(2, '0')],
    ])}
    <h2>Rings that name it</h2>
    ${uses.length === 0 && html`<p class="empty">None yet.</p>`}
    <ol class="entries">
      ${uses.map(
        (use) =>
          html`<li>
            <p>${hash(use.tx, '/tx/')}</p>
            <p class="soft">input ${use.input_position}, block ${count(use.height)}</p>
          </li>`,
      )}
    </ol>
    <p class="soft">One of these inputs may have spent it, or none has: a ring does not tell.</p>`;
}

/** Returns the page of several outputs with the same public key. */
export function keyPage(key: string, outputs: readonly OutputRow[]): Html {
  return html`<h1>${outputs.length} outputs with one key</h1>
    ${facts([['Public key', hash(key)]])}
    <ol class="entries">
      ${outputs.map((each) => html`<li><a href="${outputPath(each)}">#${each.global_index}</a></li>`)}
    </ol>`;
}

/** Returns the page of a key image. */
export function keyImagePage(keyImage: string, found: KeyImageRow): Html {
  return html`<h1>Key image</h1>
    ${facts([
      ['Key image', hash(keyImage)],
      ['Spent in', html`${hash(found.tx, '/tx/')}, input ${found.position}`],
      [
        'Block',
        found.height === null
          ? 'not yet: the transaction is in the pool'
          : html`<a href="/block/${found.height}">${count(found.height)}</a>`,
      ],
    ])}`;
}

/** Returns the page of the pool. */
export function poolPage(rows: readonly PoolRow[], totals: PoolSummary): Html {
  return html`<h1>Pool</h1>
    <p class="soft">
      ${count(totals.count)} transactions, ${kilobytes(totals.weight)}, ${exactXmr(totals.fees)} XMR
      of fees; by fee rate
    </p>
    ${poolMap(rows)} ${rows.length > 0 && poolTable(rows)}`;
}
