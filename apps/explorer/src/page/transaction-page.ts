import type {
  InputRow,
  OutputRow,
  PoolRow,
  RingMemberRow,
  TransactionDetails,
} from '../queries/rows.ts';
import { count, exactXmr, hash, kilobytes, shownRate, time } from './format.ts';
import { html, type Html } from './html.ts';
import { facts } from './layout.ts';

/** Returns the path of the page of an output. */
export function outputPath({
  index_amount,
  global_index,
}: Pick<OutputRow, 'index_amount' | 'global_index'>): string {
  return index_amount === '0'
    ? `/output/${global_index}`
    : `/output/${global_index}?amount=${index_amount}`;
}

/** Returns an amount in XMR, or that it is hidden. */
export function shownAmount(amount: string): string {
  return amount === '0' ? 'hidden' : `${exactXmr(amount)} XMR`;
}

function unlock(time: string): string | false {
  if (time === '0') return false;
  const value = Number(time);
  if (value < 500_000_000) return `at height ${count(value)}`;
  return `at the Unix time ${count(BigInt(time))}`;
}

function ring(members: readonly RingMemberRow[]): Html {
  return html`<details>
    <summary>${members.length} ring members</summary>
    <ul class="ring">
      ${members.map(
        (member) =>
          html`<li>
            <a href="${outputPath(member)}">#${member.global_index}</a> of block
            <a href="/block/${member.height}">${count(member.height)}</a>
          </li>`,
      )}
    </ul>
  </details>`;
}

export interface TransactionParts {
  readonly tx: TransactionDetails;
  readonly inputs: readonly InputRow[];
  readonly members: readonly RingMemberRow[];
  readonly outputs: readonly OutputRow[];
  /** Height of the newest block. */
  readonly tip: number;
}

/** Returns the page of a transaction of the chain. */
export function transactionPage({ tx, inputs, members, outputs, tip }: TransactionParts): Html {
  return html`<h1>Transaction ${tx.position === 0 && html`<span class="tag">miner</span>`}</h1>
    ${facts([
      ['Id', hash(tx.id)],
      ['Block', html`<a href="/block/${tx.height}">${count(tx.height)}</a>, ${time(tx.timestamp)}`],
      ['Confirmations', count(tip - tx.height + 1)],
      tx.position > 0
        ? ['Fee', `${exactXmr(tx.fee)} XMR, ${shownRate(tx.fee, tx.weight)}`]
        : undefined,
      ['Size', kilobytes(tx.weight)],
      unlock(tx.unlock_time) === false ? undefined : ['Unlocked', unlock(tx.unlock_time)],
      ['Extra', html`<code class="bytes">${tx.extra}</code>`],
    ])}
    ${inputs.length > 0 && html`<h2>${inputs.length} ${inputs.length === 1 ? 'input' : 'inputs'}</h2>`}
    <ol class="entries">
      ${inputs.map(
        (input) =>
          html`<li>
            <p>Key image ${hash(input.key_image, '/key-image/')}</p>
            <p class="soft">${shownAmount(input.amount)}</p>
            ${ring(members.filter(({ input_position }) => input_position === input.position))}
          </li>`,
      )}
    </ol>
    <h2>${outputs.length} ${outputs.length === 1 ? 'output' : 'outputs'}</h2>
    <ol class="entries">
      ${outputs.map(
        (output) =>
          html`<li>
            <p><a href="${outputPath(output)}">#${output.global_index}</a> ${hash(output.key)}</p>
            <p class="soft">${shownAmount(output.amount)}</p>
          </li>`,
      )}
    </ol>`;
}

/** Returns the page of a transaction of the pool. */
export function poolTransactionPage(
  tx: PoolRow & { readonly key_images: readonly string[] },
): Html {
  return html`<h1>Transaction <span class="tag">in the pool</span></h1>
    ${facts([
      ['Id', hash(tx.id)],
      ['Received', time(tx.received)],
      ['Fee', `${exactXmr(tx.fee)} XMR, ${shownRate(tx.fee, tx.weight)}`],
      ['Size', kilobytes(tx.weight)],
      ['Inputs, outputs', `${tx.inputs}, ${tx.outputs}`],
    ])}
    <h2>Key images</h2>
    <ol class="entries">
      ${tx.key_images.map((image) => html`<li>${hash(image, '/key-image/')}</li>`)}
    </ol>`;
}
