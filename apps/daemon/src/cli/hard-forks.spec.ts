import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { powRuleOf, versionAtHeight } from '@monero-node/consensus';
import { UsageError } from './usage-error.ts';
import { parseArguments } from './parse-arguments.ts';
import { makeDaemonSettings } from './daemon-settings.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hard-forks-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const network = (content: unknown, ...argv: string[]) => {
  const file = join(dir, 'forks.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  const { values } = parseArguments(['--data-dir', dir, '--hard-forks', file, ...argv]);
  return makeDaemonSettings(values).network;
};
const fork = (version: number, height: number, time = 5) => ({ version, height, time });
const GOOD = [fork(1, 1), fork(2, 10), fork(16, 11)];

test.each(['testnet', 'stagenet', 'regtest'])('replaces the forks of %s', (name) => {
  const changed = network(GOOD, `--${name}`);
  expect(changed.name).toBe(name);
  expect(changed.hardForks).toEqual(GOOD);
  expect([0, 1, 9, 10, 11, 99].map((height) => versionAtHeight(changed, height))).toEqual([
    1, 1, 1, 2, 16, 16,
  ]);
});

test('combines with a fixed difficulty', () => {
  const changed = network(GOOD, '--stagenet', '--fixed-difficulty', '3');
  expect([changed.fixedDifficulty, changed.hardForks.length]).toEqual([3n, 3]);
});

test('names the proof of work from a version on', () => {
  const forks = [
    fork(1, 1),
    { ...fork(16, 5), powAlgorithm: 'randomx-v2' },
    { ...fork(17, 9), powAlgorithm: 'randomx', powCommitment: true },
  ];
  const changed = network(forks, '--regtest');
  expect(changed.hardForks).toEqual(forks);
  expect([1, 16, 17, 18].map((version) => powRuleOf(changed, version))).toEqual([
    { algorithm: 'cryptonight-0', commitment: false },
    { algorithm: 'randomx-v2', commitment: true },
    { algorithm: 'randomx', commitment: true },
    { algorithm: 'randomx', commitment: true },
  ]);
});

test('is refused on mainnet', () => {
  expect(() => network(GOOD)).toThrow('--hard-forks needs --testnet, --stagenet or --regtest');
  expect(() => network(GOOD)).toThrow(UsageError);
});

test.each<[string, unknown, string]>([
  ['no JSON', '[{', 'JSON'],
  ['no list', { forks: GOOD }, 'a list of forks is expected'],
  ['nothing', [], 'it lists no fork'],
  ['pairs', [[1, 1]], 'fork 1 must be an object with version, height, time'],
  ['a misspelt field', [{ ...fork(1, 1), hight: 2 }], 'unknown field "hight"'],
  ['a missing field', [{ version: 1, height: 1 }], 'fork 1 needs a whole number'],
  ['a fraction', [fork(1, 0.5)], '"height"'],
  ['a text', [{ version: '1', height: 1, time: 1 }], '"version"'],
  ['a negative height', [fork(1, 1), fork(2, -1)], 'fork 2 needs'],
  ['an unknown version', [fork(1, 1), fork(19, 5)], 'from 1 to 18 as "version"'],
  ['no version 1', [fork(2, 1)], 'fork 1 must be version 1'],
  ['a late start', [fork(1, 2)], 'at height 0 or 1'],
  ['the same version', [fork(1, 1), fork(1, 2)], 'version 1 at 2 must come after version 1 at 1'],
  ['the same height', [fork(1, 1), fork(2, 1)], 'version 2 at 1 must come after version 1 at 1'],
  [
    'an unknown algorithm',
    [fork(1, 1), { ...fork(16, 2), powAlgorithm: 'rx/2' }],
    'fork 2 needs one of randomx, randomx-v2 as "powAlgorithm"',
  ],
  [
    'a commitment that is no boolean',
    [fork(1, 1), { ...fork(16, 2), powAlgorithm: 'randomx-v2', powCommitment: 1 }],
    'fork 2 needs true or false as "powCommitment"',
  ],
  [
    'a commitment alone',
    [fork(1, 1), { ...fork(16, 2), powCommitment: true }],
    'fork 2: "powCommitment" stands beside "powAlgorithm" only',
  ],
  ['descending', [...GOOD, fork(15, 20)], 'version 15 at 20 must come after version 16 at 11'],
])('refuses %s', (_what, content, message) => {
  expect(() => network(content, '--stagenet')).toThrow(UsageError);
  expect(() => network(content, '--stagenet')).toThrow(message);
});

test('refuses a file that does not exist', () => {
  const { values } = parseArguments(['--stagenet', '--hard-forks', join(dir, 'none.json')]);
  expect(() => makeDaemonSettings(values)).toThrow('none.json');
});
