import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { findMonerodDatabase } from '@monero-node/storage';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { ownCommand, quoted } from '../installed/own-commands.ts';

/**
 * Returns the line about how to take over the chain of a monerod that used the same data directory; undefined when
 * there is none, or when this node has more than the genesis block.
 *
 * @param height of this node's chain
 * @param command that starts the chain tool
 */
export function moveInHint(
  { dataDir, network, resetChain }: Pick<DaemonSettings, 'dataDir' | 'network' | 'resetChain'>,
  height: number,
  command = ownCommand('monero-node-chain'),
): string | undefined {
  const path = height > 1 || resetChain ? undefined : findMonerodDatabase(dataDir);
  if (path === undefined) return undefined;
  const base = network.dataDirSuffix === '' ? dataDir : dirname(dataDir);
  const words = [
    `${command} import`,
    ...(network.name === 'mainnet' ? [] : [`--${network.name}`]),
    ...(base === join(homedir(), '.bitmonero') ? [] : ['--data-dir', quoted(base)]),
    ...['--from-monerod', quoted(dataDir)],
  ];
  return `${path} holds a chain of monerod. To take it over instead of downloading it, stop this node and monerod, then type: ${words.join(' ')}`;
}
