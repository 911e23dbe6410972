/**
 * How a transaction reached this node, which decides to whom it is relayed. The order is from the least to
 * the most public, and a transaction only moves forward in it.
 *
 * - `none`: a client asked for it not to be relayed.
 * - `local`: from a client of this node.
 * - `forward`: over an anonymity network, held for a while.
 * - `stem`: from a peer in the stem phase of Dandelion++, or sent to one.
 * - `fluff`: known to the network.
 * - `block`: from a block off the main chain.
 */
export type RelayMethod = 'none' | 'local' | 'forward' | 'stem' | 'fluff' | 'block';

/** All methods in order; the index is stored. */
export const RELAY_METHODS: readonly RelayMethod[] = [
  'none',
  'local',
  'forward',
  'stem',
  'fluff',
  'block',
];

/** Whether transactions with this method are public. */
export function isPublic(method: RelayMethod): boolean {
  return method === 'fluff' || method === 'block';
}

/** Whether they may be in a block template: public ones, and those withheld on request. */
export function isSelectable(method: RelayMethod): boolean {
  return isPublic(method) || method === 'none';
}

/** Whether `method` is more public than `current`. */
export function isUpgrade(current: RelayMethod, method: RelayMethod): boolean {
  return RELAY_METHODS.indexOf(method) > RELAY_METHODS.indexOf(current);
}
