import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { toHex } from '@monero-node/codec';
import { openLmdbStore } from '@monero-node/storage';
import { CHAIN_FILE } from '../chain/fixture.ts';
import { chainTool, ending } from '../harness/chain-tool.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

const TOOL_TIMEOUT = 500_000;
let dataDir: string;
let chainDir: string;

const tool = (command: string, ...args: string[]) =>
  ending(chainTool(dataDir, command, args), TOOL_TIMEOUT);

/** Returns the last block with transactions, one of its transactions, and bytes of a signature of it. */
async function lastSpend(): Promise<{ height: number; txId: string; bytes: Buffer }> {
  const store = await openLmdbStore({ path: chainDir });
  try {
    for (let height = store.height - 1; height > 0; height--) {
      const tx = store.blockTxs(height).find(({ prunable }) => prunable.length > 1000);
      if (tx === undefined) continue;
      return { height, txId: toHex(tx.id), bytes: Buffer.from(tx.prunable.slice(-200, -168)) };
    }
    throw new Error('the chain has no transactions');
  } finally {
    await store.close();
  }
}

/** Flips one bit of every occurrence of some bytes in the data file. */
function flip(wanted: Buffer): void {
  const path = join(chainDir, 'data.mdb');
  const bytes = readFileSync(path);
  let flips = 0;
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    bytes.writeUInt8((bytes[at + 5] ?? 0) ^ 1, at + 5);
    flips++;
  }
  expect(flips).toBeGreaterThan(0);
  writeFileSync(path, bytes);
}

beforeAll(async () => {
  dataDir = newFolder('signatures');
  chainDir = join(dataDir, 'fake', 'chain');
  const imported = await tool(
    'import',
    '--input-file',
    CHAIN_FILE,
    '--dangerous-unverified-import',
  );
  expect(imported).toMatchObject({
    code: 0,
    output: expect.stringContaining('1214 blocks imported'),
  });
}, 300_000);

test(
  'proof of work, signatures and range proofs of the recorded chain are valid, also after an interruption',
  async () => {
    const state = join(dataDir, 'fake', 'verify-signatures-state.json');
    const first = await ManagedProcess.start(
      chainTool(dataDir, 'verify', ['--signatures', '--pow']),
    );
    await waitUntil('progress', () => Promise.resolve(first.output().includes('verified ')), {
      timeout: 120_000,
    });
    expect(await first.stop()).toBe(130);
    expect(existsSync(state)).toBe(true);
    const { code, output } = await tool('verify', '--signatures', '--pow');
    expect(output).toMatch(/^going on at block \d+ of \d+$/m);
    expect(output).toMatch(
      /^\d+ blocks verified, proof of work, signatures and range proofs: all valid$/m,
    );
    expect(code).toBe(0);
    expect(existsSync(state)).toBe(false);
  },
  TOOL_TIMEOUT,
);

test(
  'a flipped bit of a signature is found, with its block and transaction',
  async () => {
    const { height, txId, bytes } = await lastSpend();
    flip(bytes);
    const range = ['--from', String(height - 2), '--to', String(height + 2)];
    const { code, output } = await tool('verify', '--signatures', ...range);
    expect(output).toContain(`block ${height}, transaction ${txId}: `);
    expect(output).toMatch(/^4 blocks verified, signatures and range proofs: 1 fault\. Restore/m);
    expect(code).toBe(1);
    const below = await tool('verify', '--signatures', '--from', '100', '--to', '110');
    expect(below.output).toContain('11 blocks verified, signatures and range proofs: all valid');
  },
  TOOL_TIMEOUT,
);

test('options that do not fit together are refused', async () => {
  for (const [args, problem] of [
    [['--pow'], '--pow needs --signatures'],
    [['--from', '1'], '--from needs --signatures'],
    [['--signatures', '--from', '9', '--to', '8'], '--to is below --from'],
    [['--signatures', '--from', '999999999'], '--from is above the newest block'],
    [['--signatures', '--json'], "'verify' does not take --json; it is an option of info"],
    [['--signatures', '--to', 'x'], "the argument ('x') for option '--to' is invalid"],
  ] as const) {
    const { code, output } = await tool('verify', ...args);
    expect([code, output]).toEqual([1, expect.stringContaining(problem)]);
  }
});
