import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import * as format from '../format.ts';
import type { PeerFacts, PeerRow } from '../state/messages.ts';
import { BanBox } from './ban-box.tsx';
import { Section } from './section.tsx';
import { TableHead } from './table-head.tsx';

const FIGURES = [
  ...[{ title: 'Latency' }, { title: 'Height' }],
  ...[
    { title: 'In', isWide: true },
    { title: 'Out', isWide: true },
  ],
  ...[{ title: 'For' }, { title: 'Ban' }],
];

interface PeersProps {
  readonly peers: PeerFacts | undefined;
  /** Height that most peers have. */
  readonly height: number;
}

/** The connected peers, and buttons that ban them. */
export function Peers({ peers, height }: PeersProps): JSX.Element {
  const [asked, setAsked] = useState<string>();
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
                <Row key={peer.id} peer={peer} target={height} ask={setAsked} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <BanBox asked={asked} close={() => setAsked(undefined)} />
      {peers?.reach !== undefined && <p class="unit">{capitalized(peers.reach)}.</p>}
    </Section>
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface RowProps {
  readonly peer: PeerRow;
  /** Height that most peers have. */
  readonly target: number;
  /** Asks whether a host is to be banned. */
  readonly ask: (host: string) => void;
}

function Row({ peer, target, ask }: RowProps): JSX.Element {
  const { address, age, bytesIn, bytesOut, height, host, incoming, isPruned, zone } = peer;
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
      <td class="number">
        {host !== null && (
          <button type="button" class="small" aria-label={`Ban ${host}`} onClick={() => ask(host)}>
            Ban
          </button>
        )}
      </td>
    </tr>
  );
}
