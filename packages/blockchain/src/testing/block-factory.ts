import {
  encodeBlock,
  parseBlock,
  type ParsedBlock,
  type ParsedTransaction,
  type Transaction,
} from '@monero-node/codec';
import {
  addGeneratedCoins,
  blockReward,
  COINBASE_UNLOCK,
  feeOf,
  rulesFor,
  versionAtHeight,
  type ForkRules,
  type Network,
} from '@monero-node/consensus';

/** A block made for tests, with the values that its children need. */
export interface MadeBlock {
  readonly height: number;
  readonly parsed: ParsedBlock;
  readonly generatedCoins: bigint;
  readonly timestamp: number;
  readonly txs: readonly ParsedTransaction[];
}

export interface BlockChanges {
  /** Makes blocks of the same height differ. */
  readonly nonce?: number;
  readonly timestamp?: number;
  /** Added to the correct reward, atomic units. */
  readonly surplus?: bigint;
  readonly majorVersion?: number;
  readonly unlockDelta?: bigint;
  /** 32 bytes; a key without a known secret key by default. */
  readonly coinbaseKey?: Uint8Array;
  /** Number of outputs of the coinbase transaction: the first has nearly all of the reward; 1 by default. */
  readonly coinbaseOutputs?: number;
  readonly txs?: readonly ParsedTransaction[];
}

/** Returns the network's genesis block as a parent. */
export function genesisOf(network: Network): MadeBlock {
  const parsed = parseBlock(network.genesisBlob);
  const [output] = parsed.block.minerTx.outputs;
  return { height: 0, parsed, generatedCoins: output?.amount ?? 0n, timestamp: 0, txs: [] };
}

function coinbase(
  rules: ForkRules,
  height: number,
  amount: bigint,
  changes: BlockChanges,
): Transaction {
  const { unlockDelta = 0n, coinbaseKey: key = new Uint8Array(32).fill(1) } = changes;
  const { coinbaseOutputs: count = 1 } = changes;
  const target = rules.outputTargets.includes('tagged-key')
    ? ({ kind: 'tagged-key', key, viewTag: 7 } as const)
    : ({ kind: 'key', key } as const);
  return {
    version: 2,
    unlockTime: BigInt(height + COINBASE_UNLOCK) + unlockDelta,
    inputs: [{ kind: 'gen', height }],
    outputs: Array.from({ length: count }, (_, i) => ({
      amount: i === 0 ? amount - BigInt(count - 1) : 1n,
      target,
    })),
    extra: Uint8Array.of(1, ...new Uint8Array(32).fill(2)),
    rct: { type: 0, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] },
  };
}

/** Makes a block on top of `parent`: empty and valid, apart from `changes`. */
export function makeBlock(
  network: Network,
  parent: MadeBlock,
  changes: BlockChanges = {},
): MadeBlock {
  const height = parent.height + 1;
  const version = versionAtHeight(network, height);
  const rules = rulesFor(version);
  const reward = blockReward({
    medianWeight: 300_000,
    blockWeight: 100,
    generatedCoins: parent.generatedCoins,
    rules,
  });
  const { txs = [] } = changes;
  const fees = txs.reduce((sum, tx) => sum + feeOf(tx), 0n);
  const timestamp = changes.timestamp ?? (parent.timestamp || 1_700_000_000) + 120;
  const blob = encodeBlock({
    majorVersion: changes.majorVersion ?? version,
    minorVersion: version,
    timestamp,
    prevId: parent.parsed.id,
    nonce: changes.nonce ?? 0,
    minerTx: coinbase(rules, height, reward + fees + (changes.surplus ?? 0n), changes),
    txHashes: txs.map(({ id }) => id),
  });
  return {
    height,
    parsed: parseBlock(blob),
    generatedCoins: addGeneratedCoins(parent.generatedCoins, reward),
    timestamp,
    txs,
  };
}

/** Makes `count` blocks, each on top of the previous one. */
export function makeBranch(
  network: Network,
  parent: MadeBlock,
  count: number,
  changes: BlockChanges = {},
): MadeBlock[] {
  const blocks: MadeBlock[] = [];
  for (let i = 0; i < count; i++) {
    blocks.push(makeBlock(network, blocks.at(-1) ?? parent, changes));
  }
  return blocks;
}
