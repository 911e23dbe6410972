import { checkOptions } from '@monero-node/base/options';
import type { DevNode } from './dev-node.ts';
import { NODE_OPTIONS, type DevNodeOptions } from './options.ts';

/**
 * Starts a node of a private chain in this process. It is ready when the promise resolves: the RPC answers, blocks are
 * mined at once, and the peers are connected. The first call loads the node.
 *
 * Throws StorageError, RangeError for a wrong difficulty, OptionError for an unknown option, an error of the system when a port is
 * taken, and Error when a peer does not answer; nothing is left running then.
 */
export async function startNode(options: DevNodeOptions = {}): Promise<DevNode> {
  checkOptions('startNode', options, NODE_OPTIONS);
  const { openDevNode } = await import('./open-dev-node.ts');
  return openDevNode(options);
}
