import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toHex } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import { crawl, handshake } from '@monero-node/p2p';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { startMonerod, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { waitUntil } from '../harness/wait.ts';

const { regtest, stagenet } = NETWORKS;
/** An address of mainnet, which regtest shares. */
const ADDRESS =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
const BLOCKS = 5;

describeWithMonero('a visitor of nodes', () => {
  let monerod: RunningNode;
  let ours: RunningNode;

  beforeAll(async () => {
    monerod = await startMonerod();
    ours = await startOurDaemon({ peers: [monerod.p2p] });
    const blocks = { amount_of_blocks: BLOCKS, wallet_address: ADDRESS };
    // monerod is busy until it has heard from a peer.
    await waitUntil('monerod to mine', async () => {
      await monerod.rpc.call('generateblocks', blocks);
      return (await monerod.tip()).height > BLOCKS;
    });
    await waitUntil('our node to follow', async () => (await ours.tip()).height === BLOCKS + 1);
  }, 120_000);

  afterAll(async () => {
    await ours?.stop();
    await monerod?.stop();
  });

  test('hears from monerod what its RPC says', async () => {
    const tip = await monerod.tip();
    const said = await handshake(monerod.p2p, regtest);
    expect({ height: said.height, id: toHex(said.topId) }).toEqual(tip);
    expect(said).toMatchObject({ topVersion: 16, pruningSeed: 0, port: monerod.p2pPort });
    const info = await monerod.rpc.path('/get_info');
    expect(said.cumulativeDifficulty).toBe(BigInt(Number(info['cumulative_difficulty'])));
  });

  test('may come again at once, and visit several nodes', async () => {
    const start = [monerod.p2p, ours.p2p];
    const heights = new Map<string, number>();
    for await (const visit of crawl(regtest, { start })) {
      if (!visit.ok) throw visit.error;
      heights.set(visit.address, visit.node.height);
    }
    expect(heights).toEqual(new Map(start.map((address) => [address, BLOCKS + 1])));
  });

  test('is no node of another network', async () => {
    // monerod closes the connection without an answer.
    await expect(handshake(monerod.p2p, stagenet)).rejects.toMatchObject({ code: 'no-answer' });
  });
});
