import type {
  AddBlockOptions,
  AddBlockResult,
  BlockBundle,
  IncomingBlock,
  OfferedIds,
} from '@monero-node/blockchain';
import { encodeBlock, parseBlock, toHex } from '@monero-node/codec';
import type { ParsedBlock } from '@monero-node/codec';
import { ConsensusError, NETWORKS, versionAtHeight } from '@monero-node/consensus';
import type { Network } from '@monero-node/consensus';
import type { BlockMeta } from '@monero-node/storage';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';

/** Nonces that make the fake chain refuse a block. */
export const BAD_POW_NONCE = 666;
export const BAD_REWARD_NONCE = 667;

interface Entry {
  parsed: ParsedBlock;
  bundle: BlockBundle;
  height: number;
  /** Cumulative difficulty; every block counts 1. */
  work: bigint;
}

/** Returns a block that decodes and has the right version, but is otherwise invalid. */
export function fakeBlock(
  parent: { id: Uint8Array; height: number },
  options: { nonce?: number; txHashes?: Uint8Array[] } = {},
): Uint8Array {
  const height = parent.height + 1;
  const version = versionAtHeight(NETWORKS.regtest, height);
  return encodeBlock({
    majorVersion: version,
    minorVersion: version,
    timestamp: 1_700_000_000 + height,
    prevId: parent.id,
    nonce: options.nonce ?? 0,
    minerTx: {
      version: 2,
      unlockTime: BigInt(height + 60),
      inputs: [{ kind: 'gen', height }],
      outputs: [],
      extra: new Uint8Array(0),
      rct: { type: 0, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] },
    },
    txHashes: options.txHashes ?? [],
  });
}

/**
 * Blocks that are linked by their parents and otherwise not verified. The chain with the most
 * blocks is the main chain.
 */
export class FakeChain implements ChainForP2p {
  readonly network: Network = NETWORKS.regtest;
  readonly #entries = new Map<string, Entry>();
  readonly #invalid = new Set<string>();
  #main: Entry[] = [];
  /** Milliseconds that verifying a span takes. */
  delay = 0;
  /** Spans handed over so far, by number of blocks. */
  readonly spans: number[] = [];
  /** The next spans fail with these errors; undefined lets one pass. */
  failures: (Error | undefined)[] = [];

