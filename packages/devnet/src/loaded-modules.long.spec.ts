/** @jest-environment node */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
/** Packages of the registry that no devnet in memory needs. */
const NEVER = /\/node_modules\/(lmdb|msgpackr|express|socks|libp2p|@libp2p|ws|@nats-io)\//;
/** Our code of which a node in memory without options has no use. */
const UNUSED =
  /\/packages\/(zmq|stratum|events|dashboard|curve-tree|fcmp)\/|\/storage\/dist\/(index|lmdb\/open)\.js$/;
const SIGNER = /insecure-signer/;
/** What only a running node needs. */
const NODE = /\/packages\/(node|rpc|p2p|storage|blockchain|mempool|miner|pow)\//;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-modules-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Runs a program with the package as built. Returns the URLs of all scripts that V8 has loaded. */
async function scriptsOf(program: string): Promise<string[]> {
  await promisify(execFile)(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { startNode, devAccount } from '@monero-node/devnet'; ${program}`,
    ],
    // V8 lists the scripts of a process, modules of both kinds, where their use is to be measured.
    { cwd: PACKAGE, env: { ...process.env, NODE_OPTIONS: '', NODE_V8_COVERAGE: dir } },
  );
  return readdirSync(dir).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(dir, file), 'utf8')) as {
      result: { url: string }[];
    };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
}

/** Returns the scripts that match any of the patterns. */
const among = (scripts: readonly string[], ...patterns: readonly RegExp[]): string[] =>
  scripts.filter((url) => patterns.some((each) => each.test(url)));

test('the import of a devnet loads nothing of a node', async () => {
  const scripts = await scriptsOf('');
  expect(among(scripts, NEVER, UNUSED, SIGNER, NODE)).toEqual([]);
  // 300 of them when this was written, 1000 while it loaded a node.
  expect(scripts.length).toBeGreaterThan(100);
  expect(scripts.length).toBeLessThanOrEqual(330);
});

test('a node in memory loads no database and no part that is off', async () => {
  const scripts = await scriptsOf('await (await startNode()).stop();');
  expect(among(scripts, NEVER, UNUSED, SIGNER)).toEqual([]);
  expect(among(scripts, /\/packages\/p2p\/dist\/index\.js$/)).toHaveLength(1);
});

test('a chain on disk loads the database, and a payment the signer', async () => {
  const scripts = await scriptsOf(`
    const node = await startNode({ dataDir: ${JSON.stringify(join(dir, 'data'))} });
    try {
      await node.pay({ from: await node.fundedAccount(), to: devAccount(1).address, amount: 1n });
    } finally {
      await node.stop();
    }
    (await import('node:fs')).rmSync(${JSON.stringify(join(dir, 'data'))}, { recursive: true });
  `);
  expect(among(scripts, /\/node_modules\/lmdb\//).length).toBeGreaterThan(0);
  expect(among(scripts, SIGNER).length).toBeGreaterThan(0);
  // V8 lists the scripts of threads too: those that verify signatures load nothing for proofs of another fork.
  expect(among(scripts, /\/crypto\/dist\/pool\/worker\.js$/).length).toBeGreaterThan(0);
  expect(among(scripts, /\/packages\/(curve-tree|fcmp)\//)).toEqual([]);
});
