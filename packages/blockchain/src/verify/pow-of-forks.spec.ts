import { silentLogger } from '@monero-node/base';
import { parseAddress, parseBlock, toHex, type ParsedBlock } from '@monero-node/codec';
import { NETWORKS, withOverrides, type HardFork } from '@monero-node/consensus';
import { createBackend, createInlineVerificationPool, keccak256 } from '@monero-node/crypto';
import {
  HashingNonceSearcher,
  isRandomx,
  randomxCommitment,
  type PowHasher,
  type PowRequest,
  type RandomxRequest,
} from '@monero-node/pow';
import { createMemoryStore } from '@monero-node/storage';
import type { Blockchain } from '../blockchain.ts';
import { openBlockchain } from '../open.ts';
import { BlockTemplates } from '../template/block-templates.ts';
import { mineBlock } from '../template/mine-block.ts';
import { minedBlock, templateSearch } from '../template/template-search.ts';
import { NOW } from '../testing/test-chain.ts';

/** Hard enough that a hash of the wrong kind is rarely good, and easy enough for hashes that take no time. */
const DIFFICULTY = 256n;
/** First height of version 16. */
const CHANGE = 4;
const ADDRESS = parseAddress(
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
);

/** Takes the place of the engines: each algorithm has its own hashes. */
const pow = {
  name: 'quick',
  hash: async (request: PowRequest): Promise<Uint8Array> => {
    const { kind, blob } = request;
    const hash = keccak256(Uint8Array.of(...blob, kind === 'randomx-v2' ? 2 : 1));
    return isRandomx(request) && request.commitment === true ? randomxCommitment(blob, hash) : hash;
  },
  close: () => Promise.resolve(),
} satisfies PowHasher;

/** What the fork at CHANGE says of proof of work; the versions and heights are always the same. */
type Profile = Pick<HardFork, 'powAlgorithm' | 'powCommitment'>;
const V1: Profile = {};
const V2: Profile = { powAlgorithm: 'randomx-v2' };

const opened: Blockchain[] = [];
afterEach(() => Promise.all(opened.splice(0).map((chain) => chain.stop())));

async function open(profile: Profile): Promise<Blockchain> {
  const hardForks = [
    { version: 1, height: 0, time: 0 },
    { version: 14, height: 1, time: 0 },
    { version: 16, height: CHANGE, time: 0, ...profile },
  ];
  const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: DIFFICULTY, hardForks });
  const backend = createBackend();
  const verifier = createInlineVerificationPool(backend);
  const chain = await openBlockchain(
    { network, now: () => NOW },
    { store: createMemoryStore(), verifier, backend, pow, logger: silentLogger },
  );
  opened.push(chain);
  return chain;
}

/** Mines blocks until a chain has `height`; `tag` makes them differ from others of their height. */
async function mineTo(chain: Blockchain, height: number, tag = 0): Promise<ParsedBlock[]> {
  const blocks: ParsedBlock[] = [];
  while (chain.height < height) {
    const extraNonce = Uint8Array.of(tag);
    const { block } = await mineBlock(chain, { address: ADDRESS, pow, extraNonce, now: () => NOW });
    blocks.push(block);
  }
  return blocks;
}

/** Returns a template on `prevId`, or the tip, and the search for its proof of work. */
async function searchOn(chain: Blockchain, prevId?: Uint8Array) {
  const templates = new BlockTemplates({ blockchain: chain, now: () => NOW });
  const extraNonce = Uint8Array.of(9);
  const template = await templates.create({ address: ADDRESS, extraNonce, prevId });
  return { template, search: templateSearch(template) };
}

/** Returns a block on `prevId`, or the tip, whose work is of another kind than the right one, and does not happen to be right. */
async function wrongBlock(
  chain: Blockchain,
  kind: Pick<RandomxRequest, 'kind' | 'commitment'>,
  prevId?: Uint8Array,
): Promise<ParsedBlock> {
  const { template, search } = await searchOn(chain, prevId);
  if (!isRandomx(search.request)) throw new Error('not RandomX');
  const wrong = { ...search, request: { ...search.request, ...kind }, stride: 1 };
  const searcher = new HashingNonceSearcher(pow);
  for (let startNonce = 0; ; startNonce++) {
    const { nonce } = await searcher.search({ ...wrong, startNonce, count: 1_000_000 });
    if (nonce === undefined) throw new Error('no nonce');
    startNonce = nonce;
    const asked = await searcher.search({ ...search, startNonce, stride: 1, count: 1 });
    if (asked.nonce === undefined) return parseBlock(minedBlock(template, nonce));
  }
}

const add = (chain: Blockchain, blocks: readonly ParsedBlock[]) =>
  chain.addSpan(blocks.map((block) => ({ block, txs: [] })));
const statusesOf = async (chain: Blockchain, blocks: readonly ParsedBlock[]) =>
  (await add(chain, blocks)).results.map((result) =>
    result.status === 'invalid' ? result.error.code : result.status,
  );

