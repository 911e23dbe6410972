import { isInChain, sideBlock } from '@monero-node/blockchain';
import { fromHex, toHex } from '@monero-node/codec';
import type { ChainReader } from '@monero-node/storage';
import type { JetStreamManager } from '@nats-io/jetstream';
import { readEntryHeaders, type StreamTip } from '../broker/entry-facts.ts';
import { messageAt, type ChainStreamState } from '../broker/streams.ts';

/** Most blocks of the stream that are taken back; a server could invent blocks without end. */
const MAX_REMOVALS = 10_000;

/** The stream is of another chain than the node's, or cannot be told from one. */
export class OtherChainError extends Error {
  override readonly name = 'OtherChainError';
  /** What the operator can do, without a full stop. */
  readonly advice: string;

  /** @param stream the name of the stream */
  constructor(message: string, stream: string) {
    super(message);
    this.advice = `Delete the stream (nats stream rm ${stream}), and it is made anew from this chain, or choose another name with --events-stream`;
  }
}

/** A block that the stream has and our chain has not. */
export interface Removal extends StreamTip {
  /** 64 hex digits. */
  readonly previous: string;
  readonly difficulty: bigint;
}

/** Sources of removals. */
export interface RemovalSource {
  readonly store: Pick<ChainReader, 'blockMeta' | 'altBlock' | 'heightOf'>;
  readonly manager: JetStreamManager;
  readonly stream: string;
}

/** Returns whether the newest block of a stream is in our main chain. */
export function hasTip(store: Pick<ChainReader, 'blockMeta'>, { height, id }: StreamTip): boolean {
  return isInChain(store, height, fromHex(id));
}

/**
 * Resolves to the blocks from the newest one of a stream down to the first that our chain lacks, newest first. Throws OtherChainError
 * when the stream does not reach back to a block that both have, or only by very many blocks.
 */
export async function findRemovals(
  source: RemovalSource,
  state: ChainStreamState,
): Promise<Removal[]> {
  const removals: Removal[] = [];
  const log = new StreamWalk(source, state);
  for (let { tip } = state; tip !== undefined && !hasTip(source.store, tip);) {
    if (tip.height === 0 || removals.length >= MAX_REMOVALS)
      throw new OtherChainError(`the stream ${source.stream} is of another chain`, source.stream);
    const removal: Removal = fromSideChain(source, tip) ?? (await log.find(tip));
    removals.push(removal);
    tip = parentOf(removal);
  }
  return removals;
}

/** Returns the parent of a removed block: the newest block once it is removed. */
export function parentOf(removal: Removal): StreamTip {
  return {
    height: removal.height - 1,
    id: removal.previous,
    cumulativeDifficulty: removal.cumulativeDifficulty - removal.difficulty,
  };
}

/** A block that was ours before a reorganization is kept on a side chain. */
function fromSideChain({ store }: RemovalSource, block: StreamTip): Removal | undefined {
  const own = sideBlock(store, fromHex(block.id));
  if (own === undefined) return undefined;
  return { ...block, previous: toHex(own.previous), difficulty: own.difficulty };
}

/** Reads a stream backwards. */
class StreamWalk {
  readonly #source: RemovalSource;
  readonly #first: number;
  #sequence: number;

  constructor(source: RemovalSource, state: ChainStreamState) {
    this.#source = source;
    this.#first = state.firstSequence;
    this.#sequence = state.lastSequence;
  }

  async find(block: StreamTip): Promise<Removal> {
    const { manager, stream } = this.#source;
    for (; this.#sequence >= this.#first; this.#sequence--) {
      const message = await messageAt(manager, stream, this.#sequence);
      if (message === undefined) break;
      const { type, id, previous, difficulty } = readEntryHeaders(message.header);
      if (type === 'block.added' && id === block.id) return { ...block, previous, difficulty };
    }
    throw new OtherChainError(
      `the stream ${stream} does not reach back to a block of this chain`,
      stream,
    );
  }
}
