import {
  makeBlock,
  EASY,
  SpendableChain,
  type BlockChanges,
  type MadeBlock,
} from '@monero-node/blockchain/testing';
import { bytesEqual, parseTransaction, type ParsedTransaction } from '@monero-node/codec';
import { BLOCK_GROUP_SIZE, NETWORKS, withOverrides } from '@monero-node/consensus';
import { FeederBench, type FeederBenchOptions } from '../testing/feeder-bench.ts';

/** Blocks of a span: two spans are too many for one batch. */
const SPAN = 11;
/** The two spans end where a group of trusted hashes does. */
const BASE = BLOCK_GROUP_SIZE - 2 * SPAN;
const made = new SpendableChain(EASY);
made.mineMany(BASE - 1);
const spending = made.spend([3]);
const other = made.spend([4]);

/** Returns a transaction with one bit of a ring signature changed. */
function withWrongSignature({ blob }: ParsedTransaction): ParsedTransaction {
  const changed = blob.slice();
  const at = changed.length - 200;
  changed[at] = (changed[at] ?? 0) ^ 1;
  return parseTransaction(changed);
}

/** A stage of verification, and a block that it finds to be bad. */
interface Stage extends Pick<FeederBenchOptions, 'isTrusted' | 'damage' | 'network'> {
  readonly change: BlockChanges;
  /** The lowest position at which a block can be bad in this way; 0 when absent. */
  readonly from?: number;
  readonly hasBadWork?: true;
}

const STAGES: Readonly<Record<string, Stage>> = {
  outline: {
    change: { txs: [other] },
    damage: (txs) => txs.map((blob) => blob.subarray(0, -1)),
  },
  context: { change: { surplus: 1n } },
  'context of known blocks': { change: { surplus: 1n }, isTrusted: true },
  proofs: { change: { txs: [withWrongSignature(other)] } },
  'proof of work': {
    change: {},
    hasBadWork: true,
    network: withOverrides(NETWORKS.regtest, { fixedDifficulty: 2n }),
  },
  'commit of known blocks': { change: { txs: [spending] }, isTrusted: true, from: 1 },
};

/** Returns the blocks of two spans, of which one is bad. */
function blocksWith(change: BlockChanges, bad: number): MadeBlock[] {
  const blocks: MadeBlock[] = [];
  for (let i = 0; i < 2 * SPAN; i++) {
    const own = i === bad ? change : i === 0 ? { txs: [spending] } : {};
    blocks.push(makeBlock(EASY, blocks.at(-1) ?? made.top, own));
  }
  return blocks;
}

/** Has the hasher find a hash that meets no difficulty for one block, and one that meets all for the others. */
function spoilWork(bench: FeederBench, bad: MadeBlock): void {
  Object.assign(bench.pow, {
    hash: ({ blob }: { readonly blob: Uint8Array }) => {
      const isBad = bytesEqual(blob, bad.parsed.hashingBlob);
      return Promise.resolve(new Uint8Array(32).fill(isBad ? 255 : 0));
    },
  });
}

const CASES = Object.entries(STAGES).flatMap(([name, stage]) =>
  Array.from({ length: 2 * SPAN }, (_, bad) => [name, bad, stage] as const).filter(
    ([, bad]) => bad >= (stage.from ?? 0),
  ),
);

test.each(CASES)(
  'a block that the stage "%s" refuses at position %d is blamed on its sender, and exactly those before it are stored',
  async (_, bad, { change, damage, hasBadWork, ...rest }) => {
    const blocks = blocksWith(change, bad);
    const own: FeederBenchOptions['damage'] = (txs, i) =>
      i === bad && damage !== undefined ? damage(txs, i) : txs;
    for (const isSlow of [true, false]) {
      const bench = await FeederBench.start({
        ...{ below: made.blocks, blocks, sizes: [SPAN, SPAN], isSlow, damage: own },
        ...rest,
      });
      if (hasBadWork === true) spoilWork(bench, blocks[bad] as MadeBlock);
      const outcome = await bench.run();
      expect(outcome).toMatchObject({ height: BASE + bad, failures: [] });
      const kept = (where: string | undefined) => where === 'main' || where === 'alt';
      expect(blocks.map(({ parsed }) => kept(bench.chain.has(parsed.id)))).toEqual(
        blocks.map((__, i) => i < bad),
      );
      const sender = bad < SPAN ? 0 : 1;
      expect(outcome).toHaveProperty(['closed', sender], true);
      // The second span stands on the last block of the first, wherever that is bad; a damaged transaction is not the block's.
      const standsOnBad = bad === SPAN - 1 && damage === undefined;
      if (!standsOnBad) expect(outcome).toHaveProperty(['closed', 1 - sender], false);
    }
  },
);
