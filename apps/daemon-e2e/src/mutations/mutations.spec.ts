import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@monero-node/base';
import {
  openBlockchain,
  type Blockchain,
  parseBundle,
  parseRun,
  type AddBlockResult,
  type IncomingBlock,
} from '@monero-node/blockchain';
import { FixedPow } from '@monero-node/blockchain/testing';
import { formatsOf, NETWORKS, withOverrides } from '@monero-node/consensus';
import { createInlineVerificationPool, createBackend } from '@monero-node/crypto';
import { openLmdbStore, type ChainStore } from '@monero-node/storage';
import { CASE_GROUPS } from './all-cases.ts';
import { ChainBuilder, type Bundle } from './chain-builder.ts';
import { checkPoints } from './points.ts';
import { storeDigest } from './store-digest.ts';

const NETWORK = withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n });

/**
 * Sends changed blocks to our chain: each must be rejected with the right code and leave the store unchanged, and
 * the valid block must still be accepted afterwards. conformance/06-reject-mutated-blocks.e2e.ts asks the
 * real monerod about the same blocks.
 */
describe('verdicts of our chain on changed blocks', () => {
  let builder: ChainBuilder;
  let folder: string;
  let store: ChainStore;
  let chain: Blockchain;
  /** Of the store with the blocks that every case builds on. */
  let digest: string;

  beforeAll(async () => {
    checkPoints();
    builder = new ChainBuilder();
    folder = mkdtempSync(join(tmpdir(), 'monero-node-mutations-'));
    store = await openLmdbStore({ path: folder, syncMode: 'fastest' });
    const backend = createBackend();
    chain = await openBlockchain(
      { network: NETWORK },
      {
        store,
        // At difficulty 1 every hash is sufficient; proof-of-work.spec.ts has the cases of the others.
        pow: new FixedPow(),
        backend,
        verifier: createInlineVerificationPool(backend),
        logger: silentLogger,
      },
    );
    for (let from = 1; from < builder.height; from += 50) {
      const span = builder.blocks.slice(from, from + 50).map(parse);
      const { results } = await chain.addSpan(span);
      for (const result of results) expect(result.status).toBe('added');
    }
    expect(chain.height).toBe(builder.height);
    expect(Buffer.from(chain.topId)).toEqual(builder.topId);
    digest = await storeDigest(folder);
  }, 120_000);

  afterAll(async () => {
    await chain.stop();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Parses as the node does. */
  const parse = ({ block, txs }: Bundle): IncomingBlock =>
    parseBundle({ block, txs, formats: formatsOf(NETWORK) });

  /** A block that does not decode never reaches the chain. */
  async function give(bundle: Bundle): Promise<AddBlockResult> {
    const { blocks, error } = await parseRun([bundle], parse);
    if (error !== undefined) return { status: 'invalid', error };
    const [block] = blocks as [IncomingBlock];
    return chain.addBlock(block);
  }

  for (const [group, cases] of CASE_GROUPS) {
    describe(group, () => {
      for (const each of cases) {
        test(
          each.name,
          async () => {
            const result = await give(each.make(builder));
            const code = result.status === 'invalid' ? result.error.code : result.status;
            if (each.verdict === 'accepted') {
              // The detail shows the reason when this fails.
              expect(result.status === 'invalid' ? String(result.error) : code).toBe('added');
              expect(chain.height).toBe(builder.height + 1);
              expect(await storeDigest(folder)).not.toBe(digest);
              await chain.popBlocks(1);
            } else if (typeof each.verdict === 'string') {
              expect(code).toBe(each.verdict);
            } else {
              expect(each.verdict).toContain(code);
            }
            expect(chain.height).toBe(builder.height);
            expect(await storeDigest(folder)).toBe(digest);
          },
          30_000,
        );
      }
    });
  }

  test('includes a case for every class of rules', () => {
    const count = CASE_GROUPS.reduce((sum, [, cases]) => sum + cases.length, 0);
    expect(count).toBeGreaterThan(100);
  });

  test('accepts the unchanged block', async () => {
    expect((await give(builder.blockWith(builder.signed()))).status).toBe('added');
  });
});
