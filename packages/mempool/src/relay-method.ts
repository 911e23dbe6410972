/**
 * How a transaction came to be here, which decides who may hear of it. From the least to the most
 * public; a transaction only ever moves on in this order.
 *
 * - `none`: a client asked for it not to be relayed.
 * - `local`: from a client of this node.
 * - `forward`: over an anonymity network, held for a while.
 * - `stem`: from a peer in the stem phase of Dandelion++, or sent to one.
 * - `fluff`: known to the network.
 * - `block`: from a block off the main chain.
 */
export type RelayMethod = 'none' | 'local' | 'forward' | 'stem' | 'fluff' | 'block';

/** In order; the position is the number that is stored. */
export const RELAY_METHODS: readonly RelayMethod[] = [
  'none',
  'local',
  'forward',
  'stem',
  'fluff',
  'block',
];

/** Whether the public knows of transactions that came so. */
export function isPublic(method: RelayMethod): boolean {
  return method === 'fluff' || method === 'block';
}

/** Whether they may go into a block template: the public ones, and those withheld on request. */
export function isSelectable(method: RelayMethod): boolean {
  return isPublic(method) || method === 'none';
}

/** Whether `method` is further on than `current`. */
export function isUpgrade(current: RelayMethod, method: RelayMethod): boolean {
  return RELAY_METHODS.indexOf(method) > RELAY_METHODS.indexOf(current);
}
