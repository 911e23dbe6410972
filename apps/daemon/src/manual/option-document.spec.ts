import { jest } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDaemonSettings } from '../cli/daemon-settings.ts';
import { OptionReader } from '../cli/given-options.ts';
import { MONEROD_OPTIONS } from '../cli/monerod-options.ts';
import { OPTIONS, optionNamed, type OptionName } from '../cli/options/options.ts';
import { parseArguments } from '../cli/parse-arguments.ts';
import { testPath } from './option-document.ts';

/** A regtest address. */
const ADDRESS =
  '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';

const pathOf = (path: string): string =>
  fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

let dir: string;
beforeAll(() => (dir = mkdtempSync(join(tmpdir(), 'option-document-'))));
afterAll(() => rmSync(dir, { recursive: true }));

test('every option of monerod exists here, with a value or without as there', () => {
  for (const { name, hasValue } of MONEROD_OPTIONS) {
    const ours = optionNamed(name);
    expect({ name, hasValue: ours && ours.kind !== 'switch' }).toEqual({ name, hasValue });
  }
});

test('a default is that of monerod, or the table says why not', () => {
  for (const { name, default: theirs } of MONEROD_OPTIONS) {
    const ours = optionNamed(name);
    if (ours?.support !== 'works') continue;
    const isSame = ours.default === theirs;
    // A reason without a difference would be out of date.
    expect([name, ours.defaultNote !== undefined]).toEqual([name, !isSame]);
  }
});

test('options without effect and refused ones have a reason', () => {
  for (const { name } of MONEROD_OPTIONS) {
    const ours = optionNamed(name);
    if (ours?.support === 'works') continue;
    expect([name, ours?.note ?? ours?.reason]).toEqual([name, expect.any(String)]);
  }
});

test('the notes are on options of monerod and name tests that exist', () => {
  const names = new Set(MONEROD_OPTIONS.map(({ name }) => name));
  for (const { name, note, defaultNote, shownBy } of OPTIONS) {
    const isNoted = [note, defaultNote, shownBy].some((each) => each !== undefined);
    if (isNoted) expect([name, names.has(name)]).toEqual([name, true]);
    if (shownBy !== undefined)
      expect([shownBy, existsSync(pathOf(testPath(shownBy)))]).toEqual([shownBy, true]);
  }
});

/** Read by `run` before there are settings. */
const READ_ELSEWHERE = new Set(['help', 'help-all', 'version', 'os-version']);

/** Options without which others are not read. */
const OPENING = [
  ['--regtest', '--public-node', '--restricted-rpc', '--detach', '--metrics-bind-port', '0'],
  [
    '--regtest',
    '--public-node',
    '--rpc-restricted-bind-port',
    '1',
    '--bootstrap-daemon-address',
    'auto',
  ],
];

test('no option that works is left unread', () => {
  const asked = new Set<string>();
  for (const method of ['has', 'get'] as const) {
    const original = OptionReader.prototype[method] as (name: OptionName) => never;
    jest.spyOn(OptionReader.prototype, method).mockImplementation(function (
      this: OptionReader,
      name: OptionName,
    ) {
      asked.add(name);
      return original.call(this, name);
    } as never);
  }
  try {
    // Mining to an address of regtest reads the options about mining.
    const mining = ['--regtest', '--start-mining', ADDRESS];
    for (const options of [...OPENING, mining])
      makeDaemonSettings(parseArguments(['--data-dir', dir, ...options]).values);
  } finally {
    jest.restoreAllMocks();
  }
  const works = OPTIONS.filter(({ support }) => support === 'works').map(({ name }) => name);
  expect(works.filter((name) => !asked.has(name) && !READ_ELSEWHERE.has(name))).toEqual([]);
});
