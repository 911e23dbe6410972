import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { markdownBlocks, type MarkdownBlock } from '../harness/markdown-blocks.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts } from '../harness/ports.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

const DOCUMENT = new URL('../../../../docs/operating/events.md', import.meta.url);
const PORT = '127.0.0.1:18081';
const WAIT = 60_000;
const address = chainFacts().wallets[0]?.address ?? '';

/** Returns the first example of a language in the part about HTTP, for a node at another port. */
function exampleOf(language: MarkdownBlock['language'], port: number): string {
  const block = markdownBlocks(readFileSync(DOCUMENT, 'utf8')).find(
    (each) => each.heading === 'Over HTTP' && each.language === language,
  );
  if (block?.text.includes(PORT) !== true) throw new Error(`no ${language} example for ${PORT}`);
  return block.text.replace(PORT, `127.0.0.1:${port}`);
}

const positionOf = (folder: string): string => readFileSync(join(folder, 'position.txt'), 'utf8');

describe.each([
  ['the main process', 0],
  ['a worker', 1],
])('the documented programs follow the chain over %s', (_which, workers) => {
  let node: RunningNode;
  let folder = '';
  let restrictedPort = 0;
  let curl: ManagedProcess | undefined;
  let follower: ManagedProcess | undefined;

  const start = async (dataDir?: string): Promise<void> => {
    node = await startOurDaemon({
      name: `events-${workers}`,
      dataDir,
      offline: true,
      fixedDifficulty: 1,
      extra: [
        ...['--rpc-workers', String(workers)],
        ...['--rpc-restricted-bind-port', String(restrictedPort)],
      ],
    });
  };

  async function generate(count: number, nonce: number): Promise<string[]> {
    const params = { amount_of_blocks: count, wallet_address: address, starting_nonce: nonce };
    const { blocks } = await node.rpc.call('generateblocks', params);
    return (blocks as string[]).map(String);
  }

  const follow = (): Promise<ManagedProcess> =>
    ManagedProcess.start({
      name: 'follow',
      program: process.execPath,
      args: ['--no-warnings', '--experimental-eventsource', 'follow.mjs'],
      cwd: folder,
    });

  /** Starts the program again until it says a text, as the loop of the document does: the port may not answer yet. */
  const followUntil = (text: string): Promise<unknown> =>
    waitUntil(
      `follow to say ${text}`,
      async () => {
        if (follower?.running !== true) follower = await follow();
        return follower.output().includes(text);
      },
      { timeout: WAIT },
    );

  const says = (program: ManagedProcess, text: string): Promise<unknown> =>
    waitUntil(`${program.name} to say ${text}`, () => program.output().includes(text), {
      timeout: WAIT,
    });

  beforeAll(async () => {
    [restrictedPort = 0] = await freePorts(1);
    await start();
    folder = newFolder('follow');
    writeFileSync(join(folder, 'follow.mjs'), exampleOf('js', restrictedPort));
  }, WAIT);

  afterAll(async () => {
    await curl?.kill();
    await follower?.kill();
    await node.stop();
  });

  test(
    'curl shows the position, then each block',
    async () => {
      const command = exampleOf('sh', node.rpc.port);
      const program = 'sh';
      curl = await ManagedProcess.start({
        name: 'curl',
        program,
        args: ['-c', `exec ${command}`],
        cwd: folder,
      });
      const { id } = await node.tip();
      await says(
        curl,
        `id: 0-${id}\nevent: position\ndata: {"height":0,"id":"${id}","reason":"new"}\n`,
      );
      const [first = ''] = await generate(1, 0);
      await says(
        curl,
        `id: 1-${first}\nevent: block.added\ndata: {"height":1,"id":"${first}","prev_id":"${id}"`,
      );
    },
    WAIT,
  );

  test(
    'a program that comes back after a reorganization and a restart of the node has missed nothing',
    async () => {
      const { id } = await node.tip();
      await followUntil(`position 1 ${id}\n`);
      const old = await generate(2, 0);
      await followUntil(`block.added 3 ${old[1] ?? ''}\n`);
      // It says each event before it remembers it.
      await waitUntil('follow to remember its position', () => positionOf(folder).startsWith('3-'));
      await follower?.kill();
      await node.rpc.path('/pop_blocks', { nblocks: 2 });
      const now = await generate(3, 1000);
      expect(now).not.toEqual(expect.arrayContaining(old));
      await followUntil(`block.added 4 ${now[2] ?? ''}\n`);
      expect(follower?.output().trim().split('\n')).toEqual([
        `block.removed 3 ${old[1] ?? ''}`,
        `block.removed 2 ${old[0] ?? ''}`,
        ...now.map((each, i) => `block.added ${2 + i} ${each}`),
      ]);
      await node.stop();
      expect(await follower?.exited).toEqual({ code: 1, signal: null });
      await start(node.dataDir);
      const [last = ''] = await generate(1, 0);
      await followUntil(`block.added 5 ${last}\n`);
      expect(follower?.output()).toBe(`block.added 5 ${last}\n`);
    },
    3 * WAIT,
  );
});
