import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import {
  BLOCK_GROUP_SIZE,
  encodeBlockGroups,
  hashGroupIds,
  hashGroupWeights,
} from '@monero-node/consensus';
import { forgedMainnet } from '../chain/forged-mainnet.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { ListeningPeer, served, type ServedBlock } from '../harness/evil-peer.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon, verifiedCounts } from '../harness/our-daemon.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

/** Two groups and a few blocks above them. */
const BLOCKS = 2 * BLOCK_GROUP_SIZE + 20;
/** The second checkpoint of mainnet: no forged block passes it. */
const CHECKPOINT = 10;
const EASY = 1000;
/** One second between blocks makes the difficulty 60 from block 3 on, which no forged nonce meets. */
const HARD = 1;

const chainOf = (spacing: number): ServedBlock[] =>
  forgedMainnet(BLOCKS, spacing).map(({ block, id }) => served(block, [], id));

/** Writes the list of block groups that `chain` has. Returns its path. */
function listOf(chain: readonly ServedBlock[]): string {
  const groups = [0, 1].map((group) => {
    const blocks = chain.slice(group * BLOCK_GROUP_SIZE, (group + 1) * BLOCK_GROUP_SIZE);
    return {
      ids: hashGroupIds(blocks.map(({ id }) => id)),
      weights: hashGroupWeights(blocks.map(({ weight }) => BigInt(weight))),
    };
  });
  const path = join(newFolder('groups'), 'groups.dat');
  writeFileSync(path, encodeBlockGroups(groups));
  return path;
}

describeWithMonero(
  'which blocks of mainnet are trusted',
  () => {
    let peer: ListeningPeer;
    let ours: RunningNode | undefined;

    afterEach(async () => {
      await peer.stop();
      await ours?.stop();
    });

    /** Starts a node on mainnet that knows one peer, which serves `chain`. */
    async function startWith(chain: readonly ServedBlock[], extra: string[]): Promise<RunningNode> {
      ours = undefined;
      peer = await ListeningPeer.start({ chain });
      ours = await startOurDaemon({
        network: 'mainnet',
        peers: [peer.address],
        extra: [...extra, '--disable-dns-checkpoints', '--log-level', '1,global:DEBUG'],
      });
      return ours;
    }

    const logs = (node: RunningNode, line: RegExp | string): Promise<boolean> =>
      waitUntil(`the line ${line}`, () => node.process.output().search(line) >= 0);

    test('ids that differ from the list of the network end the peer before a block is asked for', async () => {
      const node = await startWith(chainOf(EASY), []);
      await logs(node, 'Blocks below height 3774464 are trusted');
      await logs(node, 'block ids that differ from the precomputed hashes');
      expect(peer.chain.requested.size).toBe(0);
      expect((await node.tip()).height).toBe(1);
    });

    test('blocks of a group that matches are added without proof of work, up to a checkpoint that differs', async () => {
      const chain = chainOf(HARD);
      const node = await startWith(chain, ['--block-hashes-file', listOf(chain)]);
      await waitUntil('the blocks', async () => (await node.tip()).height === CHECKPOINT);
      await logs(node, /checkpoint/i);
      await node.stop();
      expect(verifiedCounts(node.process.output())).toMatchObject({ pow: 0, known: 9 });
    });

    test('without the list, the real block is verified and forged proof of work is refused', async () => {
      const node = await startWith(chainOf(HARD), ['--fast-block-sync', '0']);
      await logs(node, 'Every block is verified in full.');
      await logs(node, /proof of work/i);
      expect((await node.tip()).height).toBe(3);
    });

    test('without the list, blocks with enough work are verified and added up to a checkpoint', async () => {
      const chain = chainOf(EASY);
      const node = await startWith(chain, ['--fast-block-sync', '0']);
      await waitUntil('the blocks', async () => (await node.tip()).height === CHECKPOINT);
      expect((await node.tip()).id).toBe(chain[CHECKPOINT - 1]?.id.toString('hex'));
      await node.stop();
      expect(verifiedCounts(node.process.output())).toMatchObject({ pow: 9, known: 0 });
    });
  },
  [],
);
