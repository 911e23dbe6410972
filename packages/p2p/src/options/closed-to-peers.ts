import type { Network } from '@monero-node/consensus';
import { isLoopback } from '../hosts/index.ts';
import type { P2pOptions } from './options.ts';

/** The options that say whether anybody is to come in. */
export type ClosingOptions = Pick<
  P2pOptions,
  'bindIp' | 'hideMyPort' | 'inPeers' | 'offline' | 'proxy'
>;

/**
 * Returns the option because of which nobody of the public network is meant to connect to a node, as the command line has it; undefined
 * when anybody is.
 */
export function closedToPeers(
  { bindIp, hideMyPort, inPeers, offline, proxy }: ClosingOptions,
  network: Pick<Network, 'name'>,
): string | undefined {
  if (offline) return '--offline';
  if (network.name === 'regtest') return '--regtest';
  if (proxy !== undefined) return '--proxy';
  if (hideMyPort) return '--hide-my-port';
  if (isLoopback(bindIp)) return `--p2p-bind-ip ${bindIp}`;
  return inPeers === 0 ? '--in-peers 0' : undefined;
}
