import type { Logger } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import { resolveNodes, systemNames, type FleetNode } from '@monero-node/node';
import { RpcClient } from '@monero-node/rpc-client';
import type { SeedManifest } from './manifest.ts';
import { SeedError, SeedRefusedError } from './seed-error.ts';

/** Milliseconds in which a node of the fleet must answer. */
const TIMEOUT = 5000;
/** Blocks below the newest at which a chain is another one, and not the branch that a reorganization has left. */
const DEPTH = 10;

/** Resolves with the id, in hex, of the block that a node has at a height; with undefined when it has none or does not answer. */
export type AskBlock = (address: string, height: number) => Promise<string | undefined>;

export interface FleetCheckOptions {
  readonly nodes: readonly FleetNode[];
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly signal: AbortSignal;
  /** For tests. */
  readonly ask?: AskBlock;
  readonly resolve?: (node: FleetNode, stop: AbortSignal) => Promise<readonly string[]>;
}

/**
 * Asks the nodes of the fleet for the newest block of a seed. More than half of those that have a block at its height must have
 * this one. Does nothing without nodes.
 *
 * Rejects with SeedRefusedError when the chain is another one; with SeedError when none of the nodes has the height, or only the newest
 * blocks differ, as after a reorganization: a later attempt may then succeed.
 */
export async function checkFleetAgrees(
  { height, topId }: Pick<SeedManifest, 'height' | 'topId'>,
  idAt: (height: number) => Promise<string>,
  options: FleetCheckOptions,
): Promise<void> {
  const { nodes, logger, signal, ask = askForBlock, resolve = addressesOf } = options;
  if (nodes.length === 0) return;
  const found = await Promise.all(nodes.map((node) => resolve(node, signal).catch(() => [])));
  const addresses = [...new Set(found.flat())];
  const agree = async (at: number, id: string): Promise<boolean> => {
    const ids = await Promise.all(addresses.map((address) => ask(address, at)));
    const votes = ids.filter((each) => each !== undefined);
    if (votes.length === 0)
      throw new SeedError(
        `none of the nodes of --fleet-node tells its block ${at}: what has arrived is kept; start again when they run`,
      );
    const same = votes.filter((each) => each === id).length;
    if (2 * same <= votes.length) return false;
    logger.info(`${same} of ${votes.length} nodes of the fleet have the same block ${at}`);
    return true;
  };
  const top = height - 1;
  if (await agree(top, topId)) return;
  signal.throwIfAborted();
  const deep = Math.max(0, top - DEPTH);
  if (!(await agree(deep, await idAt(deep))))
    throw new SeedRefusedError(`the fleet has another block ${deep} than the source`);
  throw new SeedError(
    `the fleet has another block ${top} than the copy, as after a reorganization: start again to take over what has changed`,
  );
}

async function addressesOf(node: FleetNode, stop: AbortSignal): Promise<readonly string[]> {
  return (await resolveNodes(node, systemNames(), stop)).asked;
}

const askForBlock: AskBlock = async (address, height) => {
  const client = new RpcClient({ url: `http://${address}`, timeout: TIMEOUT });
  try {
    const { block_header: header } = await client.rpc('get_block_header_by_height', { height });
    return toHex(header.hash);
  } catch {
    return undefined;
  }
};
