import { copyFolder } from './run-folder.ts';
import { numberOf } from './json.ts';
import { COMMAND, shakeHands } from './levin.ts';
import type { NodeOptions, RunningNode } from './monerod.ts';
import type { Section } from './portable-storage.ts';
import { within } from './wait.ts';

/** Stripe 1: a node with this seed keeps the first 4,096 blocks, in which all our transactions are. */
export const SEED_OF_FIRST_STRIPE = 384;
const TRIES = 12;
const ANSWER_TIMEOUT = 20_000;

/** Prunes permanently; returns the seed. */
export async function prune(node: RunningNode): Promise<number> {
  const answer = await node.rpc.call('prune_blockchain', {});
  if (answer['pruned'] !== true) throw new Error(`${node.name} did not prune`);
  return numberOf(answer, 'pruning_seed');
}

/**
 * Starts a node on a copy of a data folder and prunes it. The node chooses a random stripe; a choice that would
 * keep all transactions is discarded.
 */
export async function startPruned(
  start: (options: NodeOptions) => Promise<RunningNode>,
  dataDir: string,
  options: NodeOptions,
): Promise<{ node: RunningNode; seed: number }> {
  for (let tries = 0; tries < TRIES; tries++) {
    const copy = await copyFolder(dataDir, options.name ?? 'pruned');
    const node = await start({ ...options, dataDir: copy });
    const seed = await prune(node);
    if (seed !== SEED_OF_FIRST_STRIPE) return { node, seed };
    await node.stop();
  }
  throw new Error(`${TRIES} draws of eight stripes gave the first one every time`);
}

/** Sends a node a message, as a peer that has only genesis, and returns the answer of kind `wanted`. */
async function askAsPeer(
  node: RunningNode,
  genesis: Uint8Array,
  message: { command: number; body: Section; wanted: number },
): Promise<Section> {
  const claim = { height: 1, topId: genesis, cumulativeDifficulty: 1n };
  const link = await shakeHands(node.p2pPort, claim, BigInt(Date.now()));
  try {
    const answer = new Promise<Section>((resolve, reject) => {
      link.onFrame = (frame) => {
        if (frame.command === message.wanted) resolve(frame.body);
      };
      void link.closed.then(() => reject(new Error('the node closed the link')));
    });
    link.notify(message.command, message.body);
    return await within(ANSWER_TIMEOUT, `${node.name} to answer`, answer);
  } finally {
    link.close();
  }
}

/** Returns blocks by id as sent to a peer. */
export function askForBlocks(
  node: RunningNode,
  genesis: Uint8Array,
  ids: readonly Uint8Array[],
  prune: boolean,
): Promise<Section> {
  const body = { blocks: Buffer.concat(ids), prune };
  return askAsPeer(node, genesis, { command: COMMAND.getObjects, body, wanted: COMMAND.objects });
}

/** Returns the ids and weights after the newest common block as sent to a peer. */
export function askForIds(
  node: RunningNode,
  genesis: Uint8Array,
  history: readonly Uint8Array[],
  prune: boolean,
): Promise<Section> {
  const body = { block_ids: Buffer.concat(history), prune };
  return askAsPeer(node, genesis, { command: COMMAND.getChain, body, wanted: COMMAND.chainEntry });
}
