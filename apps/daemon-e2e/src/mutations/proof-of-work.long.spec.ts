import { silentLogger } from '@monero-node/base';
import { openBlockchain, type Blockchain, parseBundle } from '@monero-node/blockchain';
import { meetsDifficulty, NETWORKS, withOverrides } from '@monero-node/consensus';
import { createInlineVerificationPool, createBackend } from '@monero-node/crypto';
import { createPowHasher, PowUnavailableError, type PowHasher } from '@monero-node/pow';
import { createMemoryStore } from '@monero-node/storage';
import {
  blockId,
  encodeLooseBlock,
  hashingBlob,
  parseLooseBlock,
  type LooseBlock,
} from '../chain/block.ts';
import { recordedBlocks } from '../chain/fixture.ts';

/** One hash in eight is sufficient, so valid and invalid nonces are both found quickly. */
const DIFFICULTY = 8n;

/** Returns a hasher; undefined where there is no engine for RandomX. */
function realPowHasher(): PowHasher | undefined {
  try {
    return createPowHasher();
  } catch (error) {
    if (error instanceof PowUnavailableError) return undefined;
    throw error;
  }
}

const hasher = realPowHasher();
const describeWithPow = hasher === undefined ? describe.skip : describe;

describeWithPow('proof of work on a chain of difficulty 8 (needs RandomX)', () => {
  let pow: PowHasher;
  let chain: Blockchain;
  let block: LooseBlock;
  let genesisId: Buffer;

  beforeAll(async () => {
    if (hasher === undefined) throw new Error('no RandomX');
    pow = hasher;
    const backend = createBackend();
    chain = await openBlockchain(
      { network: withOverrides(NETWORKS.regtest, { fixedDifficulty: DIFFICULTY }) },
      {
        store: createMemoryStore(),
        pow,
        backend,
        verifier: createInlineVerificationPool(backend),
        logger: silentLogger,
      },
    );
    const [genesis, first] = recordedBlocks();
    if (genesis === undefined || first === undefined) throw new Error('an empty chain');
    genesisId = blockId(parseLooseBlock(genesis.block));
    block = parseLooseBlock(first.block);
  });

  afterAll(async () => {
    await chain.stop();
    await pow.close();
  });

  /** Returns the first nonce, starting at `from`, whose hash is (or is not) sufficient. */
  async function nonceThat(meets: boolean, from = 0): Promise<number> {
    for (let nonce = from; ; nonce++) {
      const blob = hashingBlob({ ...block, nonce });
      const hash = await pow.hash({ kind: 'randomx', seedHash: genesisId, blob });
      if (meetsDifficulty(hash, DIFFICULTY) === meets) return nonce;
    }
  }

  test('rejects an insufficient nonce and accepts a sufficient one', async () => {
    const bad = encodeLooseBlock({ ...block, nonce: await nonceThat(false) });
    const refused = await chain.addBlock(parseBundle({ block: bad, txs: [] }));
    expect(refused.status === 'invalid' ? refused.error.code : refused.status).toBe(
      'bad-proof-of-work',
    );
    expect(chain.height).toBe(1);

    const good = encodeLooseBlock({ ...block, nonce: await nonceThat(true) });
    expect((await chain.addBlock(parseBundle({ block: good, txs: [] }))).status).toBe('added');
    expect(chain.height).toBe(2);
  });

  test('requires hash times difficulty to be below 2^256', () => {
    const hash = (value: bigint): Uint8Array =>
      Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
    const edge = (2n ** 256n - 1n) / DIFFICULTY;
    expect(meetsDifficulty(hash(edge), DIFFICULTY)).toBe(true);
    expect(meetsDifficulty(hash(edge + 1n), DIFFICULTY)).toBe(false);
  });
});
