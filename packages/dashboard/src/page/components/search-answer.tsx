import type { ComponentChildren, JSX } from 'preact';
import * as format from '../format.ts';
import type { Found, FoundBlock, FoundTransaction } from '../lookup.ts';

/** Most transactions of a block that are listed. */
const MOST_TRANSACTIONS = 100;

interface AnswerProps<Kind> {
  readonly found: Kind;
  /** Unix milliseconds. */
  readonly now: number;
  /** Looks for something else. */
  readonly look: (wanted: string) => void;
}

/** What the node knows about a block or a transaction. */
export function Answer(props: AnswerProps<Found> & { readonly close: () => void }): JSX.Element {
  const { found, now, look, close } = props;
  if (found.kind === 'nothing') return <p role="status">{found.text}</p>;
  return (
    <section class="section answer" aria-labelledby="answer-title">
      <header class="section-head">
        <h2 id="answer-title">
          {found.kind === 'block' ? `Block ${format.grouped(found.height)}` : 'Transaction'}
        </h2>
        <button type="button" class="small" onClick={close}>
          Close
        </button>
      </header>
      {found.kind === 'block' ? (
        <BlockFacts found={found} now={now} look={look} />
      ) : (
        <TransactionFacts found={found} now={now} look={look} />
      )}
    </section>
  );
}

function BlockFacts({ found, now, look }: AnswerProps<FoundBlock>): JSX.Element {
  const { depth, difficulty, id, isOrphan, reward, timestamp, transactions, version, weight } =
    found;
  const more = transactions.length - MOST_TRANSACTIONS;
  return (
    <>
      <dl class="facts">
        <Fact name="Id">
          <span class="address">{id}</span>
        </Fact>
        <Fact name="State">
          {isOrphan ? 'not in the main chain' : `${format.grouped(depth)} blocks above`}
        </Fact>
        <Fact name="Time">{timeText(timestamp === 0 ? null : timestamp, now)}</Fact>
        <Fact name="Reward">{format.xmr(reward, 6)} XMR with fees</Fact>
        <Fact name="Size">{format.bytes(weight)}</Fact>
        <Fact name="Difficulty">
          {format.short(difficulty)}, fork {version}
        </Fact>
      </dl>
      <h3>{format.grouped(transactions.length)} transactions, the miner’s first</h3>
      <ul>
        {transactions.slice(0, MOST_TRANSACTIONS).map((tx) => (
          <li key={tx}>
            <Link text={tx} wanted={tx} look={look} />
          </li>
        ))}
      </ul>
      {more > 0 && <p class="unit">And {format.grouped(more)} more.</p>}
    </>
  );
}

function TransactionFacts({ found, now, look }: AnswerProps<FoundTransaction>): JSX.Element {
  const { confirmations, fee, height, id, inputs, isDoubleSpend, outputs, ringSize, time } = found;
  const rings = ringSize === null ? '' : `, rings of ${ringSize}`;
  return (
    <dl class="facts">
      <Fact name="Id">
        <span class="address">{id}</span>
      </Fact>
      <Fact name="State">
        {height === null ? (
          'in the pool'
        ) : (
          <>
            {format.grouped(confirmations)} confirmations, in block{' '}
            <Link text={format.grouped(height)} wanted={String(height)} look={look} />
          </>
        )}
        {isDoubleSpend && <span class="is-bad"> Another transaction spends the same coins.</span>}
      </Fact>
      <Fact name="Time">{timeText(time, now)}</Fact>
      <Fact name="Fee">{fee === null ? '–' : `${format.smallXmr(fee)} XMR`}</Fact>
      <Fact name="Inputs">{ringSize === null ? 'newly mined coins' : `${inputs}${rings}`}</Fact>
      <Fact name="Outputs">{format.grouped(outputs)}</Fact>
    </dl>
  );
}

/** @param seconds Unix time; null when unknown */
function timeText(seconds: number | null, now: number): string {
  if (seconds === null) return '–';
  const date = new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
  return `${date} UTC, ${format.duration(now / 1000 - seconds)} ago`;
}

function Fact(props: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function Link(props: {
  readonly text: string;
  readonly wanted: string;
  readonly look: (wanted: string) => void;
}): JSX.Element {
  return (
    <button type="button" class="plain" onClick={() => props.look(props.wanted)}>
      {props.text}
    </button>
  );
}
