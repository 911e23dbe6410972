import { fromHex, parseTransaction } from '@monero-node/codec';
import {
  applyEdits,
  readNextFork,
  readNextForkChanged,
  recordedTrees,
} from '@monero-node/codec/testing';
import { createBackend, createInlineVerificationPool } from '@monero-node/crypto';
import { chainAt, flagsOf, judge, NEEDS_PROOF, nextForkChain } from '../testing/next-fork-judge.ts';

// What needs no proof. The proofs have a test of their own, which takes long.

const changed = readNextForkChanged();
const { pool } = readNextFork();
const long = nextForkChain('long');
const trees = recordedTrees(long);
/** Reward of an empty block above the chain `long`, atomic units: what block 235 paid, whose fees are 0. */
const REWARD = Number(long.blocks.at(-1)?.reward ?? 0);
/** Takes no FCMP++ proof. */
const verification = createInlineVerificationPool(createBackend(), () => false);
const codeOf = async (
  ...[parsed, chain]: [Parameters<typeof judge>[0], Parameters<typeof judge>[1]]
) => {
  const code = await judge(parsed, chain, verification, REWARD);
  if (code === undefined) throw new Error('accepted, although nothing verified its signatures');
  return code;
};
/** The codes of what fell by its proof alone. */
const OF_PROOF = ['bad-membership-proof', 'spend-proof-encoding', 'unverified-membership'];

test.each(changed.transactions.map((base) => [base.label, base] as const))(
  'changed transactions %s get the flags of upstream',
  async (_, { blob, cases }) => {
    const wrong: string[] = [];
    let judged = 0;
    for (const { name, edits, flags, log } of cases) {
      if (log[0] === 'Failed to parse transaction from blob') continue;
      const parsed = parseTransaction(applyEdits(fromHex(blob), edits));
      const code = await codeOf(parsed, chainAt(236, 18, trees));
      if (NEEDS_PROOF.test(log.join(' '))) {
        if (!OF_PROOF.includes(code)) wrong.push(`${name}: ${code}, but needs the proof`);
        continue;
      }
      judged++;
      const isSame = flagsOf(code).join() === [...flags].sort().join();
      if (OF_PROOF.includes(code) || !isSame)
        wrong.push(`${name}: ${code}, not ${flags}: ${log[0]}`);
    }
    expect(wrong).toEqual([]);
    expect(judged).toBeGreaterThan(70);
  },
  120_000,
);

test('the same transactions before, between and after the forks get the flags of upstream', async () => {
  const blobs = new Map<string, string>(Object.entries(changed.unmined));
  for (const { hash, blob } of [...pool, ...long.transactions]) blobs.set(hash, blob);
  const wrong: string[] = [];
  for (const { height, version, label, hash, status, flags, log } of changed.byVersion) {
    // In the chain already, which comes before every rule.
    if (status === 'OK' && log.length === 0) continue;
    const parsed = parseTransaction(fromHex(blobs.get(hash) as string));
    const code = await codeOf(parsed, chainAt(height, version, trees));
    // Only a chain with its outputs and its tree can tell these.
    const needsChain = [...OF_PROOF, 'ring-member-missing'].includes(code);
    const isKnown = /non-input|unlock time|output type|too high/.test(log.join(' '));
    if (needsChain === isKnown) wrong.push(`${label} at ${height}: ${code}, ${log.join(' ')}`);
    if (isKnown && flagsOf(code).join() !== [...flags].sort().join())
      wrong.push(`${label} at ${height}: ${code}, not ${flags}`);
  }
  expect(wrong).toEqual([]);
});

test('whole transactions that are refused get the flags of upstream', async () => {
  const [spent] = changed.whole.filter(({ flags }) => flags.includes('double_spend'));
  const { parts } = parseTransaction(fromHex(spent?.blob as string));
  const wrong: string[] = [];
  for (const { name, blob, status, flags } of changed.whole) {
    if (status === 'OK' || !/transaction .*(sent at|whose input)/.test(name)) continue;
    const code = await codeOf(
      parseTransaction(fromHex(blob)),
      chainAt(236, 18, trees, name.includes('spent by another') ? parts.keyImage(0) : undefined),
    );
    if (flagsOf(code).join() !== [...flags].sort().join()) wrong.push(`${name}: ${code}`);
  }
  expect(wrong).toEqual([]);
});
