import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requireProgram } from '../harness/binaries.ts';
import { chainTool, ending } from '../harness/chain-tool.ts';
import { Comparison } from '../harness/comparison.ts';
import { newFolder } from '../harness/run-folder.ts';
import { isObject, numberOf, stringOf, type Json, type JsonObject } from '../harness/json.ts';
import { startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon, verifiedCounts } from '../harness/our-daemon.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { neededChecks } from '../old-forks/needed-checks.ts';
import { patchMonerod } from '../old-forks/patched-monerod.ts';
import { CHAIN_LENGTH, FORK_HEIGHTS } from '../old-forks/transaction-attempts.ts';
import { runThroughForks, type Outcome, type ForkRun } from '../old-forks/run-through-forks.ts';

/**
 * Refusals for which monerod 0.18.0 sets other flags than later releases, which we follow: those set
 * `overspend` and `invalid_output` or `invalid_input` where 0.18.0 sets nothing, and only
 * "Failed" for a version that is too high.
 */
const OTHER_FLAGS: readonly string[] = [
  'v1 plain, without a fee',
  'v3 type 1',
  'v3 type 2',
  'v4 tagged outputs',
  'v6 type 2, one output more than once',
  'v14 type 5, tagged outputs',
  'v15 type 6, both kinds of targets',
  'v16 type 6, untagged',
];

const listOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
const nameOf = ({ version, attempt }: Outcome): string => `v${version} ${attempt.name}`;
const flagsOf = (answer: JsonObject): string[] =>
  Object.keys(answer).filter((name) => answer[name] === true);
const verdictOf = (answer: JsonObject): string =>
  answer['status'] === 'OK' ? 'accepted' : flagsOf(answer).sort().join(', ') || 'Failed';

