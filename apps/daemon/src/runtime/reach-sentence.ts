import { formatDuration } from './sync-progress.ts';

/** What is known of peers of the public network that come to this node. */
export interface ReachFacts {
  /** TCP port at which they are to come in. */
  readonly port: number;
  /** Peers from outside that are connected now. */
  readonly connected: number;
  /** Unix seconds when one was connected last; undefined: nobody ever has been. */
  readonly last: number | undefined;
  /** Addresses at which others have reached this node. */
  readonly addresses: readonly string[];
  /** Whether the router forwards the port: `mapped` or `failed`; undefined when it is not asked, or has not answered yet. */
  readonly mapping: string | undefined;
}

/** What to do for peers to come in. */
export const openAdvice = (port: number): string =>
  `Open TCP port ${port} in the firewall, and have the router forward it to this machine; or say that it is closed, with --hide-my-port.`;

/** What is said of the router. */
const ROUTERS: Readonly<Record<string, string>> = {
  mapped: ', the router forwards the port',
  failed: ', the router does not forward the port (--port-mapping)',
};

/**
 * Returns a sentence, without its end, about who comes in from outside.
 *
 * @param now Unix seconds
 */
export function reachSentence(facts: ReachFacts, now: number): string {
  const { addresses, connected, last, mapping, port } = facts;
  const others =
    addresses.length === 0 ? '' : `, others reach this node at ${addresses.join(', ')}`;
  const router = ROUTERS[mapping ?? ''] ?? '';
  const seen = `${others}${router}`;
  if (connected > 0) {
    const peers =
      connected === 1 ? '1 peer from outside is' : `${connected} peers from outside are`;
    return `${peers} connected${seen}`;
  }
  if (last === undefined) return `nobody from outside on record, at TCP port ${port}${seen}`;
  const ago = formatDuration(now - last);
  return `nobody from outside is connected, the last one was there ${ago} ago${seen}`;
}
