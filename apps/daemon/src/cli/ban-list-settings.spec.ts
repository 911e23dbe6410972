import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDaemonSettings } from './daemon-settings.ts';
import { parseArguments } from './parse-arguments.ts';
import { UsageError } from './usage-error.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ban-list-settings-'));
});
afterEach(() => rmSync(dir, { recursive: true }));
const make = (...argv: string[]) =>
  makeDaemonSettings(parseArguments(['--data-dir', dir, ...argv]).values);

const LIST = 'https://lists.example/bans?token=5';
const DIGEST = 'AB'.repeat(32);

test('a URL is downloaded twice a day unless told otherwise', () => {
  expect(make().banListUrl).toBeUndefined();
  const { banListUrl, p2p } = make('--ban-list', `${LIST}#part`);
  expect(banListUrl).toEqual({ url: new URL(LIST), sha256: undefined, interval: 43_200_000 });
  expect(p2p.banList).toBeUndefined();
  const more = ['--ban-list-interval', '5', '--ban-list-sha256', DIGEST];
  expect(make('--ban-list', LIST, ...more).banListUrl).toMatchObject({
    sha256: DIGEST.toLowerCase(),
    interval: 300_000,
  });
});

test.each([
  [['--ban-list', 'http://'], /is no URL/],
  [['--ban-list', 'http://me:secret@lists.example/'], /must not hold a login/],
  [['--ban-list', LIST, '--ban-list-sha256', 'abc'], /64 hex digits/],
  [['--ban-list', LIST, '--ban-list-interval', '0'], /ban-list-interval/],
  [['--ban-list', 'ftp://lists.example/bans'], /Failed to read ban list ftp:/],
])('refuses %j', (argv, why) => {
  expect(() => make(...argv)).toThrow(UsageError);
  expect(() => make(...argv)).toThrow(why);
});

test('options without effect are named', () => {
  expect(make('--ban-list-interval', '5', '--ban-list-sha256', DIGEST).warnings).toEqual([
    '--ban-list-interval has no effect without --ban-list URL',
    '--ban-list-sha256 has no effect without --ban-list URL',
  ]);
  expect(make('--ban-list', LIST).warnings).toEqual([]);
  expect(make('--ban-list', LIST, '--offline').warnings).toEqual([
    '--ban-list: with --offline the list is not downloaded',
  ]);
});