test.each<[string, Profile]>([
  ['version 2 and its commitment', V2],
  ['version 2 without the commitment', { ...V2, powCommitment: false }],
  ['version 1 with the commitment', { powAlgorithm: 'randomx', powCommitment: true }],
])('%s: mined blocks pass on a second chain, and not where the profile differs', async (_, own) => {
  const blocks = await mineTo(await open(own), CHANGE + 4);
  expect(blocks.map(({ block }) => block.majorVersion)).toEqual([
    ...Array<number>(CHANGE - 1).fill(14),
    ...Array<number>(4).fill(16),
  ]);
  const same = await open(own);
  expect(await statusesOf(same, blocks)).toEqual(blocks.map(() => 'added'));
  // One at a time, as they come when they are found, too.
  const slow = await open(own);
  for (const block of blocks) {
    expect(await slow.addBlock({ block, txs: [] })).toMatchObject({ status: 'added' });
  }
  const other = await open(V1);
  const statuses = await statusesOf(other, blocks);
  expect(statuses).toContain('bad-proof-of-work');
  expect(other.height).toBeGreaterThanOrEqual(CHANGE);
  expect(other.height).toBeLessThan(CHANGE + 4);
});

test('the proof of work that is told of a block is the commitment', async () => {
  const chain = await open(V2);
  const [below, , , first] = await mineTo(chain, CHANGE + 1);
  if (below === undefined || first === undefined) throw new Error('no blocks');
  const seedHash = chain.network.genesisId;
  const hash = (kind: 'randomx' | 'randomx-v2', block: ParsedBlock) =>
    pow.hash({ kind, seedHash, blob: block.hashingBlob });
  expect(toHex(await chain.powHash(below, 1))).toBe(toHex(await hash('randomx', below)));
  expect(toHex(await chain.powHash(first, CHANGE))).toBe(
    toHex(randomxCommitment(first.hashingBlob, await hash('randomx-v2', first))),
  );
});

test.each([
  ['the hash of version 1', { kind: 'randomx', commitment: false }],
  ['the commitment to the hash of version 1', { kind: 'randomx', commitment: true }],
  ['the hash of version 2', { kind: 'randomx-v2', commitment: false }],
] as const)('a block with %s is refused from the height of version 2 on', async (_what, wrong) => {
  const chain = await open(V2);
  await mineTo(chain, CHANGE);
  const block = await wrongBlock(chain, wrong);
  expect(await chain.addBlock({ block, txs: [] })).toMatchObject({
    status: 'invalid',
    error: { code: 'bad-proof-of-work' },
  });
  expect(chain.height).toBe(CHANGE);
});

test('a block with version 2 is refused below that height', async () => {
  const chain = await open(V2);
  await mineTo(chain, CHANGE - 1);
  const block = await wrongBlock(chain, { kind: 'randomx-v2', commitment: true });
  expect(await statusesOf(chain, [block])).toEqual(['bad-proof-of-work']);
});

test('an alternative block with the hash of version 1 is refused, and the right one is kept', async () => {
  const chain = await open(V2);
  await mineTo(chain, CHANGE + 2);
  const parent = chain.store.blockMeta(CHANGE - 1)?.id;
  const wrong = await wrongBlock(chain, { kind: 'randomx', commitment: false }, parent);
  expect(await chain.addBlock({ block: wrong, txs: [] })).toMatchObject({
    status: 'invalid',
    error: { code: 'bad-proof-of-work' },
  });
  expect(chain.store.altBlocks()).toHaveLength(0);
  const { template, search } = await searchOn(chain, parent);
  const searcher = new HashingNonceSearcher(pow);
  const { nonce } = await searcher.search({
    ...search,
    startNonce: 0,
    stride: 1,
    count: 1_000_000,
  });
  const right = parseBlock(minedBlock(template, nonce ?? 0));
  expect(await chain.addBlock({ block: right, txs: [] })).toMatchObject({ status: 'alternative' });
});

test('a heavier chain takes over across the height of version 2, and the first one comes back', async () => {
  const chain = await open(V2);
  const first = await mineTo(chain, CHANGE + 2);
  const second = await mineTo(await open(V2), CHANGE + 4, 1);
  const statuses: string[] = [];
  for (const block of second) statuses.push((await chain.addBlock({ block, txs: [] })).status);
  expect(statuses.slice(0, CHANGE + 1)).toEqual(Array(CHANGE + 1).fill('alternative'));
  expect(statuses.slice(CHANGE + 1)).toEqual(['reorganized', 'added']);
  expect(toHex(chain.top.id)).toBe(toHex(second.at(-1)?.id ?? new Uint8Array()));
  // The first chain goes on elsewhere, and becomes the heavier one again.
  const elsewhere = await open(V2);
  await add(elsewhere, first);
  const more = await mineTo(elsewhere, CHANGE + 5);
  const back: string[] = [];
  for (const block of more) back.push((await chain.addBlock({ block, txs: [] })).status);
  expect(back).toEqual(['alternative', 'alternative', 'reorganized']);
  expect(toHex(chain.top.id)).toBe(toHex(more.at(-1)?.id ?? new Uint8Array()));
  await chain.popBlocks(4);
  expect(chain.height).toBe(CHANGE + 1);
  await chain.popBlocks(3);
  await mineTo(chain, CHANGE + 1);
});
