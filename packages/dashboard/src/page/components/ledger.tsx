import type { JSX } from 'preact';
import * as format from '../format.ts';
import type { FoundRow, LedgerFacts, RigRow } from '../state/messages.ts';
import { Section } from './section.tsx';
import { TableHead } from './table-head.tsx';

const FOUND_FIGURES = [
  ...[{ title: 'Age' }, { title: 'Effort' }],
  { title: 'Reward', isWide: true },
  { title: 'Fate' },
];
const RIG_FIGURES = [
  ...[{ title: 'Hash rate' }, { title: 'Last share' }],
  ...[
    { title: 'Stale', isWide: true },
    { title: 'Wrong', isWide: true },
  ],
  { title: 'Blocks' },
];

interface LedgerProps {
  readonly ledger: LedgerFacts | undefined;
  /** Unix milliseconds. */
  readonly now: number;
}

/** The blocks that this node has found and the rigs that look for more. Nothing is shown before somebody has mined. */
export function Ledger({ ledger, now }: LedgerProps): JSX.Element | null {
  if (ledger === undefined) return null;
  const { hashRate, rigs, total } = ledger;
  if (hashRate === 0 && rigs.length === 0 && total === 0) return null;
  return (
    <div class="columns">
      <Found ledger={ledger} now={now} />
      <Rigs ledger={ledger} now={now} />
    </div>
  );
}

function Found({
  ledger,
  now,
}: {
  readonly ledger: LedgerFacts;
  readonly now: number;
}): JSX.Element {
  const { effort, found, luck, orphaned, secondsToBlock, total } = ledger;
  return (
    <Section
      id="found"
      title="Blocks found"
      aside={`${format.grouped(total)}, ${format.grouped(orphaned)} orphaned`}
    >
      <dl class="figures">
        <Figure
          label="Next one in"
          value={secondsToBlock === null ? '–' : format.duration(secondsToBlock)}
          more="on average"
        />
        <Figure label="Effort" value={format.percent(effort)} more="since the last one" />
        <Figure label="Luck" value={format.percent(luck)} more="100 % on average" />
      </dl>
      {found.length === 0 ? (
        <p class="empty">No block has been found yet.</p>
      ) : (
        <div class="scroll" role="region" aria-label="List of blocks found" tabIndex={0}>
          <table>
            <TableHead first="Height" figures={FOUND_FIGURES} />
            <tbody>
              {found.map((block) => (
                <FoundLine key={block.id} block={block} now={now} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function Figure(props: {
  readonly label: string;
  readonly value: string;
  readonly more: string;
}): JSX.Element {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>
        <span class="value">{props.value}</span> <span class="more">{props.more}</span>
      </dd>
    </div>
  );
}

function FoundLine({
  block,
  now,
}: {
  readonly block: FoundRow;
  readonly now: number;
}): JSX.Element {
  const { effort, fate, finder, foundAt, height, id, reward } = block;
  return (
    <tr data-height={height}>
      <th scope="row" title={id}>
        {format.grouped(height)}
        <span class="notes">{finder}</span>
      </th>
      <td class="number">{format.shortDuration(now / 1000 - foundAt)}</td>
      <td class="number">{format.percent(effort)}</td>
      <td class="number wide">{format.xmr(reward, 4)}</td>
      <td class={`number ${fate === 'orphaned' ? 'is-bad' : ''}`}>{fate}</td>
    </tr>
  );
}

function Rigs({
  ledger,
  now,
}: {
  readonly ledger: LedgerFacts;
  readonly now: number;
}): JSX.Element {
  const { connected, hashRate, rigs } = ledger;
  return (
    <Section id="rigs" title="Rigs" aside={`${connected} connected`}>
      <p class="rate">
        <span class="value">{format.hashRate(hashRate)}</span>
        <span class="more"> with the built-in miner</span>
      </p>
      {rigs.length === 0 ? (
        <p class="empty">No rig has come yet.</p>
      ) : (
        <div class="scroll" role="region" aria-label="List of rigs" tabIndex={0}>
          <table>
            <TableHead first="Name" figures={RIG_FIGURES} />
            <tbody>
              {rigs.map((rig) => (
                <RigLine key={rig.name} rig={rig} now={now} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function RigLine({ rig, now }: { readonly rig: RigRow; readonly now: number }): JSX.Element {
  const { blocks, isConnected, lastShareAt, name, refused, stale } = rig;
  return (
    <tr>
      <th scope="row">
        <span class="address">{name}</span>
        {!isConnected && <span class="notes">not connected</span>}
      </th>
      <td class="number">{format.hashRate(rig.hashRate)}</td>
      <td class="number">
        {lastShareAt === null ? '–' : format.shortDuration(now / 1000 - lastShareAt)}
      </td>
      <td class="number wide">{format.grouped(stale)}</td>
      <td class={`number wide ${refused > 0 ? 'is-bad' : ''}`}>{format.grouped(refused)}</td>
      <td class="number">{format.grouped(blocks)}</td>
    </tr>
  );
}
