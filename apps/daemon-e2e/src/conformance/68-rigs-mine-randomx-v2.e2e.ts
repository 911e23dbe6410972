import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { meetsDifficulty } from '@monero-node/consensus';
import { unhex } from '../chain/bytes.ts';
import { chainFacts } from '../chain/fixture.ts';
import { describeLongWithMonero } from '../harness/describe-with-monero.ts';
import { numberOf, objectOf, objectsOf, stringOf } from '../harness/json.ts';
import { waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts } from '../harness/ports.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';
import { startRig } from '../harness/xmrig.ts';

const BLOCKS = 3;
/** Some seconds of a thread with a dataset. A wrong hash meets it once in as many. */
const DIFFICULTY = 200;
const WAIT = 60_000;
/** The rig computes its dataset first, which takes two minutes of two cores that are free. */
const MINING_WAIT = 900_000;

/** Returns the options of a chain of version 16 whose fork says this about the proof of work. */
function profile(name: string, more: { readonly powAlgorithm?: string }): string[] {
  const file = join(newFolder(name), 'forks.json');
  const forks = [
    { version: 1, height: 0, time: 0 },
    { version: 16, height: 1, time: 0, ...more },
  ];
  writeFileSync(file, JSON.stringify(forks));
  return ['--hard-forks', file];
}

describeLongWithMonero(
  'a rig with xmrig mines RandomX version 2 over stratum',
  () => {
    const [owner] = chainFacts().wallets;
    if (owner === undefined) throw new Error('the recorded chain has no wallet');
    let port = 0;
    let v2: string[] = [];
    let ours: RunningNode;

    beforeAll(async () => {
      [port = 0] = await freePorts(1);
      v2 = profile('forks-v2', { powAlgorithm: 'randomx-v2' });
      const stratum = ['--stratum-bind-port', String(port), '--stratum-address', owner.address];
      ours = await startOurDaemon({
        fixedDifficulty: DIFFICULTY,
        offline: true,
        extra: [...v2, ...stratum],
      });
    }, WAIT);

    afterAll(() => ours.stop());

    test(
      `${BLOCKS} blocks, and no share is wrong`,
      async () => {
        // In light mode xmrig 6.26.0 computes other hashes of rx/2 than librandomx.
        const rig = await startRig(port, 'rig+50', 'x', [], 'fast');
        await waitUntil('blocks', async () => (await ours.tip()).height > BLOCKS, {
          timeout: MINING_WAIT,
        });
        await rig.process.stop();
        expect(rig.log()).toMatch(/new job from \S+ diff \d+ algo rx\/2 height 1 /);
        expect(rig.log()).toMatch(/accepted \(\d+\//);
        expect(rig.log()).not.toContain('Low difficulty share');
        expect(ours.process.output()).not.toContain('sent a wrong hash');
        const rigs = objectsOf(await ours.rpc.call('get_stratum_rigs'), 'rigs');
        expect(rigs).toMatchObject([{ name: 'rig', pays: 'owner', refused: 0 }]);
      },
      MINING_WAIT + WAIT,
    );

    test(
      'get_block_header_by_height has commitments that meet the difficulty',
      async () => {
        for (let height = 1; height <= BLOCKS; height++) {
          const request = { height, fill_pow_hash: true };
          const answer = await ours.rpc.call('get_block_header_by_height', request);
          const header = objectOf(answer, 'block_header');
          expect(numberOf(header, 'height')).toBe(height);
          const work = unhex(stringOf(header, 'pow_hash'));
          expect(meetsDifficulty(work, BigInt(DIFFICULTY))).toBe(true);
        }
      },
      WAIT,
    );

    test(
      'a node of the same profile takes the chain, and one whose profile says version 1 does not',
      async () => {
        const { dataDir } = ours;
        await ours.stop();
        ours = await startOurDaemon({ fixedDifficulty: DIFFICULTY, dataDir, extra: v2 });
        const same = await startOurDaemon({
          name: 'same-profile',
          fixedDifficulty: DIFFICULTY,
          peers: [ours.p2p],
          extra: v2,
        });
        const other = await startOurDaemon({
          name: 'version-1',
          fixedDifficulty: DIFFICULTY,
          offline: true,
          extra: profile('forks-v1', {}),
        });
        try {
          await waitForSameTip(same, await ours.tip(), WAIT);
          const blob = stringOf(await ours.rpc.call('get_block', { height: 1 }), 'blob');
          await expect(other.rpc.call('submit_block', [blob])).rejects.toMatchObject({
            code: -7,
            reason: 'Block not accepted',
          });
          expect((await other.tip()).height).toBe(1);
        } finally {
          await same.stop();
          await other.stop();
        }
      },
      3 * WAIT,
    );
  },
  ['xmrig'],
);
