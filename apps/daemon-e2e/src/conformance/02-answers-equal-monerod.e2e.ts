import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { blockId, keccak, parseLooseBlock, transactionId } from '../chain/block.ts';
import { hex } from '../chain/bytes.ts';
import { recordedBlocks } from '../chain/fixture.ts';
import { parseLoose, prunableBytes } from '../chain/transaction.ts';
import { Comparison } from '../harness/comparison.ts';
import { isObject, numberOf, type JsonObject } from '../harness/json.ts';
import { startMonerod, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import {
  monerodDataWithChain,
  ourDataWithChain,
  SYNC_TIMEOUT,
} from '../harness/prepared-chains.ts';
import { arrayOf, bytesOf, isSection, u64, type Section } from '../harness/portable-storage.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';

const blocks = recordedBlocks();
const top = blocks.length - 1;
const ids = blocks.map(({ block }) => blockId(parseLooseBlock(block)));
const txIds = blocks.flatMap(({ block }) => {
  const parsed = parseLooseBlock(block);
  return [transactionId(parsed.minerTx), ...parsed.txHashes];
});
const userTxs = blocks.flatMap(({ txs }) => txs.map(parseLoose));
const keyImages = userTxs.flatMap((tx) =>
  tx.inputs.flatMap((input) => (input.kind === 'key' ? [hex(input.keyImage)] : [])),
);
/** All outputs except that of genesis, which is in the list of its amount. */
const outputCount = blocks.slice(1).reduce((sum, { block, txs }) => {
  const all = [parseLooseBlock(block).minerTx, ...txs.map(parseLoose)];
  return sum + all.reduce((count, tx) => count + tx.outputs.length, 0);
}, 0);
const GENESIS_AMOUNT = 17_592_186_044_415;
/** Formats of distributions. */
const ENCODINGS: readonly JsonObject[] = [
  { binary: false },
  { binary: true },
  { binary: true, compress: true },
];
const UNKNOWN = '00'.repeat(32);

/** Splits a list into lists of at most `size` items. */
function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Returns the ids for get_blocks.bin: the newest ten, then in doubling steps, and genesis last. */
function shortHistory(height: number): Buffer {
  const picked: Buffer[] = [];
  for (let at = height, step = 1; at > 0; at -= step) {
    picked.push(ids[at] ?? Buffer.alloc(32));
    if (picked.length >= 10) step *= 2;
  }
  return Buffer.concat([...picked, ids[0] ?? Buffer.alloc(32)]);
}

describeWithMonero('our daemon returns the same answers as monerod', () => {
  let monerod: RunningNode;
  let ours: RunningNode;
  let compare: Comparison;

  beforeAll(async () => {
    monerod = await startMonerod({ dataDir: await monerodDataWithChain(), offline: true });
    const { folder } = await ourDataWithChain();
    ours = await startOurDaemon({ dataDir: folder, offline: true });
    compare = new Comparison(ours.rpc, monerod.rpc);
  }, SYNC_TIMEOUT + 200_000);

  afterAll(async () => {
    await ours.stop();
    await monerod.stop();
  });

  describe('blocks', () => {
    test('get_block at every height', async () => {
      for (const height of range(blocks.length)) await compare.call('get_block', { height });
    }, 120_000);

    test('get_block by id, with the proof-of-work hash', async () => {
      for (const id of ids.filter((_, height) => height % 50 === 1)) {
        await compare.call('get_block', { hash: hex(id), fill_pow_hash: true });
      }
    });

    test('headers of the whole chain at once', async () => {
      await compare.call('get_block_headers_range', { start_height: 0, end_height: top });
    });

    test('headers one by one', async () => {
      await compare.call('get_last_block_header', { fill_pow_hash: true });
      await compare.call('get_block_header_by_height', { height: 1, fill_pow_hash: true });
      await compare.call('get_block_header_by_hash', { hash: hex(ids[7] ?? Buffer.alloc(32)) });
      await compare.call('get_block_header_by_hash', { hashes: ids.slice(3, 60).map(hex) });
    });

    test('ids and counts', async () => {
      await compare.call('get_block_count');
      await compare.path('/get_height');
      for (const height of range(blocks.length).filter((each) => each % 100 === 0)) {
        await compare.call('on_get_block_hash', [height]);
      }
    });

    test('coinbase sums', async () => {
      await compare.call('get_coinbase_tx_sum', { height: 0, count: blocks.length });
      await compare.call('get_coinbase_tx_sum', { height: 200, count: 37 });
    });

    test('calc_pow', async () => {
      for (const height of [1, 700, top]) {
        await compare.call('calc_pow', {
          major_version: 16,
          height,
          block_blob: hex(blocks[height]?.block ?? Buffer.alloc(0)),
          seed_hash: hex(ids[0] ?? Buffer.alloc(0)),
        });
      }
    });
  });

  describe('transactions', () => {
    for (const form of [
      {},
      { prune: true },
      { split: true },
    ] satisfies JsonObject[] as JsonObject[]) {
      test(`every transaction, ${JSON.stringify(form)}`, async () => {
        for (const some of chunks(txIds, 60)) {
          await compare.path('/get_transactions', {
            txs_hashes: some.map(hex),
            decode_as_json: true,
            ...form,
          });
        }
      }, 180_000);
    }

    test('unknown transactions among known ones', async () => {
      await compare.path('/get_transactions', {
        txs_hashes: [UNKNOWN, hex(txIds[5] ?? Buffer.alloc(0)), 'ab'.repeat(32)],
      });
    });

    test('indices of the outputs of every transaction', async () => {
      for (const txid of txIds) await compare.binary('/get_o_indexes.bin', { txid });
    }, 120_000);

    test('every key image is spent, an unknown one is not', async () => {
      for (const some of chunks([...keyImages, UNKNOWN], 500)) {
        await compare.path('/is_key_image_spent', { key_images: some });
      }
      const answer = await ours.rpc.path('/is_key_image_spent', { key_images: keyImages });
      expect(answer['spent_status']).toEqual(keyImages.map(() => 1));
    });
  });

  describe('outputs', () => {
    test('every output, as JSON', async () => {
      for (const some of chunks(range(outputCount), 1000)) {
        await compare.path('/get_outs', {
          outputs: some.map((index) => ({ amount: 0, index })),
          get_txid: true,
        });
      }
      await compare.path('/get_outs', { outputs: [{ amount: GENESIS_AMOUNT, index: 0 }] });
    }, 60_000);

    test('an output that does not exist', async () => {
      await compare.path('/get_outs', { outputs: [{ amount: 0, index: outputCount }] });
    });

    test('every output, binary', async () => {
      for (const some of chunks(range(outputCount), 1000)) {
        for (const get_txid of [true, false]) {
          await compare.binary('/get_outs.bin', {
            outputs: some.map((index) => ({ amount: u64(0), index: u64(index) })),
            get_txid,
          });
        }
      }
    }, 60_000);

    test('histogram', async () => {
      const variants: JsonObject[] = [
        {},
        { amounts: [0] },
        { amounts: [0], unlocked: true },
        { unlocked: true, min_count: 2 },
        { amounts: [0, GENESIS_AMOUNT, 77], unlocked: true, recent_cutoff: 1 },
        { max_count: 5 },
      ];
      for (const variant of variants) await compare.call('get_output_histogram', variant);
    });

    test('distribution', async () => {
      for (const cumulative of [true, false]) {
        for (const [from_height, to_height] of [
          [0, 0],
          [0, top],
          [100, 300],
          [top, top],
        ]) {
          const asked = {
            amounts: [0],
            cumulative,
            from_height: from_height ?? 0,
            to_height: to_height ?? 0,
          };
          for (const form of ENCODINGS) {
            await compare.call('get_output_distribution', { ...asked, ...form });
          }
          for (const compress of [true, false]) {
            await compare.binary('/get_output_distribution.bin', {
              amounts: [u64(0)],
              from_height: u64(asked.from_height),
              to_height: u64(asked.to_height),
              cumulative,
              compress,
              binary: true,
            });
          }
        }
      }
      await compare.call('get_output_distribution', {
        amounts: [GENESIS_AMOUNT, 5],
        binary: false,
        cumulative: true,
      });
    });
  });

  describe('blocks for wallets', () => {
    const starts: Section[] = [
      { block_ids: shortHistory(top - 100), start_height: u64(0), prune: false },
      { block_ids: shortHistory(top - 100), start_height: u64(0), prune: true },
      { block_ids: shortHistory(top - 100), start_height: u64(0), prune: false, no_miner_tx: true },
      { block_ids: shortHistory(3), start_height: u64(0), prune: true, no_miner_tx: true },
      { block_ids: shortHistory(0), start_height: u64(0), prune: false },
      { block_ids: shortHistory(top), start_height: u64(0), prune: false },
      { block_ids: Buffer.alloc(0), start_height: u64(top - 20), prune: false },
      { block_ids: Buffer.alloc(0), start_height: u64(1), prune: true },
    ];
    for (const [index, asked] of starts.entries()) {
      test(`get_blocks.bin, variant ${index}`, async () => {
        await compare.binary('/get_blocks.bin', asked);
      });
    }

    test('pruned transactions come with the hash of their prunable part', async () => {
      const answer = await ours.rpc.binary('/get_blocks.bin', {
        block_ids: shortHistory(0),
        start_height: u64(0),
        prune: true,
      });
      const served = arrayOf(answer, 'blocks').flatMap((block) =>
        isSection(block) ? arrayOf(block, 'txs') : [],
      );
      const hashes = served.map((tx) => (isSection(tx) ? hex(bytesOf(tx, 'prunable_hash')) : ''));
      const wanted = userTxs.map((tx) =>
        tx.ringct === undefined ? '' : hex(keccak(prunableBytes(tx.ringct))),
      );
      expect(hashes.length).toBeGreaterThan(100);
      expect(hashes).toEqual(wanted.slice(0, hashes.length));
    });

    test('get_blocks_by_height.bin, every height', async () => {
      for (const some of chunks(range(blocks.length), 200)) {
        await compare.binary('/get_blocks_by_height.bin', { heights: some.map((h) => u64(h)) });
      }
    }, 60_000);

    test('get_hashes.bin', async () => {
      for (const height of [0, 1, 600, top - 1, top]) {
        await compare.binary('/get_hashes.bin', {
          block_ids: shortHistory(height),
          start_height: u64(0),
        });
      }
    });
  });

  describe('the chain as a whole', () => {
    test('get_info', async () => {
      await compare.path('/get_info');
      await compare.call('get_info');
    });

    test('hard forks', async () => {
      for (const version of [0, 1, 2, 15, 16, 17]) {
        await compare.call('hard_fork_info', { version });
      }
    });

    test('version: the same major', async () => {
      await compare.call('get_version');
      const [mine, theirs] = await Promise.all(
        [ours, monerod].map((node) => node.rpc.call('get_version')),
      );
      expect(numberOf(mine ?? {}, 'version') >> 16).toBe(numberOf(theirs ?? {}, 'version') >> 16);
    });

    test('fees', async () => {
      for (const grace_blocks of [0, 1, 10, 100]) {
        await compare.call('get_fee_estimate', { grace_blocks });
      }
    });

    test('miner data', async () => {
      await compare.call('get_miner_data');
    });

    test('an empty pool', async () => {
      for (const path of ['', '_hashes', '_stats']) {
        await compare.path(`/get_transaction_pool${path}`);
      }
      await compare.path('/get_transaction_pool_hashes.bin');
      await compare.call('get_txpool_backlog');
    });

    test('no alternative chains', async () => {
      await compare.call('get_alternate_chains');
      await compare.path('/get_alt_blocks_hashes');
    });
  });

  describe('refusals', () => {
    const wrong: [method: string, params: JsonObject][] = [
      ['get_block', { height: top + 1 }],
      ['get_block', { hash: UNKNOWN }],
      ['get_block', { hash: 'xyz' }],
      ['get_block_header_by_height', { height: 2 ** 40 }],
      ['get_block_header_by_hash', { hash: UNKNOWN }],
      ['get_block_header_by_hash', { hash: 'xyz' }],
      ['get_block_headers_range', { start_height: 10, end_height: 9 }],
      ['get_block_headers_range', { start_height: 10, end_height: top + 1 }],
      ['get_output_distribution', { amounts: [0], from_height: 20, to_height: 10 }],
      ['get_output_distribution', { amounts: [0], from_height: top + 5, to_height: top + 9 }],
      ['no_such_method', {}],
      ['get_coinbase_tx_sum', { height: top + 1, count: 1 }],
    ];
    for (const [method, params] of wrong) {
      test(`${method} ${JSON.stringify(params)}`, async () => {
        await compare.call(method, params);
      });
    }

    test('paths with malformed ids and key images', async () => {
      await compare.path('/get_transactions', { txs_hashes: ['zz'] });
      await compare.path('/get_transactions', { txs_hashes: ['00'] });
      await compare.path('/is_key_image_spent', { key_images: ['xy'] });
      expect(isObject(await ours.rpc.path('/get_info'))).toBe(true);
    });
  });
});
