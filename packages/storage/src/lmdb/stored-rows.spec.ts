import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbStore } from './open.ts';
import { RandomChain, type ChainShape } from '../testing/random-chain.ts';
import { rawDump } from '../testing/raw-dump.ts';
import { changeOf } from '../testing/loose-block.ts';

/** Digests of all rows that these chains leave, recorded before blocks were handed over in flat arrays. */
const CHAINS: [name: string, shape: ChainShape, sha256: string][] = [
  [
    'of both versions',
    { txs: 5, v1Share: 0.5, prunableSize: 300 },
    '5af516d446849dda9d9bdf0f8352c6d2cc8e2a9bd8d88cc9a13cf8cb237c1aed',
  ],
  [
    'of RingCT outputs alone',
    { txs: 30, v1Share: 0, prunableSize: 2000 },
    '9d5f072b3cb850915642bcb833ef75529cd5d393186912caee4260f36c82829c',
  ],
  [
    'of clear amounts alone',
    { txs: 7, v1Share: 1, prunableSize: 0 },
    'e563d37c4b0f8126e9c9615c69c73a522baeedc0f37c7ec9eb5cced9698e6c9a',
  ],
  [
    'of miner transactions alone',
    { txs: 0, v1Share: 0.5, prunableSize: 10 },
    'd0503054cd0c248086dde1718221cbd2a071071223f1e424a1a90c1d15609716',
  ],
];

test.each(CHAINS)('a chain %s becomes the same rows as ever', async (_, shape, sha256) => {
  const path = mkdtempSync(join(tmpdir(), 'storage-rows-'));
  try {
    const store = await openLmdbStore({ path, syncMode: 'fastest', waitingHashes: 100 });
    const chain = new RandomChain('stored rows', shape);
    await store.commit(changeOf({ append: chain.blocks(0, 50) }));
    await store.commit(changeOf({ popTo: 43, append: chain.blocks(43, 60), prune: [3, 20] }));
    const last = chain.block(103);
    const stranger = chain.random.bytes(32);
    const keyImages = [stranger, ...[...last.keyImages].reverse()];
    const dropped = last.txs.map((tx) =>
      tx.prunable.length > 0 ? { ...tx, prunable: new Uint8Array(), dropped: true as const } : tx,
    );
    await store.commit(changeOf({ append: [{ ...last, keyImages, txs: dropped }] }));
    await store.close();
    expect(createHash('sha256').update(rawDump(path).join('\n')).digest('hex')).toBe(sha256);
  } finally {
    rmSync(path, { recursive: true });
  }
});
