import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { numberOf, objectsOf } from '../harness/json.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts } from '../harness/ports.ts';
import { waitUntil } from '../harness/wait.ts';
import { startRig } from '../harness/xmrig.ts';

const BLOCKS = 5;
/** Some hashes of light RandomX. */
const DIFFICULTY = 3;
const WAIT = 120_000;

describeWithMonero(
  'rigs with xmrig mine over stratum',
  () => {
    const [owner] = chainFacts().wallets;
    if (owner === undefined) throw new Error('the recorded chain has no wallet');
    let port = 0;
    let ours: RunningNode;

    beforeAll(async () => {
      [port = 0] = await freePorts(1);
      ours = await startOurDaemon({
        fixedDifficulty: DIFFICULTY,
        offline: true,
        extra: [
          ...['--stratum-bind-port', String(port), '--stratum-password', 'secret'],
          ...['--stratum-address', owner.address],
        ],
      });
    }, WAIT);

    afterAll(() => ours.stop());

    /** Waits until the chain has that many blocks, genesis included. */
    const height = (wanted: number): Promise<unknown> =>
      waitUntil(`height ${wanted}`, async () => (await ours.tip()).height >= wanted, {
        timeout: WAIT,
      });

    test(
      `${BLOCKS} blocks, although a rig is killed and comes again`,
      async () => {
        const first = await startRig(port, 'first', 'secret');
        const second = await startRig(port, 'second', 'secret');
        await height(3);
        await first.process.kill();
        await height(4);
        const again = await startRig(port, 'first', 'secret');
        await height(1 + BLOCKS);
        await again.process.stop();
        await second.process.stop();
        expect(second.log() + again.log()).toMatch(/accepted \(\d+\//);

        const tip = await ours.tip();
        const range = { start_height: 1, end_height: tip.height - 1 };
        const answer = await ours.rpc.call('get_block_headers_range', range);
        const heights = objectsOf(answer, 'headers').map((header) => numberOf(header, 'height'));
        const lines = [
          ...ours.process.output().matchAll(/Block (\d+) found by (?:first|second)$/gm),
        ];
        expect(lines.map(([, found]) => Number(found))).toEqual(heights);
      },
      2 * WAIT,
    );
  },
  ['xmrig'],
);
