import { fromHex, parseTransaction, type ParsedTransaction } from '@monero-node/codec';
import { readNextFork, recordedTrees, type NextForkChain } from '@monero-node/codec/testing';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import {
  createBackend,
  createInlineVerificationPool,
  type FcmpVerifier,
} from '@monero-node/crypto';
import { createFcmpVerifier } from '@monero-node/fcmp';
import { createMemoryStore } from '@monero-node/storage';
import type { Blockchain } from '../blockchain.ts';
import { openBlockchain } from '../open.ts';
import { FixedPow, NOW } from '../testing/test-chain.ts';
import type { IncomingBlock } from '../types.ts';
import { NO_TREE, type TreeRoots } from '../view/tree-roots.ts';
import { parseBundle } from './parse-bundle.ts';

// Recorded chains of upstream's node, with their FCMP++ proofs. What a chain's own tree would say comes from the recorded headers.

const { chains } = readNextFork();
const chainOf = (name: NextForkChain['name']) =>
  chains.find((chain) => chain.name === name) as NextForkChain;
const short = chainOf('short');

function treesOf(recorded: NextForkChain): TreeRoots {
  const trees = recordedTrees(recorded);
  return { rootAtHeight: trees, treeAt: ({ height }) => trees(height + 8) };
}

const verify = createFcmpVerifier();

async function open(
  recorded: NextForkChain,
  treeRoots: TreeRoots | 'own' = treesOf(recorded),
  fcmp: FcmpVerifier = verify,
): Promise<Blockchain> {
  const hardForks = recorded.forks.map((fork) => ({ ...fork, time: fork.height }));
  const network = withOverrides(NETWORKS.regtest, {
    fixedDifficulty: 1n,
    hardForks: [{ version: 1, height: 0, time: 0 }, ...hardForks],
  });
  const backend = createBackend();
  const verifier = createInlineVerificationPool(backend, fcmp);
  const parts = { store: createMemoryStore(), pow: new FixedPow(), backend, verifier };
  const given = treeRoots === 'own' ? parts : { ...parts, treeRoots };
  return openBlockchain({ network, now: () => NOW }, given);
}

function bundles({ blocks, transactions }: NextForkChain, from: number, to: number) {
  return blocks.slice(from, to).map(({ blob }, i): IncomingBlock => {
    const txs = transactions.filter(({ height }) => height === from + i);
    return parseBundle({ block: fromHex(blob), txs: txs.map((tx) => fromHex(tx.blob)) });
  });
}

const proofsIn = ({ transactions }: NextForkChain): ParsedTransaction[] =>
  transactions
    .map(({ blob }) => parseTransaction(fromHex(blob)))
    .filter(({ tx }) => tx.rct?.type === 7);

/** Height of the first block with a proof. */
const firstProof = Math.min(
  ...short.transactions.map(({ height = Infinity, blob }) =>
    parseTransaction(fromHex(blob)).tx.rct?.type === 7 ? height : Infinity,
  ),
);

/** Adds the blocks of the chain `short` up to the first with a proof, and returns what became of that one. */
async function statusOfFirst(chain: Blockchain): Promise<string> {
  const { results } = await chain.addSpan(bundles(short, 1, firstProof));
  expect(results.every(({ status }) => status === 'added')).toBe(true);
  const result = await chain.addBlock(
    bundles(short, firstProof, firstProof + 1)[0] as IncomingBlock,
  );
  return 'error' in result && result.error !== undefined ? result.error.code : result.status;
}

test.each([['short'], ['long']] as const)(
  'the chain %s is taken as one span with a tree of its own, and block by block, with all its proofs',
  async (name) => {
    const recorded = chainOf(name);
    const end = recorded.blocks.length;
    const proofs = proofsIn(recorded).length;
    const one = await open(recorded, 'own');
    await one.addSpan(bundles(recorded, 1, end));
    expect(one.height).toBe(end);
    expect(one.counters.membershipProofs).toBe(proofs);
    const many = await open(recorded);
    for (const bundle of bundles(recorded, 1, end))
      expect(await many.addBlock(bundle)).toMatchObject({ status: 'added' });
    expect(many.counters.membershipProofs).toBe(proofs);
  },
  600_000,
);

test('a proof against another root, and one for another number of layers, are refused', async () => {
  const { rootAtHeight, treeAt } = treesOf(short);
  const otherRoot = await open(short, { treeAt, rootAtHeight: (at) => rootAtHeight(at - 1) });
  expect(await statusOfFirst(otherRoot)).toBe('bad-membership-proof');
  const otherLayers = await open(short, {
    treeAt,
    rootAtHeight: (at) => {
      const tree = rootAtHeight(at);
      return tree && { ...tree, layers: tree.layers + 1 };
    },
  });
  expect(await statusOfFirst(otherLayers)).toBe('reference-block');
});

test('where there is no tree, a proof is not verified and not blamed', async () => {
  const chain = await open(short, NO_TREE);
  expect(await statusOfFirst(chain)).toBe('unverified-membership');
  const inSpan = await open(short, NO_TREE);
  const { results } = await inSpan.addSpan(bundles(short, 1, short.blocks.length));
  expect(inSpan.height).toBe(firstProof);
  expect(results.at(-1)).toMatchObject({ error: { code: 'unverified-membership' } });
});

test('a proof that was verified before is not verified again in a block, unless the tree is another', async () => {
  let asked = 0;
  const counting: FcmpVerifier = (proofs) => {
    asked += proofs.length;
    return verify(proofs);
  };
  let isOther = false;
  const { treeAt, rootAtHeight } = treesOf(short);
  const chain = await open(
    short,
    { treeAt, rootAtHeight: (at) => rootAtHeight(isOther ? at - 1 : at) },
    counting,
  );
  await chain.addSpan(bundles(short, 1, firstProof));
  const [bundle] = bundles(short, firstProof, firstProof + 1) as [IncomingBlock];
  const txs = short.transactions
    .filter(({ height }) => height === firstProof)
    .map(({ blob }) => parseTransaction(fromHex(blob)));
  for (const tx of txs) await chain.transactionVerifier.check(tx);
  expect(asked).toBeGreaterThan(0);
  const before = asked;
  isOther = true;
  const [tx] = txs as [ParsedTransaction];
  await expect(chain.transactionVerifier.check(tx)).rejects.toMatchObject({
    code: 'bad-membership-proof',
  });
  expect(asked).toBe(before + 1);
  isOther = false;
  expect(await chain.addBlock(bundle)).toMatchObject({ status: 'added' });
  expect(asked).toBe(before + 1);
  expect(chain.counters.cached).toBe(txs.length);
});

test('an engine that throws blames no block', async () => {
  let works = false;
  const chain = await open(short, undefined, (proofs) => {
    if (!works) throw new Error('the engine failed');
    return verify(proofs);
  });
  await expect(statusOfFirst(chain)).rejects.toThrow('the engine failed');
  expect(chain.height).toBe(firstProof);
  works = true;
  const [bundle] = bundles(short, firstProof, firstProof + 1) as [IncomingBlock];
  expect(await chain.addBlock(bundle)).toMatchObject({ status: 'added' });
});
