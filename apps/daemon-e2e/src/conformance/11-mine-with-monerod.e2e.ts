import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { blockHashingBlob, encodeBlock, fromHex, parseBlock, toHex } from '@monero-node/codec';
import { meetsDifficulty } from '@monero-node/consensus';
import {
  createPowHasher,
  HashingNonceSearcher,
  nonceOffset,
  type PowHasher,
} from '@monero-node/pow';
import { chainFacts } from '../chain/fixture.ts';
import { Comparison } from '../harness/comparison.ts';
import { listOf, numberOf, stringOf, type Json, type JsonObject } from '../harness/json.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { blockTemplate, waitUntilTemplates } from '../harness/block-template.ts';
import { waitUntil } from '../harness/wait.ts';

/** Milliseconds after which a test counts as hanging. */
const WAIT = 240_000;
/** A few hashes per block, so that a nonce has to be searched. */
const DIFFICULTY = 6;
const [first] = chainFacts().wallets;
if (first === undefined) throw new Error('the recorded chain has no wallet');
const { address } = first;
/** Addresses with the first wallet's keys, but of another kind or another network. */
const SUBADDRESS =
  '8BE16K3xrv8SX6u421dxBFQirR7grw8pTe74wU9YNepDc42XrirPv7W67TSqhXsreMfP2c43aNPWdLjQacX9emqzFkRuAoP';
const STAGENET =
  '52ZgU8wJA5S7BaePAH7WJrNXq9tDayjJb1pgVRsc9krRXcmK1hATZk1fsSM7VDQuhC7xqMUAGbnF5DGdU4LND4JN1xnEzpe';

const templateOf = (node: RunningNode, more: { [name: string]: Json } = {}): Promise<JsonObject> =>
  blockTemplate(node, address, more);

