import type { JSX } from 'preact';
import * as format from '../format.ts';
import type { PeerFacts, PeerRow } from '../state/messages.ts';
import { Section } from './section.tsx';
import { TableHead } from './table-head.tsx';

const FIGURES = [
  ...[{ title: 'Latency' }, { title: 'Height' }],
  ...[
    { title: 'In', isWide: true },
    { title: 'Out', isWide: true },
  ],
  { title: 'For' },
];

interface PeersProps {
  readonly peers: PeerFacts | undefined;
  /** Height that most peers have. */
  readonly height: number;
}

/** The connected peers. */
export function Peers({ peers, height }: PeersProps): JSX.Element {
  const rows = peers?.rows ?? [];
  const total = (peers?.outgoing ?? 0) + (peers?.incoming ?? 0);
  const aside = rows.length < total ? `${rows.length} of ${total}` : `${total}`;
  return (
    <Section id="peers" title="Peers" aside={`${aside} connected`}>
      {rows.length === 0 ? (
        <p class="empty">No peers are connected.</p>
      ) : (
        <div class="scroll" role="region" aria-label="Connected peers" tabIndex={0}>
          <table>
            <TableHead first="Address" figures={FIGURES} />
            <tbody>
              {rows.map((peer) => (
                <Row key={peer.id} peer={peer} target={height} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {peers?.reach !== undefined && <p class="unit">{capitalized(peers.reach)}.</p>}
    </Section>
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function Row({ peer, target }: { readonly peer: PeerRow; readonly target: number }): JSX.Element {
  const { address, age, bytesIn, bytesOut, height, incoming, isPruned, zone } = peer;
  const direction = incoming ? 'incoming' : 'outgoing';
  const notes = [
    zone,
    ...(isPruned ? ['pruned'] : []),
    ...(peer.isSynchronizing ? ['downloading'] : []),
  ];
  return (
    <tr>
      <th scope="row" title={address}>
        <span class={`arrow is-${direction}`} aria-hidden="true" />
        <span class="hidden">{direction} </span>
        <span class="address">{format.abridged(address, 14)}</span>
        <span class="notes">{notes.join(' · ')}</span>
      </th>
      <td class="number">{format.roundTrip(peer.roundTrip)}</td>
      <td class={`number ${height < target ? 'is-behind' : ''}`}>{format.grouped(height)}</td>
      <td class="number wide">{format.bytes(bytesIn)}</td>
      <td class="number wide">{format.bytes(bytesOut)}</td>
      <td class="number">{format.shortDuration(age)}</td>
    </tr>
  );
}
