import type { PoolRow } from '../queries/rows.ts';
import { feeRate, kilobytes, shownRate } from './format.ts';
import { html, type Html } from './html.ts';
import { treemap } from './treemap.ts';

const BOX = { x: 0, y: 0, width: 1000, height: 260 };
/** Fee rates (nXMR/B) from which a transaction has the next stronger color: the four levels of wallets, and beyond. */
const LEVELS = [20, 40, 80, 320, 4000];

/** Returns 0 for the cheapest transactions and up to 5 for the dearest. */
function feeLevel(row: { readonly fee: string; readonly weight: number }): number {
  const rate = feeRate(row.fee, row.weight);
  return LEVELS.filter((limit) => rate > limit * 1.01).length;
}

/** Returns a map of transactions: the area is the weight, the color the fee rate. */
export function poolMap(rows: readonly PoolRow[]): Html {
  if (rows.length === 0) return html`<p class="empty">The pool is empty.</p>`;
  const areas = treemap(rows, BOX, ({ weight }) => Math.max(weight, 1));
  return html`<svg
    class="map"
    viewBox="0 0 ${BOX.width} ${BOX.height}"
    preserveAspectRatio="none"
    role="img"
    aria-label="The pool: ${rows.length} transactions by weight and fee rate"
  >
    ${areas.map(
      ({ item, box }) =>
        html`<rect
          class="fee${feeLevel(item)}"
          x="${box.x.toFixed(2)}"
          y="${box.y.toFixed(2)}"
          width="${box.width.toFixed(2)}"
          height="${box.height.toFixed(2)}"
        >
          <title>
            ${item.id.slice(0, 8)}… ${kilobytes(item.weight)}, ${shownRate(item.fee, item.weight)}
          </title>
        </rect>`,
    )}
  </svg>`;
}

/** Returns the table of transactions of the pool. */
export function poolTable(rows: readonly PoolRow[]): Html {
  return html`<table class="list">
    <thead>
      <tr>
        <th>Transaction</th>
        <th class="number">Fee rate</th>
        <th class="number">Size</th>
        <th class="number wide">In / out</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr data-tx="${row.id}">
            <td>
              <a class="mono" href="/tx/${row.id}"
                ><i class="swatch fee${feeLevel(row)}"></i>${row.id.slice(0, 16)}…</a
              >
            </td>
            <td class="number">${shownRate(row.fee, row.weight)}</td>
            <td class="number">${kilobytes(row.weight)}</td>
            <td class="number wide">${row.inputs} / ${row.outputs}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