describeWithMonero('mining', () => {
  let monerod: RunningNode;
  let ours: RunningNode;
  let compare: Comparison;
  let hasher: PowHasher;

  beforeAll(async () => {
    const common = { fixedDifficulty: DIFFICULTY };
    monerod = await startMonerod(common);
    ours = await startOurDaemon({ ...common, peers: [monerod.p2p] });
    compare = new Comparison(ours.rpc, monerod.rpc);
    hasher = createPowHasher({ threads: 1 });
    await waitUntilTemplates(ours, address);
    await waitUntilTemplates(monerod, address);
  }, WAIT);

  afterAll(async () => {
    await hasher.close();
    await ours.stop();
    await monerod.stop();
  });

  const sameTip = async (): Promise<void> => {
    await waitForSameTip(monerod, await ours.tip(), WAIT);
  };

  describe('an external miner', () => {
    test(
      'fetches templates and submits blocks, which monerod accepts from us',
      async () => {
        for (const size of [0, 60, 200]) {
          const template = await templateOf(ours, { reserve_size: size });
          const before = await ours.tip();
          expect(template).toMatchObject({
            height: before.height,
            prev_hash: before.id,
            difficulty: DIFFICULTY,
            wide_difficulty: `0x${DIFFICULTY.toString(16)}`,
          });
          const blob = fromHex(stringOf(template, 'blocktemplate_blob'));
          expect(toHex(blockHashingBlob(parseBlock(blob).block))).toBe(
            stringOf(template, 'blockhashing_blob'),
          );
          const offset = numberOf(template, 'reserved_offset');
          blob.fill(0xab, offset, offset + size);
          const { block } = parseBlock(blob);
          expect(toHex(block.minerTx.extra).endsWith('ab'.repeat(size))).toBe(true);
          const hashingBlob = blockHashingBlob(block);
          const seedHash = fromHex(stringOf(template, 'seed_hash'));
          const { nonce } = await new HashingNonceSearcher(hasher).search({
            request: { kind: 'randomx', seedHash, blob: hashingBlob },
            nonceOffset: nonceOffset(hashingBlob),
            startNonce: 7,
            stride: 1,
            count: 10_000,
            difficulty: BigInt(DIFFICULTY),
          });
          const mined = encodeBlock({ ...block, nonce: nonce ?? 0 });
          const answer = await ours.rpc.call('submit_block', [toHex(mined)]);
          expect(answer).toMatchObject({ status: 'OK', block_id: toHex(parseBlock(mined).id) });
          expect((await ours.tip()).height).toBe(before.height + 1);
          await sameTip();
        }
      },
      WAIT,
    );

    test(
      'is refused by both daemons if its proof of work is too low',
      async () => {
        const template = await templateOf(ours);
        const { block } = parseBlock(fromHex(stringOf(template, 'blocktemplate_blob')));
        const seedHash = fromHex(stringOf(template, 'seed_hash'));
        for (let nonce = 0; ; nonce++) {
          const blob = blockHashingBlob({ ...block, nonce });
          const hash = await hasher.hash({ kind: 'randomx', seedHash, blob });
          if (meetsDifficulty(hash, BigInt(DIFFICULTY))) continue;
          await compare.call('submit_block', [toHex(encodeBlock({ ...block, nonce }))]);
          return;
        }
      },
      WAIT,
    );
  });

  test(
    'generateblocks behaves as in monerod',
    async () => {
      const call = { amount_of_blocks: 2, wallet_address: address, starting_nonce: 1000 };
      const answers: JsonObject[] = [];
      for (const node of [monerod, ours]) {
        const { height } = await node.tip();
        const answer = await node.rpc.call('generateblocks', call);
        expect(answer).toMatchObject({ status: 'OK', height: height + 1 });
        const ids = listOf(answer, 'blocks');
        const top = await node.rpc.call('get_block_header_by_height', { height: height + 1 });
        expect(top['block_header']).toMatchObject({ hash: ids[1] });
        expect(numberOf(top['block_header'] as JsonObject, 'nonce')).toBeGreaterThanOrEqual(1000);
        answers.push(answer);
        await waitForSameTip(node === ours ? monerod : ours, await node.tip(), WAIT);
      }
      expect(Object.keys(answers[1] ?? {})).toEqual(Object.keys(answers[0] ?? {}));
      await compare.call('generateblocks', { amount_of_blocks: 0, wallet_address: address });
    },
    WAIT,
  );

  test(
    'a branch made with prev_block becomes the chain of both',
    async () => {
      const { height } = await ours.tip();
      const header = await ours.rpc.call('get_block_header_by_height', { height: height - 3 });
      const prev = stringOf(header['block_header'] as JsonObject, 'hash');
      await mine(ours, 3, address, prev);
      expect((await ours.tip()).height).toBe(height + 1);
      await sameTip();
    },
    WAIT,
  );

  describe('the built-in miner', () => {
    const status = (): Promise<JsonObject> => ours.rpc.path('/mining_status');

    test('reports that it is idle', async () => {
      await compare.path('/mining_status');
      await compare.path('/stop_mining');
      await compare.path('/set_log_hash_rate', { visible: true });
    });

    test('refuses invalid requests to start', async () => {
      const call = { miner_address: address, threads_count: 1 };
      for (const wrong of ['', 'x', STAGENET, SUBADDRESS, address.slice(0, -1)]) {
        await compare.path('/start_mining', { ...call, miner_address: wrong });
      }
      for (const threads_count of [4 * availableParallelism() + 1, 100_000, 2 ** 53 - 1]) {
        await compare.path('/start_mining', { ...call, threads_count });
      }
      expect(await status()).toMatchObject({ active: false });
    });

    test(
      'runs as many threads as in monerod, or finds the best number',
      async () => {
        const most = 4 * availableParallelism();
        for (const [threads_count = 0, atFirst] of [
          [0, 1],
          [most, most],
        ]) {
          const call = { miner_address: address, threads_count };
          expect(await ours.rpc.path('/start_mining', call)).toMatchObject({ status: 'OK' });
          expect(await status()).toMatchObject({ active: true, threads_count: atFirst });
          expect(await ours.rpc.path('/stop_mining')).toMatchObject({ status: 'OK' });
          await sameTip();
        }
      },
      WAIT,
    );

    test(
      'mines blocks that monerod accepts, reports its state, and stops',
      async () => {
        const { height } = await ours.tip();
        const call = { miner_address: address, threads_count: 2 };
        expect(await ours.rpc.path('/start_mining', call)).toMatchObject({ status: 'OK' });
        expect(await ours.rpc.path('/start_mining', call)).toMatchObject({
          status: 'Already mining',
        });
        await waitUntil('two blocks', async () => (await ours.tip()).height >= height + 2, {
          timeout: WAIT,
        });
        expect(await status()).toMatchObject({ active: true, threads_count: 2, address });
        expect(await ours.rpc.path('/set_log_hash_rate', { visible: true })).toMatchObject({
          status: 'OK',
        });
        expect(await ours.rpc.path('/stop_mining')).toMatchObject({ status: 'OK' });
        expect(await status()).toMatchObject({ active: false, speed: 0, threads_count: 0 });
        const tip = await ours.tip();
        await sameTip();
        expect(await ours.tip()).toEqual(tip);
      },
      WAIT,
    );
  });

  describe('both daemons refuse the same calls', () => {
    test('get_block_template', async () => {
      const calls: JsonObject[] = [
        {},
        { wallet_address: '' },
        { wallet_address: 'x' },
        { wallet_address: SUBADDRESS },
        { wallet_address: STAGENET },
        { wallet_address: address, reserve_size: 256 },
        { wallet_address: address, reserve_size: 1, extra_nonce: '00' },
        { wallet_address: address, extra_nonce: '00'.repeat(256) },
        { wallet_address: address, extra_nonce: 'zz' },
        { wallet_address: address, prev_block: 'zz' },
        { wallet_address: address, prev_block: '00'.repeat(31) },
        { wallet_address: address, prev_block: '77'.repeat(32) },
      ];
      for (const call of calls) await compare.call('get_block_template', call);
    });

    test('submit_block', async () => {
      for (const call of [[], ['', ''], [''], ['zz'], ['00'], {}]) {
        await compare.call('submit_block', call);
      }
    });

    test('generateblocks', async () => {
      const calls: JsonObject[] = [
        { amount_of_blocks: 1, wallet_address: 'x' },
        { amount_of_blocks: 1, wallet_address: SUBADDRESS },
        { amount_of_blocks: 1, wallet_address: address, prev_block: 'x' },
        { amount_of_blocks: 1, wallet_address: address, prev_block: '77'.repeat(32) },
      ];
      for (const call of calls) await compare.call('generateblocks', call);
    });
  });

  test('add_aux_pow returns the same for the same template', async () => {
    const hash = (byte: number): string => byte.toString(16).padStart(2, '0').repeat(32);
    const blob = stringOf(await templateOf(monerod), 'blocktemplate_blob');
    const withReserve = stringOf(await templateOf(ours, { reserve_size: 8 }), 'blocktemplate_blob');
    const chains = (count: number): Json[] =>
      Array.from({ length: count }, (_, i) => ({ id: hash(i + 1), hash: hash(100 + i) }));
    for (const count of [1, 2, 3, 5, 8]) {
      // 0.18.0 leaves the blocks in the order given; later versions put each into its slot, as we do.
      const given = { blocktemplate_blob: blob, aux_pow: chains(count) };
      const aux_pow = listOf(await ours.rpc.call('add_aux_pow', given), 'aux_pow');
      const idsOf = (list: readonly Json[]) =>
        list.map((each) => (each as JsonObject)['id']).sort();
      expect(idsOf(aux_pow)).toEqual(idsOf(chains(count)));
      for (const blocktemplate_blob of [blob, withReserve]) {
        const call = { blocktemplate_blob, aux_pow };
        const [mine, theirs] = [
          await ours.rpc.call('add_aux_pow', call),
          await monerod.rpc.call('add_aux_pow', call),
        ];
        for (const field of ['aux_pow', 'merkle_root', 'merkle_tree_depth', 'status']) {
          expect({ field, value: mine[field] }).toEqual({ field, value: theirs[field] });
        }
        // 0.18.0 writes a depth of 0 into the block whatever it answers, which is right for one chain.
        if (count === 1) await compare.call('add_aux_pow', call);
      }
    }
    // Again on a template that already commits to other chains.
    const done = await ours.rpc.call('add_aux_pow', {
      blocktemplate_blob: blob,
      aux_pow: chains(4),
    });
    const tagged = stringOf(done, 'blocktemplate_blob');
    await compare.call('add_aux_pow', { blocktemplate_blob: tagged, aux_pow: chains(1) });

    for (const aux_pow of [
      [],
      [{ id: 'x', hash: hash(1) }],
      [{ id: hash(1), hash: '' }],
      [...chains(1), ...chains(1)],
    ]) {
      await compare.call('add_aux_pow', { blocktemplate_blob: blob, aux_pow });
    }
    for (const bad of ['', 'zz', '00', blob.slice(2)]) {
      await compare.call('add_aux_pow', { blocktemplate_blob: bad, aux_pow: chains(1) });
    }
  });
});
