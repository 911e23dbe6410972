import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { FreezingLink } from '../fleet/freezing-link.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { numberOf, stringOf, type JsonObject } from '../harness/json.ts';
import { checkedLedgerOf, headerAt, ledgerOf } from '../harness/ledger.ts';
import { mine, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { ScriptedRig } from '../harness/scripted-rig.ts';
import { FatalWaitError, waitUntil } from '../harness/wait.ts';
import { startRig, type RunningXmrig } from '../harness/xmrig.ts';

const BLOCKS = 30;
/** Some hashes of light RandomX, as four rigs and two nodes may have one core. Two of three shares are blocks at it. */
const DIFFICULTY = 3;
/** Blocks that a node finds alone before the other one overtakes it. */
const ALONE = 3;
const PASSWORD = 'secret';
const WAIT = 150_000;

/** Names of the rigs of each node. Only `script` is none of xmrig's. */
const RIGS = { first: ['plain', 'tls'], second: ['other', 'script'] } as const;
type Side = keyof typeof RIGS;

describeWithMonero(
  'rigs mine on two nodes, which are parted and killed',
  () => {
    const [owner] = chainFacts().wallets;
    if (owner === undefined) throw new Error('the recorded chain has no wallet');
    const nodes = {} as Record<Side, RunningNode>;
    const ports = {} as Record<Side, number>;
    /** The network: the second node reaches the first one by this port. */
    let linkPort = 0;
    let link: FreezingLink | undefined;
    /** The xmrig of each name, with those that were killed. */
    const started = new Map<string, RunningXmrig[]>();
    let script: ScriptedRig | undefined;
    /** Ids of the blocks that the scripted rig was told are taken. */
    const taken: string[] = [];
    /** Ids of the blocks in the ledgers of the nodes before they were killed. */
    const known: Record<Side, Set<string>> = { first: new Set(), second: new Set() };

    const start = (side: Side, dataDir?: string): Promise<RunningNode> =>
      startOurDaemon({
        name: side,
        dataDir,
        fixedDifficulty: DIFFICULTY,
        ...(side === 'second' && { peers: [`${LOOPBACK}:${linkPort}`] }),
        extra: [
          ...['--stratum-bind-port', String(ports[side]), '--stratum-password', PASSWORD],
          ...['--stratum-address', owner.address, '--stratum-tls', '--rpc-ssl', 'autodetect'],
        ],
      });

    const until = (what: string, look: () => Promise<boolean>): Promise<unknown> =>
      waitUntil(what, look, { timeout: WAIT });

    const inStep = async (side: Side): Promise<unknown> =>
      until(`the ${side} node to be in step`, async () => {
        if (!nodes[side].process.running) throw new FatalWaitError(`the ${side} node ended`);
        return (await nodes[side].info())['synchronized'] === true;
      });

    /** Waits until a node has that many blocks, genesis included. */
    const height = (side: Side, wanted: number): Promise<unknown> =>
      until(
        `height ${wanted} of the ${side} node`,
        async () => (await nodes[side].tip()).height >= wanted,
      );

    async function startRigs(side: Side): Promise<void> {
      for (const name of RIGS[side]) {
        if (name === 'script') {
          const difficulty = BigInt(DIFFICULTY);
          script = new ScriptedRig({ port: ports[side], name, password: PASSWORD, difficulty });
          continue;
        }
        const more = name === 'tls' ? ['--tls'] : [];
        const rig = await startRig(ports[side], name, PASSWORD, more);
        started.set(name, [...(started.get(name) ?? []), rig]);
      }
    }

    async function killRigs(side: Side): Promise<void> {
      for (const name of RIGS[side]) await started.get(name)?.at(-1)?.process.kill();
      if (side === 'second' && script !== undefined) {
        await script.stop();
        taken.push(...script.taken);
        script = undefined;
      }
    }

    /** Kills a node and starts it again on its data. */
    async function killNode(side: Side): Promise<void> {
      for (const block of await ledgerOf(nodes[side])) known[side].add(stringOf(block, 'hash'));
      await nodes[side].process.kill();
      nodes[side] = await start(side, nodes[side].dataDir);
    }

    /** Lets the rigs of a node find blocks that the other node does not hear of, and kills them. Returns the newest. */
    async function mineAlone(side: Side): Promise<{ height: number; id: string }> {
      await height(side, (await nodes[side].tip()).height + ALONE);
      await killRigs(side);
      const tip = await nodes[side].tip();
      expect((await ledgerOf(nodes[side])).map(({ hash }) => hash)).toContain(tip.id);
      return tip;
    }

    const isOrphaned = (side: Side, id: string): Promise<unknown> =>
      until(`block ${id} of the ${side} node to be orphaned`, async () => {
        const blocks = await ledgerOf(nodes[side]);
        return blocks.some(({ hash, fate }) => hash === id && fate === 'orphaned');
      });

    beforeAll(async () => {
      [ports.first = 0, ports.second = 0, linkPort = 0] = await freePorts(3);
      nodes.first = await start('first');
      link = await FreezingLink.to(nodes.first.p2pPort, linkPort);
      nodes.second = await start('second');
      await inStep('first');
      await inStep('second');
    }, WAIT);

    afterAll(async () => {
      await script?.stop();
      for (const rig of [...started.values()].flat()) await rig.process.kill();
      // Where beforeAll has failed, some are missing.
      const begun: Partial<typeof nodes> = nodes;
      await begun.second?.stop();
      await begun.first?.stop();
      link?.close();
    });

    test(
      'two nodes mine with three xmrig and a rig of our own',
      async () => {
        await startRigs('first');
        await startRigs('second');
        await height('first', 6);
        await height('second', 6);
      },
      WAIT,
    );

    test(
      'a node that hears nothing loses its rigs and is overtaken',
      async () => {
        link?.freeze();
        const lost = await mineAlone('second');
        await height('first', lost.height + 2);
        link?.thaw();
        await isOrphaned('second', lost.id);
      },
      3 * WAIT,
    );

    test(
      'a node is killed while its rigs mine, which come again',
      async () => {
        await startRigs('second');
        const before = (await ledgerOf(nodes.second)).length;
        await until('blocks of the rigs', async () => {
          return (await ledgerOf(nodes.second)).length >= before + 2;
        });
        await killNode('second');
        await inStep('second');
        const after = (await ledgerOf(nodes.second)).length;
        await until('blocks of the rigs that have come again', async () => {
          return (await ledgerOf(nodes.second)).length >= after + 2;
        });
      },
      3 * WAIT,
    );

    test(
      'the other node is cut off and overtaken, and hears of it after a kill only',
      async () => {
        link?.close();
        const lost = await mineAlone('first');
        await height('second', lost.height + 2);
        await killNode('first');
        link = await FreezingLink.to(nodes.first.p2pPort, linkPort);
        await isOrphaned('first', lost.id);
        await inStep('first');
      },
      3 * WAIT,
    );

    /** Ends the mining, and makes the longer chain longer, so that the nodes agree. Returns its height. */
    async function agree(): Promise<number> {
      await killRigs('first');
      await killRigs('second');
      const { first, second } = nodes;
      const isFirst = (await first.tip()).height > (await second.tip()).height;
      const [ahead, behind] = isFirst ? [first, second] : [second, first];
      await mine(ahead, 2, owner?.address ?? '');
      const tip = await ahead.tip();
      await waitForSameTip(behind, tip, WAIT);
      return tip.height;
    }

    const finderOf = (block: JsonObject): string =>
      block['finder'] === 'rig' ? stringOf(block, 'rig') : stringOf(block, 'finder');

    test(
      `all ${BLOCKS} blocks are in the ledgers, each once, with the fate that the chain gave them`,
      async () => {
        await startRigs('first');
        await height('second', 1 + BLOCKS);
        await until('blocks of every rig', async () => {
          const blocks = [...(await ledgerOf(nodes.first)), ...(await ledgerOf(nodes.second))];
          const finders = new Set(blocks.map(finderOf));
          return [...RIGS.first, ...RIGS.second].every((name) => finders.has(name));
        });
        const top = await agree();
        const ledgers = {
          first: await checkedLedgerOf(nodes.first),
          second: await checkedLedgerOf(nodes.second),
        };
        const all = [...ledgers.first, ...ledgers.second];
        const kept = all.filter(({ fate }) => fate !== 'orphaned');
        const heights = kept.map((block) => numberOf(block, 'height'));
        expect(heights.toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: top - 1 }, (_, i) => i + 1),
        );
        expect(all.length - kept.length).toBeGreaterThanOrEqual(2 * ALONE);

        for (const side of ['first', 'second'] as const) {
          const ids = ledgers[side].map((block) => stringOf(block, 'hash'));
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids).toEqual(expect.arrayContaining([...known[side]]));
          const finders = ledgers[side].map(finderOf);
          const own: readonly string[] = [...RIGS[side], 'generateblocks'];
          expect(finders.filter((name) => !own.includes(name))).toEqual([]);
          // Each xmrig has found blocks, and was told that shares are taken. Not each of these is a block: targets are rounded down.
          for (const name of RIGS[side]) {
            if (name === 'script') continue;
            const found = finders.filter((each) => each === name).length;
            const accepted = acceptedOf(name);
            expect([name, accepted > 0, found > 0]).toEqual([name, true, true]);
          }
        }
        expect(taken.length).toBeGreaterThan(0);
        const ofScript = ledgers.second.map((block) => stringOf(block, 'hash'));
        expect(ofScript).toEqual(expect.arrayContaining(taken));

        const last = await headerAt(nodes.second, top - 1);
        await killNode('first');
        await killNode('second');
        expect(await headerAt(nodes.second, top - 1)).toEqual(last);
        expect(await checkedLedgerOf(nodes.first)).toEqual(ledgers.first);
        expect(await checkedLedgerOf(nodes.second)).toEqual(ledgers.second);
      },
      4 * WAIT,
    );

    /** Returns the shares that an xmrig was told are taken. */
    function acceptedOf(name: string): number {
      const logs = (started.get(name) ?? []).map((rig) => rig.log());
      return logs.reduce((sum, log) => sum + [...log.matchAll(/accepted \(/g)].length, 0);
    }
  },
  ['xmrig'],
);
