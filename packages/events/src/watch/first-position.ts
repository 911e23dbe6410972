import { toHex } from '@monero-node/codec';
import { type ChainRule, WatchError } from '@monero-node/rpc-client/watch';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { BackfillError, requestBlocks } from '../backfill/backfill-client.ts';
import type { EventNames } from '../broker/names.ts';
import type { StreamTip } from '../broker/entry-facts.ts';
import { chainStreamState, missingStream } from '../broker/streams.ts';
import type { StreamPosition } from './watched-chain.ts';

/** Resolves to the newest block of the stream. Rejects with errors of the broker, and with Error where there is none. */
export async function newestBlock(
  connection: NatsConnection,
  names: EventNames,
): Promise<StreamTip> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const state = await chainStreamState({ connection, manager }, names);
  if (state === undefined) throw await missingStream(connection, names.chainStream);
  if (state.tip === undefined) throw new Error(`the stream ${names.chainStream} is empty`);
  return state.tip;
}

/**
 * Resolves to the position before the first block to tell; undefined while the chain has not reached it. The ids below it come from a
 * node. Rejects with errors of the broker, and with BackfillError when no node answers as it should.
 */
export async function firstPosition(
  connection: NatsConnection,
  names: EventNames,
  { from: wanted, depth, lag }: Pick<ChainRule, 'from' | 'depth' | 'lag'>,
): Promise<StreamPosition | undefined> {
  const tip = await newestBlock(connection, names);
  const from = wanted ?? Math.max(0, tip.height - lag) + 1;
  const height = from - 1;
  if (height > tip.height) return undefined;
  const to = { height: tip.height, id: tip.id };
  const [first] = await requestBlocks(connection, names.backfillSubject, { from: 0, to });
  if (first?.height !== 0) throw new BackfillError('a node sent another block than the first');
  const genesis = toHex(first.id);
  const ids: string[] = [];
  for (let next = Math.max(0, from - depth); next <= height;) {
    const page = await requestBlocks(connection, names.backfillSubject, { from: next, to });
    const below = page.filter((block) => block.height <= height);
    if (below.length === 0 || page[0]?.height !== next)
      throw new BackfillError(`a node sent other blocks than ${next}`);
    ids.push(...below.map(({ id }) => toHex(id)));
    next += below.length;
  }
  const work = height < 0 ? 0n : tip.cumulativeDifficulty;
  return { version: 1, genesis, from, height, ids, work: work.toString() };
}

/** Rejects with WatchError when a node does not have the first block of a position, hex, and with errors of the broker. */
export async function compareGenesis(
  connection: NatsConnection,
  { backfillSubject }: EventNames,
  genesis: string,
): Promise<void> {
  try {
    await requestBlocks(connection, backfillSubject, { from: 0, to: { height: 0, id: genesis } });
  } catch (error) {
    if (!(error instanceof BackfillError) || error.code !== 'unknown-block') throw error;
    const message = `the chain of the stream does not begin with ${genesis}, as the position does`;
    throw new WatchError('other-chain', message, { cause: error });
  }
}
