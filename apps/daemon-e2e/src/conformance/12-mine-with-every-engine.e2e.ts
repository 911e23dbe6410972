import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPowHasher, type PowEngine } from '@monero-node/pow';
import { chainFacts } from '../chain/fixture.ts';
import { Comparison } from '../harness/comparison.ts';
import { stringOf } from '../harness/json.ts';
import { startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { waitUntil } from '../harness/wait.ts';

/** Milliseconds after which a test counts as hanging. */
const WAIT = 240_000;
/** A few hashes per block, so that a nonce has to be searched. */
const DIFFICULTY = 6;
const BLOCKS = 4;
const [first] = chainFacts().wallets;
if (first === undefined) throw new Error('the recorded chain has no wallet');
const { address } = first;

async function nameOf(engine: PowEngine | 'auto'): Promise<string> {
  const hasher = createPowHasher({ engine, threads: 1 });
  await hasher.close();
  return hasher.name;
}

describeWithMonero(
  'mining from the command line',
  () => {
    let monerod: RunningNode;
    beforeAll(async () => {
      monerod = await startMonerod({ fixedDifficulty: DIFFICULTY });
    });
    afterAll(() => monerod.stop());

    test('does not start before the node has a peer', async () => {
      const lonely = await startOurDaemon({ fixedDifficulty: DIFFICULTY });
      const compare = new Comparison(lonely.rpc, monerod.rpc);
      for (const miner_address of [address, 'x']) {
        await compare.path('/start_mining', { miner_address, threads_count: 1 });
      }
      await compare.path('/mining_status');
      await lonely.stop();
    });

    describe.each<PowEngine | 'auto'>(['wasm', 'auto'])('--pow-engine %s', (engine) => {
      test(
        'mines blocks that monerod accepts, with the selected engine',
        async () => {
          const before = await monerod.tip();
          const ours = await startOurDaemon({
            fixedDifficulty: DIFFICULTY,
            peers: [monerod.p2p],
            extra: [
              ...['--pow-engine', engine],
              ...['--start-mining', address, '--mining-threads', '2'],
            ],
          });
          const height = before.height + BLOCKS;
          await waitUntil(
            `monerod to be at height ${height}`,
            async () => (await monerod.tip()).height >= height,
            { timeout: WAIT },
          );
          expect(await ours.rpc.path('/mining_status')).toMatchObject({
            active: true,
            threads_count: 2,
            address,
            difficulty: DIFFICULTY,
          });
          expect(await ours.rpc.path('/stop_mining')).toMatchObject({ status: 'OK' });
          await waitForSameTip(monerod, await ours.tip(), WAIT);
          const log = ours.process.output();
          expect(log).toContain(await nameOf(engine));
          expect(log.includes('(native')).toBe((await nameOf(engine)).includes('(native'));
          expect(log).not.toMatch(/was not taken|is bad/);
          // The block that monerod accepted is ours and pays the right address.
          const call = { height: before.height + 1 };
          const ofMonerod = await monerod.rpc.call('get_block', call);
          const ofOurs = await ours.rpc.call('get_block', call);
          expect(stringOf(ofMonerod, 'blob')).toBe(stringOf(ofOurs, 'blob'));
          await ours.stop();
        },
        WAIT,
      );
    });
  },
  ['monerod'],
);
