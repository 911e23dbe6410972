import { fromHex, parseTransaction } from '@monero-node/codec';
import {
  applyEdits,
  readNextFork,
  readNextForkChanged,
  recordedTrees,
  type NextForkChain,
} from '@monero-node/codec/testing';
import { checkInputs, rulesFor, verifyProofs } from '@monero-node/consensus';
import {
  createBackend,
  createInlineVerificationPool,
  createVerificationPool,
  type VerificationPool,
} from '@monero-node/crypto';
import { createFcmpVerifier } from '@monero-node/fcmp';
import { chainAt, flagsOf, judge, NEEDS_PROOF, nextForkChain } from '../testing/next-fork-judge.ts';

// Verdicts and flags of upstream's node on transactions of RingCT type 7, with their proofs, by both engines.

const changed = readNextForkChanged();
const long = nextForkChain('long');
const REWARD = Number(long.blocks.at(-1)?.reward ?? 0);
const FCMP_TYPE = 7;

interface Recorded {
  readonly name: string;
  readonly blob: string;
  readonly height: number;
  readonly chain: NextForkChain;
}

const recorded: Recorded[] = [
  ...readNextFork().chains.flatMap((chain) =>
    chain.transactions.map(({ label, blob, height = 0 }) => ({ name: label, blob, height, chain })),
  ),
  ...readNextFork().pool.map(({ label, blob }) => ({
    name: label,
    blob,
    height: long.blocks.length,
    chain: long,
  })),
].filter(({ blob }) => parseTransaction(fromHex(blob)).tx.rct?.type === FCMP_TYPE);

const versionAt = ({ chain, height }: Recorded): number =>
  chain.forks.findLast((fork) => fork.height <= height)?.version ?? 1;

describe.each([['native'], ['reference']] as const)('%s engine', (engine) => {
  const pool = createInlineVerificationPool(createBackend(), createFcmpVerifier(engine));

  test('takes every recorded transaction', async () => {
    expect(recorded.length).toBeGreaterThanOrEqual(60);
    const refused: string[] = [];
    for (const each of recorded) {
      const { chain, height, name, blob } = each;
      const lookup = chainAt(height, versionAt(each), recordedTrees(chain));
      const code = await judge(parseTransaction(fromHex(blob)), lookup, pool, 0);
      if (code !== undefined) refused.push(`${chain.name} ${height} ${name}: ${code}`);
    }
    expect(refused).toEqual([]);
  }, 600_000);

  test.each(changed.transactions.map((base) => [base.label, base] as const))(
    'refuses every changed transaction of %s with the flags of upstream',
    async (_, { blob, cases }) => {
      const wrong: string[] = [];
      let judged = 0;
      for (const { name, edits, flags, log } of cases) {
        if (!NEEDS_PROOF.test(log.join(' '))) continue;
        judged++;
        const parsed = parseTransaction(applyEdits(fromHex(blob), edits));
        const code = await judge(parsed, chainAt(236, 18, recordedTrees(long)), pool, REWARD);
        const own = code === undefined ? ['accepted'] : flagsOf(code);
        if (own.join() !== [...flags].sort().join())
          wrong.push(`${name}: ${code}, not ${flags}: ${log[0]}`);
      }
      expect(wrong).toEqual([]);
      expect(judged).toBeGreaterThan(200);
    },
    1_800_000,
  );
});

describe('threads', () => {
  const pool: VerificationPool = createVerificationPool({
    threads: 2,
    fcmpModule: import.meta.resolve('@monero-node/fcmp/verifier'),
  });
  afterAll(() => pool.close());
  const transactions = recorded.map((each, block) => {
    const parsed = parseTransaction(fromHex(each.blob));
    const version = versionAt(each);
    const lookup = chainAt(each.height, version, recordedTrees(each.chain));
    const checks = { points: [], keyImages: [] };
    const ringSignatures = checkInputs(rulesFor(version), parsed, lookup);
    return { block, transaction: { txId: String(block), checks, ringSignatures } };
  });

  test('take all recorded transactions as one batch, and name the one that is spoilt', async () => {
    expect(await verifyProofs(pool, transactions)).toBeUndefined();
    const spoilt = transactions.map((each, i) => {
      const { ringSignatures, ...others } = each.transaction;
      if (i !== 40 || ringSignatures.kind !== 'fcmp-plus-plus') return each;
      const proofs = ringSignatures.proofs.map((proof) => ({
        ...proof,
        message: new Uint8Array(32),
      }));
      return { ...each, transaction: { ...others, ringSignatures: { ...ringSignatures, proofs } } };
    });
    const failure = await verifyProofs(pool, spoilt);
    expect([failure?.block, failure?.error.code]).toEqual([40, 'bad-membership-proof']);
  }, 120_000);
});
