import type { P2pNodeInfo } from '@monero-node/p2p';

/** The parts of a node that a status line describes. */
export interface StatusSources {
  readonly blockchain: { readonly height: number };
  readonly p2p: Pick<
    P2pNodeInfo,
    'incomingCount' | 'outgoingCount' | 'synchronized' | 'targetHeight'
  >;
}

/** Returns the state of a node in one line, for example `Synchronizing: block 1200 of 3600 (33.3%), 8 peers`. */
export function statusText({ blockchain: { height }, p2p }: StatusSources): string {
  const count = p2p.incomingCount + p2p.outgoingCount;
  const peers = count === 1 ? '1 peer' : `${count === 0 ? 'no' : count} peers`;
  if (p2p.targetHeight > height) {
    // Rounding must not show 100% before the end.
    const percent = Math.min(99.9, (100 * height) / p2p.targetHeight).toFixed(1);
    return `Synchronizing: block ${height} of ${p2p.targetHeight} (${percent}%), ${peers}`;
  }
  // Without peers nobody knows whether there are newer blocks.
  const isSynchronized = p2p.synchronized && count > 0;
  return `${isSynchronized ? 'Synchronized at height' : 'Height'} ${height}, ${peers}`;
}