describeWithMonero(
  'every hard fork from version 1 to 16',
  () => {
    let theirs: RunningNode;
    let ours: RunningNode;
    let forkRun: ForkRun;
    let program: string;
    let forkFile: string;
    const options = { network: 'stagenet', fixedDifficulty: 1 } as const;
    /** Returns all transactions except coinbases, as reported by monerod. */
    const userTxs: JsonObject[] = [];

    const startPatched = (more: { offline: boolean; dataDir?: string }) =>
      startMonerod({ ...options, ...more, program, extra: ['--fast-block-sync', '0'] });

    beforeAll(async () => {
      const folder = newFolder('old-forks');
      program = join(folder, 'monerod');
      if (!patchMonerod(requireProgram('monerod'), program, FORK_HEIGHTS)) {
        throw new Error('the forks of stagenet were not found in this build of monerod');
      }
      forkFile = join(folder, 'forks.json');
      const forks = [...FORK_HEIGHTS].map(([version, height]) => ({ version, height, time: 0 }));
      writeFileSync(forkFile, JSON.stringify(forks));
      theirs = await startPatched({ offline: true });
      ours = await startOurDaemon({
        ...options,
        offline: true,
        extra: ['--hard-forks', forkFile],
      });
      forkRun = await runThroughForks(theirs, ours);
    }, 600_000);

    afterAll(async () => {
      await ours.stop();
      await theirs.stop();
    });

    test('both accept every block of monerod and reach the same state', () => {
      expect(forkRun.tips).toHaveLength(CHAIN_LENGTH - 1);
      expect(forkRun.tips.map((tip) => tip.ours)).toEqual(forkRun.tips.map((tip) => tip.theirs));
    });

    test('both accept and refuse transactions by the rules of the fork', () => {
      const said = forkRun.outcomes.map((outcome) => [
        `${nameOf(outcome)}: ${verdictOf(outcome.ours)}`,
        outcome.theirs['status'],
      ]);
      expect(said).toEqual(
        forkRun.outcomes.map((outcome) => [
          `${nameOf(outcome)}: ${outcome.attempt.refusedFor ?? 'accepted'}`,
          outcome.attempt.refusedFor === undefined ? 'OK' : 'Failed',
        ]),
      );
    });

    test('both report the same reasons', () => {
      const differing = forkRun.outcomes.filter(
        ({ ours: mine, theirs: wanted }) => flagsOf(mine).join() !== flagsOf(wanted).join(),
      );
      expect(differing.map(nameOf)).toEqual(OTHER_FLAGS);
    });

    test('both accept and refuse changed blocks by the rules of the fork', () => {
      const named = forkRun.blockOutcomes.map(({ version, variant, ...said }) => ({
        what: `v${version}: a block that ${variant.name}`,
        ...said,
      }));
      expect(named).toEqual(
        forkRun.blockOutcomes.map(({ version, variant }, i) => {
          const verdict = variant.accepted(version) ? 'OK' : 'Block not accepted';
          return { what: named[i]?.what, theirs: verdict, ours: verdict };
        }),
      );
    });

    test('both return the same blocks, headers and proof-of-work hashes', async () => {
      const compare = new Comparison(ours.rpc, theirs.rpc);
      for (let height = 0; height < CHAIN_LENGTH; height++)
        await compare.call('get_block', { height });
      // At difficulty 1 every hash is accepted, so the hashes themselves are compared.
      for (const start of FORK_HEIGHTS.values()) {
        await compare.call('get_block', { height: start + 1, fill_pow_hash: true });
      }
      await compare.call('get_block_headers_range', {
        start_height: 0,
        end_height: CHAIN_LENGTH - 1,
      });
      await compare.call('get_coinbase_tx_sum', { height: 0, count: CHAIN_LENGTH });
    }, 60_000);

    test('both return the same transactions and key images', async () => {
      const compare = new Comparison(ours.rpc, theirs.rpc);
      for (let height = 0; height < CHAIN_LENGTH; height++) {
        const block = await theirs.rpc.call('get_block', { height });
        const own = (block['tx_hashes'] ?? []) as string[];
        const ids = [stringOf(block, 'miner_tx_hash'), ...own];
        await compare.path('/get_transactions', { txs_hashes: ids, decode_as_json: true });
        await compare.path('/get_transactions', { txs_hashes: ids, prune: true, split: true });
        if (own.length === 0) continue;
        const asked = { txs_hashes: own, decode_as_json: true };
        const answer = await theirs.rpc.path('/get_transactions', asked);
        userTxs.push(...listOf(answer['txs']));
      }
      const images = userTxs.flatMap((tx) => {
        const { vin } = JSON.parse(stringOf(tx, 'as_json')) as {
          vin: { key: { k_image: string } }[];
        };
        return vin.map(({ key }) => key.k_image);
      });
      expect(images.length).toBeGreaterThan(userTxs.length);
      await compare.path('/is_key_image_spent', { key_images: images });
    }, 60_000);

    test('both return the same outputs of every amount', async () => {
      const compare = new Comparison(ours.rpc, theirs.rpc);
      await compare.call('get_output_histogram', {});
      const answer = await theirs.rpc.call('get_output_histogram', {});
      const lists = listOf(answer['histogram']);
      expect(lists.length).toBeGreaterThan(50);
      for (const list of lists) {
        const amount = list['amount'] as number;
        const outputs = Array.from({ length: numberOf(list, 'total_instances') }, (_, index) => ({
          amount,
          index,
        }));
        await compare.path('/get_outs', { outputs, get_txid: true });
        await compare.call('get_output_distribution', { amounts: [amount], binary: false });
      }
    }, 60_000);

    test('a new node of ours synchronizes the chain from monerod and verifies every proof', async () => {
      const { dataDir } = theirs;
      await theirs.stop();
      theirs = await startPatched({ offline: false, dataDir });
      const fresh = await startOurDaemon({
        ...options,
        name: 'fresh',
        peers: [theirs.p2p],
        extra: ['--hard-forks', forkFile],
      });
      await waitForSameTip(fresh, await theirs.tip(), 120_000);
      expect(await fresh.stop()).toBe(0);
      const texts = userTxs.map((tx) => stringOf(tx, 'as_json'));
      const needed = neededChecks(texts, CHAIN_LENGTH - 1);
      // Membership proofs come with version 17.
      const none = Object.keys(needed).filter((kind) => needed[kind] === 0);
      expect(none.sort()).toEqual(['cached', 'known', 'membershipProofs']);
      expect(verifiedCounts(fresh.process.output())).toEqual(needed);
    }, 180_000);

    test("the chain is imported from monerod's database, verifying every block", async () => {
      await theirs.stop();
      const { dataDir } = theirs;
      const network = ['--stagenet', '--fixed-difficulty', '1', '--hard-forks', forkFile];
      const moved = newFolder('moved-in');
      const args = ['--from-monerod', dataDir, '--verify'];
      const { code, output } = await ending(chainTool(moved, 'import', args, network), 150_000);
      expect({ code, output }).toMatchObject({ code: 0 });
      expect(output).toContain(`the chain has ${CHAIN_LENGTH} blocks`);
      theirs = await startPatched({ offline: true, dataDir });
      const extra = ['--hard-forks', forkFile];
      const mine = await startOurDaemon({ ...options, offline: true, dataDir: moved, extra });
      const compare = new Comparison(mine.rpc, theirs.rpc);
      await compare.path('/get_info');
      for (let height = 0; height < CHAIN_LENGTH; height++) {
        await compare.call('get_block', { height });
      }
      for (const tx of userTxs) {
        const body = { txs_hashes: [stringOf(tx, 'tx_hash')], decode_as_json: true };
        await compare.path('/get_transactions', body);
      }
      await compare.call('get_output_histogram', {});
      await mine.stop();
    }, 240_000);
  },
  undefined,
  // The patch needs the program itself; the current release is started by a script.
  'old',
);
