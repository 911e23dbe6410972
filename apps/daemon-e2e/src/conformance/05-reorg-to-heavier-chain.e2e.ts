import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Comparison } from '../harness/comparison.ts';
import { chainFacts } from '../chain/fixture.ts';
import { numberOf, objectsOf, stringOf, stringsOf } from '../harness/json.ts';
import {
  mine,
  startMonerod,
  waitForSameTip,
  type RunningNode,
  type Tip,
} from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { restoreWallet } from '../harness/wallet.ts';

/** Number of blocks that both branches share. */
const COMMON = 230;
const PICONERO = 1_000_000_000_000;
const WAIT = 120_000;

/** A branch of the chain, kept in the data folder of a monerod that is stopped most of the time. */
interface Branch {
  dataDir: string;
  tip: Tip;
  /** Ids of the transactions that were mined on this branch only. */
  txs: string[];
  keyImages: string[];
}

describeWithMonero('our daemon follows the heavier of two branches', () => {
  const wallets = chainFacts().wallets;
  let a: Branch;
  let b: Branch;
  let ours: RunningNode;
  const running = new Set<RunningNode>();

  const started = async (node: Promise<RunningNode>): Promise<RunningNode> => {
    running.add(await node);
    return node;
  };
  const stopped = async (node: RunningNode): Promise<void> => {
    running.delete(node);
    await node.stop();
  };

  /** Mines blocks without announcing them. The first contains `payments` transactions of `spender`. */
  async function extend(
    branch: Pick<Branch, 'dataDir'>,
    blocks: number,
    payments: number,
    spender = 0,
  ): Promise<Branch> {
    const node = await started(
      startMonerod({ name: 'private-miner', dataDir: branch.dataDir, offline: true }),
    );
    const [payer, payee] = [wallets[spender], wallets[1 - spender]];
    if (payer === undefined || payee === undefined) throw new Error('two wallets are needed');
    const wallet = await restoreWallet(`branch-${payer.name}`, node.rpc.port, payer.seed);
    await wallet.call('refresh', { start_height: 0 });
    const txs: string[] = [];
    const keyImages: string[] = [];
    for (let i = 0; i < payments; i++) {
      const sent = await wallet.call('transfer', {
        destinations: [{ address: payee.address, amount: (i + 1) * PICONERO }],
        get_tx_hex: false,
        get_tx_metadata: false,
      });
      txs.push(stringOf(sent, 'tx_hash'));
    }
    await wallet.stop();
    await mine(node, blocks, payee.address);
    for (const txid of txs) {
      const answer = await node.rpc.path('/get_transactions', {
        txs_hashes: [txid],
        decode_as_json: true,
      });
      const json = stringsOf(answer, 'txs_as_json')[0] ?? '';
      keyImages.push(
        ...[...json.matchAll(/"k_image": "([0-9a-f]{64})"/g)].map(([, hex]) => hex ?? ''),
      );
    }
    const tip = await node.tip();
    await stopped(node);
    return { dataDir: branch.dataDir, tip, txs, keyImages };
  }

  const spentOn = async (node: RunningNode, keyImages: string[]): Promise<unknown> =>
    (await node.rpc.path('/is_key_image_spent', { key_images: keyImages }))['spent_status'];

  /** Returns for each transaction whether it is in the pool. All must be known. */
  const inPool = async (node: RunningNode, ids: string[]): Promise<unknown[]> => {
    const answer = await node.rpc.path('/get_transactions', { txs_hashes: ids });
    expect(stringsOf(answer, 'missed_tx')).toEqual([]);
    return objectsOf(answer, 'txs').map((tx) => tx['in_pool']);
  };

  beforeAll(async () => {
    // The same wallet spends the same outputs in different transactions on both branches.
    a = await extend({ dataDir: await monerodDataWithChain(COMMON) }, 3, 3);
    b = await extend({ dataDir: await monerodDataWithChain(COMMON) }, 5, 2);
    expect(a.tip.height).toBe(COMMON + 3);
    expect(b.tip.height).toBe(COMMON + 5);
  }, 240_000);

  afterAll(async () => {
    for (const node of running) await node.stop();
  });

  test(
    'adopts the branch that it sees first',
    async () => {
      const first = await started(startMonerod({ name: 'branch-a', dataDir: a.dataDir }));
      ours = await started(startOurDaemon({ peers: [first.p2p] }));
      await waitForSameTip(ours, a.tip, WAIT);
      expect(await spentOn(ours, a.keyImages)).toEqual(a.keyImages.map(() => 1));
      await stopped(first);
    },
    WAIT + 30_000,
  );

  test(
    'switches when the other branch becomes heavier',
    async () => {
      const second = await started(
        startMonerod({ name: 'branch-b', dataDir: b.dataDir, peers: [ours.p2p] }),
      );
      await waitForSameTip(ours, b.tip, WAIT);
      expect(await inPool(ours, a.txs)).toEqual(a.txs.map(() => true));
      expect(await inPool(ours, b.txs)).toEqual(b.txs.map(() => false));
      expect(await spentOn(ours, b.keyImages)).toEqual(b.keyImages.map(() => 1));
      await stopped(second);
    },
    WAIT + 30_000,
  );

  test('keeps the branch it left as an alternative chain', async () => {
    const { chains } = await ours.rpc.call('get_alternate_chains');
    expect(chains).toEqual([
      expect.objectContaining({
        block_hash: a.tip.id,
        height: a.tip.height - 1,
        length: 3,
      }),
    ]);
  });

  test(
    'switches back when the first branch becomes heavier, and a real monerod follows',
    async () => {
      a = { ...(await extend(a, 5, 1, 1)), txs: a.txs };
      expect(a.tip.height).toBe(COMMON + 8);
      const second = await started(
        startMonerod({ name: 'branch-b', dataDir: b.dataDir, peers: [ours.p2p] }),
      );
      const first = await started(
        startMonerod({ name: 'branch-a', dataDir: a.dataDir, peers: [ours.p2p] }),
      );
      await waitForSameTip(ours, a.tip, WAIT);
      await waitForSameTip(second, a.tip, WAIT);

      const compare = new Comparison(ours.rpc, first.rpc);
      await sameChain(compare, a.tip.height);
      expect(await inPool(ours, b.txs)).toEqual(b.txs.map(() => true));
      expect(await inPool(ours, a.txs)).toEqual(a.txs.map(() => false));
      await compare.path('/is_key_image_spent', { key_images: b.keyImages });
      await compare.path('/is_key_image_spent', { key_images: a.keyImages });
      await stopped(second);
      await stopped(first);
    },
    2 * WAIT + 120_000,
  );

  test('has the same chain after a restart', async () => {
    await stopped(ours);
    ours = await started(startOurDaemon({ dataDir: ours.dataDir, offline: true }));
    expect(await ours.tip()).toEqual(a.tip);
    const first = await started(
      startMonerod({ name: 'branch-a', dataDir: a.dataDir, offline: true }),
    );
    await sameChain(new Comparison(ours.rpc, first.rpc), a.tip.height);
  }, 60_000);

  /** Expects two nodes to return equal blocks, outputs and distributions. */
  async function sameChain(compare: Comparison, height: number): Promise<void> {
    for (let at = COMMON - 2; at < height; at++) await compare.call('get_block', { height: at });
    const everything = await ours.rpc.call('get_output_distribution', {
      amounts: [0],
      cumulative: true,
      binary: false,
    });
    const [list] = everything['distributions'] as { distribution: number[] }[];
    const outputs = list?.distribution.at(-1) ?? 0;
    expect(outputs).toBeGreaterThan(height);
    await compare.path('/get_outs', {
      outputs: Array.from({ length: outputs }, (_, index) => ({ amount: 0, index })),
      get_txid: true,
    });
    await compare.call('get_output_distribution', {
      amounts: [0],
      cumulative: true,
      binary: false,
    });
    await compare.call('get_output_histogram', { amounts: [0], unlocked: true });
    await compare.call('get_block_headers_range', { start_height: 0, end_height: height - 1 });
    await compare.call('get_fee_estimate');
    expect(numberOf(await ours.info(), 'height')).toBe(height);
  }
});
