import { expect, test } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import { createNode, makeDaemonSettings, parseArguments } from '@monero-node/daemon';
import { chainFacts } from '../chain/fixture.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { faultyEngine, faultyPool } from '../harness/faulty-engines.ts';
import { commonFlags, mine, startMonerod, type RunningNode } from '../harness/monerod.ts';
import { freePorts } from '../harness/ports.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

/** Milliseconds after which a test counts as hanging. */
const WAIT = 400_000;
const BLOCKS = 200;
/** Blocks that one call mines. */
const STEP = 25;
const { address = '' } = chainFacts().wallets[0] ?? {};

type Engines = Parameters<typeof createNode>[1]['engineChanges'];

/** Synchronizes our node, with engines that err, from monerod. Returns the errors that it logged. */
async function synchronize(
  monerod: RunningNode,
  fixedDifficulty: number,
  engineChanges: Engines,
): Promise<string[]> {
  const dataDir = newFolder('faulty-engines');
  const [p2pPort = 0, rpcPort = 0] = await freePorts(2);
  const options = { fixedDifficulty, peers: [monerod.p2p] };
  const args = [...commonFlags(options, dataDir, p2pPort, rpcPort), '--rpc-ssl', 'disabled'];
  const errors: string[] = [];
  const logger = {
    ...silentLogger,
    error: (message: string) => void errors.push(message),
    child: () => silentLogger,
  };
  const gaveUp: unknown[] = [];
  const node = await createNode(makeDaemonSettings(parseArguments(args).values), {
    logger,
    logLevels: { categories: '', set: () => undefined },
    requestStop: () => undefined,
    onGivingUp: (error) => gaveUp.push(error),
    ...(engineChanges && { engineChanges }),
  });
  await node.start();
  const { height, id } = await monerod.tip();
  await waitUntil('the same top', () => node.blockchain.height === height, { timeout: WAIT });
  expect(toHex(node.blockchain.topId)).toBe(id);
  expect(node.p2p.bans()).toEqual([]);
  expect(node.p2p.outgoingCount).toBe(1);
  expect(gaveUp).toEqual([]);
  await node.stop();
  return errors;
}

describeWithMonero('our node synchronizes from monerod with engines that err', () => {
  test(
    'a proof-of-work engine that errs once in 50 hashes',
    async () => {
      const fixedDifficulty = 4;
      // Without peers, only an offline monerod mines.
      const miner = await startMonerod({ fixedDifficulty, offline: true });
      for (let done = 0; done < BLOCKS; done += STEP) await mine(miner, STEP, address);
      await miner.stop();
      const monerod = await startMonerod({ fixedDifficulty, dataDir: miner.dataDir });
      const errors = await synchronize(monerod, fixedDifficulty, {
        wrapEngine: faultyEngine(50, ['wrong', 'throws']),
      });
      const wrong = errors.filter((line) => line.includes(`computed ${'ff'.repeat(32)}`));
      expect(wrong.length).toBeGreaterThanOrEqual(2);
      expect(errors.some((line) => line.includes('the engine fails'))).toBe(true);
      await monerod.stop();
    },
    WAIT,
  );

  test(
    'a signature backend that errs once in 50 answers',
    async () => {
      const monerod = await startMonerod({ dataDir: await monerodDataWithChain() });
      expect((await monerod.tip()).height).toBe(chainFacts().height);
      const errors = await synchronize(monerod, 1, {
        wrapPool: faultyPool({ answers: 50, checks: 50 }),
      });
      expect(errors.some((line) => line.includes('crypto backend wrongly refused'))).toBe(true);
      expect(errors.some((line) => line.includes('crypto backend did not answer'))).toBe(true);
      await monerod.stop();
    },
    WAIT,
  );
});
