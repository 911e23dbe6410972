import { fromHex, parseTransaction, toHex, type ParsedTransaction } from '@monero-node/codec';
import {
  applyEdits,
  readNextFork,
  readNextForkChanged,
  type NextForkChain,
} from '@monero-node/codec/testing';
import {
  checkInputs,
  checkRelay,
  checkTransaction,
  computeWeightState,
  ConsensusError,
  minimumFee,
  rulesFor,
  transactionWeight,
  verifyProofs,
  NO_RING_SIGNATURES,
  type ChainLookup,
  type ConsensusErrorCode,
} from '@monero-node/consensus';
import { createBackend, createInlineVerificationPool } from '@monero-node/crypto';
import { asReported } from '@monero-node/mempool';
import { RPC_FLAGS_OF_ERROR } from '../error-flags.ts';

const changed = readNextForkChanged();
const { chains, pool } = readNextFork();
const long = chains.find(({ name }) => name === 'long') as NextForkChain;
const verification = createInlineVerificationPool(createBackend());

/** Reward of an empty block above the chain `long`, atomic units: what block 235 paid, whose fees are 0. */
const REWARD = BigInt(long.blocks.at(-1)?.reward ?? 0);
/** What upstream says when the proof is the first that is wrong, or throws while it reads it. */
const NEEDS_PROOF = /Failed to verify input FCMP\+\+ signatures|fcmp_pp_verify_input_new/;

/** A chain above which a transaction is judged, and which knows nothing but the layers of its tree and one spent output. */
function chainAt(height: number, version: number, spent?: Uint8Array): ChainLookup {
  return {
    height,
    version,
    adjustedTime: () => 0,
    ringMember: () => undefined,
    outputCount: () => Infinity,
    isSpent: (keyImage) => spent !== undefined && toHex(keyImage) === toHex(spent),
    // A block at height h commits to the tree of index h + 8.
    treeLayers: (index) => layersOf(Number(index)),
  };
}

const layers = long.blocks.map(({ json }) => {
  const { fcmp_pp_n_tree_layers: count } = JSON.parse(json) as { fcmp_pp_n_tree_layers?: number };
  return count;
});
/** No output is spendable, and the tree is empty, up to the index at which that of block 0 enters. */
const FIRST_FULL_TREE = 59;
const layersOf = (index: number): number | undefined =>
  index < FIRST_FULL_TREE ? 0 : layers[index - 8];

/** Judges a transaction in the order of the pool. Returns the code of the rule that it breaks. */
async function judge(parsed: ParsedTransaction, chain: ChainLookup): Promise<ConsensusErrorCode> {
  const rules = rulesFor(chain.version);
  try {
    const weightState = computeWeightState(rules, [0], 0);
    const weight = transactionWeight(parsed);
    checkRelay(parsed, {
      minimumFee: minimumFee({ rules, baseReward: REWARD, weightState, weight }),
    });
    const txId = toHex(parsed.id);
    const checks = checkTransaction(rules, parsed, txId);
    const transaction = { txId, checks, ringSignatures: NO_RING_SIGNATURES };
    const failure = await verifyProofs(verification, [{ block: 0, transaction }]);
    if (failure !== undefined) throw failure.error;
    checkInputs(rules, parsed, chain);
  } catch (error) {
    if (error instanceof ConsensusError) return asReported(error, parsed).code;
    throw error;
  }
  throw new Error('accepted, although nothing verified its signatures');
}

const flagsOf = (code: ConsensusErrorCode): string[] => [...RPC_FLAGS_OF_ERROR[code]].sort();

test.each(changed.transactions.map((base) => [base.label, base] as const))(
  'changed transactions %s get the flags of upstream',
  async (_, { blob, cases }) => {
    const wrong: string[] = [];
    let judged = 0;
    for (const { name, edits, flags, log } of cases) {
      if (log[0] === 'Failed to parse transaction from blob') continue;
      const parsed = parseTransaction(applyEdits(fromHex(blob), edits));
      const code = await judge(parsed, chainAt(236, 18));
      if (NEEDS_PROOF.test(log.join(' '))) {
        if (code !== 'unverified-membership') wrong.push(`${name}: ${code}, but needs the proof`);
        continue;
      }
      judged++;
      const isSame = flagsOf(code).join() === [...flags].sort().join();
      if (code === 'unverified-membership' || !isSame)
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
    const code = await judge(parsed, chainAt(height, version));
    // Only a chain with its outputs and its tree can tell these.
    const needsChain = ['unverified-membership', 'ring-member-missing'].includes(code);
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
    const code = await judge(
      parseTransaction(fromHex(blob)),
      chainAt(236, 18, name.includes('spent by another') ? parts.keyImage(0) : undefined),
    );
    if (flagsOf(code).join() !== [...flags].sort().join()) wrong.push(`${name}: ${code}`);
  }
  expect(wrong).toEqual([]);
});
