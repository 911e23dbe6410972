import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { numberOf, objectsOf, stringOf } from '../harness/json.ts';
import { checkedLedgerOf, headerAt } from '../harness/ledger.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts } from '../harness/ports.ts';
import { newFolder } from '../harness/run-folder.ts';
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
    /** A program, and the file in which it writes down what it is told. */
    let program = '';
    let told = '';

    /** Starts the node, on a chain that it has had before if a folder is given. */
    const start = (dataDir?: string): Promise<RunningNode> =>
      startOurDaemon({
        ...(dataDir !== undefined && { dataDir }),
        fixedDifficulty: DIFFICULTY,
        offline: true,
        extra: [
          ...['--stratum-bind-port', String(port), '--stratum-password', 'secret'],
          ...['--stratum-address', owner.address],
          ...['--block-fate-notify', `${program} %f %h`],
        ],
      });

    beforeAll(async () => {
      [port = 0] = await freePorts(1);
      const folder = newFolder('fates');
      program = join(folder, 'program');
      told = join(folder, 'told');
      writeFileSync(told, '');
      writeFileSync(program, `#!/bin/sh\necho "$@" >> ${told}\n`, { mode: 0o755 });
      ours = await start();
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
        const rigs = objectsOf(await ours.rpc.call('get_stratum_rigs'), 'rigs');
        const byName = rigs.toSorted((a, b) =>
          stringOf(a, 'name') < stringOf(b, 'name') ? -1 : 1,
        );
        expect(byName).toMatchObject([
          { name: 'first', connections: 1, pays: 'owner' },
          { name: 'second', connections: 1, pays: 'owner' },
        ]);
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

    test(
      'the ledger equals the chain after a reorganization, and after a kill',
      async () => {
        const { height } = await ours.tip();
        // At this difficulty many blocks come too late.
        const before = await checkedLedgerOf(ours);
        const kept = before.filter(({ fate }) => fate !== 'orphaned');
        expect(kept.map((block) => numberOf(block, 'height'))).toEqual(
          Array.from({ length: height - 1 }, (_, i) => height - 1 - i),
        );
        const below = await headerAt(ours, height - 3);
        // They take the place of two blocks of the rigs.
        await ours.rpc.call('generateblocks', {
          amount_of_blocks: 3,
          wallet_address: owner.address,
          prev_block: below['hash'] ?? '',
        });
        const blocks = await checkedLedgerOf(ours);
        expect(blocks.slice(0, 3).map(({ finder, fate }) => [finder, fate])).toEqual(
          Array(3).fill(['generateblocks', 'pending']),
        );
        const fateOf = new Map(blocks.map(({ hash, fate }) => [hash, fate]));
        const isOrphaned = kept.map(({ hash }) => fateOf.get(hash ?? '') === 'orphaned');
        expect(isOrphaned).toEqual(kept.map((_, i) => i < 2));
        expect(blocks).toHaveLength(before.length + 3);
        expect(ours.process.output()).toMatch(/found by (first|second) was orphaned/);
        const orphaned = [height - 2, height - 1].map((lost) => `orphaned ${lost}`);
        await waitUntil('the program', () => {
          const lines = readFileSync(told, 'utf8').split('\n');
          return orphaned.every((line) => lines.includes(line));
        });

        await ours.process.kill();
        ours = await start(ours.dataDir);
        expect(await checkedLedgerOf(ours)).toEqual(blocks);
      },
      WAIT,
    );
  },
  ['xmrig'],
);
