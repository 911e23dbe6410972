import type { ComponentChildren, JSX } from 'preact';
import * as format from '../format.ts';
import type { BlockRow, ChainFacts, NodeDescription, Sections } from '../state/messages.ts';
import { diskText, updateText } from '../sentences.ts';
import { SaveButton } from './save-button.tsx';

interface SummaryProps {
  readonly node: NodeDescription;
  readonly sections: Partial<Sections>;
  /** Oldest first. */
  readonly blocks: readonly BlockRow[];
  /** Unix milliseconds. */
  readonly now: number;
}

/** The height of the chain, how far the download has come, and the main figures. */
export function Summary({ node, sections, blocks, now }: SummaryProps): JSX.Element {
  const { chain } = sections;
  return (
    <section class="summary" aria-labelledby="height-title">
      <div class="height">
        <h1 id="height-title">
          <span class="label">Block height</span>
          <span class="figure">{chain ? format.grouped(chain.height) : '–'}</span>
        </h1>
        {chain && <SyncState chain={chain} newest={blocks.at(-1)} now={now} />}
        {chain?.problem !== undefined && <p class="problem">{chain.problem}</p>}
        {chain?.events !== undefined && <p class="unit">Events: {chain.events}.</p>}
        {chain?.fleet !== undefined && <p class="unit">Fleet: {chain.fleet}.</p>}
        {chain?.seed !== undefined && (
          <p class="unit">A new node copies the chain: {chain.seed}.</p>
        )}
        {chain?.tree !== undefined && <p class="unit">Curve tree: {chain.tree}.</p>}
        {chain !== undefined && chain.saturation > 0 && (
          <p class="unit">{chain.saturation} % of the time and memory for answers is in use.</p>
        )}
      </div>
      <Figures node={node} sections={sections} now={now} />
    </section>
  );
}

function SyncState(props: {
  readonly chain: ChainFacts;
  readonly newest: BlockRow | undefined;
  readonly now: number;
}): JSX.Element {
  const { chain, newest, now } = props;
  const { blocksPerSecond, height, synchronized, target } = chain;
  const left = target - height;
  if (left <= 0) {
    const age = newest && format.duration(now / 1000 - newest.timestamp);
    const state = synchronized ? 'Synchronized' : 'Waiting for peers';
    const isOld = newest === undefined || newest.timestamp === 0;
    return <p class="sync">{isOld ? state : `${state} · newest block ${age} old`}</p>;
  }
  // Rounding must not show 100 % before the end.
  const percent = Math.min(99.9, Math.floor((1000 * height) / target) / 10);
  return (
    <div class="sync">
      <progress max={target} value={height} aria-label="Synchronization" />
      <p>
        Synchronizing · {percent.toFixed(1)} % · {format.grouped(left)} blocks left
        {blocksPerSecond > 0 && <> · {format.duration(left / blocksPerSecond)} to go</>}
      </p>
    </div>
  );
}

type FiguresProps = Pick<SummaryProps, 'node' | 'sections' | 'now'>;

function Figures({ node, sections, now }: FiguresProps): JSX.Element {
  const { chain, disk, peers, pool, traffic, update } = sections;
  const isOwner = node.view === 'owner';
  return (
    <dl class="figures">
      <Figure name="Network" value={chain && format.hashRate(chain.hashRate)} more="hash rate" />
      <Figure
        name="Difficulty"
        value={chain && format.short(chain.difficulty)}
        more={chain && `fork ${chain.version}`}
      />
      <Figure
        name="Pool"
        value={pool && format.grouped(pool.count)}
        more={pool && `transactions, ${format.bytes(pool.weight)}`}
      />
      {isOwner && (
        <>
          <Figure
            name="Peers"
            value={peers && format.grouped(peers.outgoing + peers.incoming)}
            more={peers && `${peers.outgoing} out, ${peers.incoming} in`}
          />
          <Figure
            name="Traffic"
            value={traffic && format.byteRate(traffic.rateIn)}
            more={traffic && `in, ${format.byteRate(traffic.rateOut)} out`}
          />
          <Figure
            name="Disk"
            value={disk && format.bytes(disk.chainBytes)}
            more={disk && diskText(disk)}
          >
            <SaveButton />
          </Figure>
          <Figure name="Version" value={node.version} more={update && updateText(update, now)} />
        </>
      )}
    </dl>
  );
}

function Figure(props: {
  readonly name: string;
  readonly value: string | undefined;
  readonly more: string | undefined;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd class="value">{props.value ?? '–'}</dd>
      <dd class="more">{props.more ?? ' '}</dd>
      {props.children}
    </div>
  );
}
