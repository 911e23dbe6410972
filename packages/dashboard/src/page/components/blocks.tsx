import type { JSX } from 'preact';
import * as format from '../format.ts';
import type { BlockRow } from '../state/messages.ts';
import { Section } from './section.tsx';
import { TableHead } from './table-head.tsx';

/** Rows of the table; the strip shows more blocks. */
const ROWS = 10;
const FIGURES = [
  ...[{ title: 'Age' }, { title: 'Txs' }, { title: 'Size' }, { title: 'Fees' }],
  { title: 'Reward', isWide: true },
];

interface BlocksProps {
  /** Oldest first. */
  readonly blocks: readonly BlockRow[];
  /** Weight up to which blocks are not penalized. */
  readonly median: number;
  /** Ids of those that this node has found. */
  readonly own: ReadonlySet<string>;
  /** Unix milliseconds. */
  readonly now: number;
}

/** The newest blocks: a strip of their sizes and a table. */
export function Blocks({ blocks, median, own, now }: BlocksProps): JSX.Element {
  return (
    <Section id="blocks" title="Blocks" aside={`the last ${blocks.length}`}>
      <Strip blocks={blocks} median={median} own={own} />
      <table>
        <TableHead first="Height" figures={FIGURES} />
        <tbody>
          {blocks
            .slice(-ROWS)
            .reverse()
            .map((block) => (
              <Row key={block.id} block={block} isOwn={own.has(block.id)} now={now} />
            ))}
        </tbody>
      </table>
      <p class="unit">Fees and rewards in XMR.</p>
    </Section>
  );
}

interface RowProps {
  readonly block: BlockRow;
  readonly isOwn: boolean;
  /** Unix milliseconds. */
  readonly now: number;
}

function Row({ block, isOwn, now }: RowProps): JSX.Element {
  const { fees, height, id, reward, timestamp, transactions, weight } = block;
  return (
    <tr data-height={height}>
      <th scope="row" title={id}>
        {format.grouped(height)}
        <span class="id wide">{id.slice(0, 8)}</span>
        {isOwn && <span class="own">found here</span>}
      </th>
      <td class="number">{timestamp === 0 ? '–' : format.shortDuration(now / 1000 - timestamp)}</td>
      <td class="number">{format.grouped(transactions)}</td>
      <td class="number">{format.bytes(weight)}</td>
      <td class="number">{format.xmr(fees, 4)}</td>
      <td class="number wide">{format.xmr(reward, 4)}</td>
    </tr>
  );
}

/** Bars as high as the blocks are large, the newest at the right. */
function Strip({ blocks, median, own }: Omit<BlocksProps, 'now'>): JSX.Element {
  const largest = Math.max(1, ...blocks.map(({ weight }) => weight));
  const text = `Sizes of the last ${blocks.length} blocks, up to ${format.bytes(largest)}. Blocks up to ${format.bytes(median)} are not penalized.`;
  return (
    <div class="strip" role="img" aria-label={text}>
      {blocks.map(({ height, id, transactions, weight }) => (
        <span
          key={id}
          class={own.has(id) ? 'is-own' : ''}
          title={`${format.grouped(height)}: ${format.bytes(weight)}, ${transactions} transactions${own.has(id) ? ', found here' : ''}`}
          style={{ height: `${Math.max(4, (100 * weight) / largest)}%` }}
        />
      ))}
    </div>
  );
}