  constructor() {
    const parsed = parseBlock(this.network.genesisBlob);
    this.#insert({
      parsed,
      bundle: { block: parsed.blob, txs: [] },
      height: 0,
      work: 1n,
    });
  }

  get height(): number {
    return this.#main.length;
  }

  get top(): BlockMeta {
    return this.#meta(this.#entryAt(this.height - 1));
  }

  readonly store: ChainForP2p['store'] = {
    blockMeta: (height) => this.#main[height] && this.#meta(this.#entryAt(height)),
    blockMetas: (from, to) => this.#main.slice(from, to).map((entry) => this.#meta(entry)),
    blockBlob: (height) => this.#main[height]?.bundle.block,
    blockTxs: () => [],
    heightOf: (id) => {
      const entry = this.#entries.get(toHex(id));
      return entry && this.#main[entry.height] === entry ? entry.height : undefined;
    },
  };

  /** Adds `count` blocks on top, or on top of the block at `from`. Returns the id of the last. */
  grow(count: number, options: { from?: number; nonce?: number } = {}): Uint8Array {
    let parent = this.#entryAt(options.from ?? this.height - 1);
    for (let i = 0; i < count; i++) {
      const at = { id: parent.parsed.id, height: parent.height };
      const block = fakeBlock(at, options);
      const parsed = parseBlock(block);
      this.#add({ block: parsed, txs: [] });
      const added = this.#entries.get(toHex(parsed.id));
      if (!added) throw new Error('the block was not added');
      parent = added;
    }
    return parent.parsed.id;
  }

  /** Puts a block on top that every other fake chain finds invalid. */
  growBad(nonce: number): void {
    const parent = this.#entryAt(this.height - 1);
    const parsed = parseBlock(
      fakeBlock({ id: parent.parsed.id, height: parent.height }, { nonce }),
    );
    this.#insert({
      parsed,
      bundle: { block: parsed.blob, txs: [] },
      height: parent.height + 1,
      work: parent.work + 1n,
    });
  }

  idAt(height: number): Uint8Array {
    return this.#entryAt(height).parsed.id;
  }

  has(id: Uint8Array): 'main' | 'alt' | 'invalid' | undefined {
    const key = toHex(id);
    if (this.#invalid.has(key)) return 'invalid';
    if (!this.#entries.has(key)) return undefined;
    return this.store.heightOf(id) === undefined ? 'alt' : 'main';
  }

  shortHistory(): Uint8Array[] {
    const ids = this.#main.slice(-11).map((entry) => entry.parsed.id);
    return [...ids.reverse(), this.idAt(0)];
  }

  /** How many offered ids match what is known beforehand; all of them by default. */
  usableIds = Infinity;

  pruningSeed = 0;

  approveIds({ ids }: OfferedIds): number {
    return Math.min(ids.length, this.usableIds);
  }

  /** Heights below this have known weights. */
  weightsBelow = 0;

  knownWeight(height: number): number | undefined {
    return height < this.weightsBelow ? 100 : undefined;
  }

  blockBundleById(id: Uint8Array): BlockBundle | undefined {
    return this.#entries.get(toHex(id))?.bundle;
  }

  transactionBlob(): Uint8Array | undefined {
    return undefined;
  }

  weightState(): ReturnType<ChainForP2p['weightState']> {
    const median = 300_000;
    return {
      shortTermMedian: median,
      longTermMedian: median,
      effectiveMedian: median,
      rewardMedian: median,
      limit: 2 * median,
    };
  }

  async addSpan(blocks: readonly IncomingBlock[]): Promise<{ results: AddBlockResult[] }> {
    this.spans.push(blocks.length);
    await new Promise((resolve) => setTimeout(resolve, this.delay));
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    const results: AddBlockResult[] = [];
    for (const block of blocks) {
      const result = this.#add(block);
      results.push(result);
      if (result.status === 'invalid' || result.status === 'orphan') break;
    }
    return { results };
  }

  async addBlock(
    block: IncomingBlock,
    { decodeSent, findTransaction }: AddBlockOptions = {},
  ): Promise<AddBlockResult> {
    const { nonce, txHashes } = block.block.block;
    const txs = nonce === BAD_POW_NONCE ? undefined : await decodeSent?.();
    const found = txHashes.filter((id) => findTransaction?.(id)).length;
    return this.#add({ ...block, txs: txs ?? block.txs }, found);
  }

  #add({ block: parsed, txs }: IncomingBlock, found = 0): AddBlockResult {
    const { id } = parsed;
    if (this.#entries.has(toHex(id))) return { status: 'known', id };
    const parent = this.#entries.get(toHex(parsed.block.prevId));
    if (!parent) return { status: 'orphan', id };
    const { nonce } = parsed.block;
    if (nonce === BAD_POW_NONCE || nonce === BAD_REWARD_NONCE) {
      this.#invalid.add(toHex(id));
      const code = nonce === BAD_POW_NONCE ? 'bad-proof-of-work' : 'miner-tx-amount';
      return { status: 'invalid', id, error: new ConsensusError(code) };
    }
    if (parsed.block.txHashes.length > txs.length + found)
      return { status: 'missing-txs', id, missing: [...parsed.block.txHashes.keys()].slice(found) };
    const height = parent.height + 1;
    const bundle = { block: parsed.blob, txs: txs.map(({ blob }) => blob) };
    const before = this.top.id;
    this.#insert({ parsed, bundle, height, work: parent.work + 1n });
    if (this.store.heightOf(id) === undefined) return { status: 'alternative', id, height };
    const status = toHex(before) === toHex(parent.parsed.id) ? 'added' : 'reorganized';
    return { status, id, height };
  }

  #insert(entry: Entry): void {
    this.#entries.set(toHex(entry.parsed.id), entry);
    if (this.#main.length > 0 && entry.work <= this.#entryAt(this.height - 1).work) return;
    const branch: Entry[] = [];
    let at: Entry | undefined = entry;
    while (at && this.#main[at.height] !== at) {
      branch.unshift(at);
      at = this.#entries.get(toHex(at.parsed.block.prevId));
    }
    this.#main = [...this.#main.slice(0, branch[0]?.height ?? 0), ...branch];
  }

  #entryAt(height: number): Entry {
    const entry = this.#main[height];
    if (!entry) throw new Error(`no block at ${height}`);
    return entry;
  }

  #meta({ height, parsed, work }: Entry): BlockMeta {
    return {
      height,
      id: parsed.id,
      timestamp: parsed.block.timestamp,
      weight: parsed.blob.length,
      longTermWeight: parsed.blob.length,
      cumulativeDifficulty: work,
      generatedCoins: 0n,
      cumulativeTxCount: 0,
      cumulativeRctOutputs: 0,
      majorVersion: parsed.block.majorVersion,
      minorVersion: parsed.block.minorVersion,
    };
  }
}
