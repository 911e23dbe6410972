import { dnsWarnings, mayAskDns } from './p2p-settings.ts';
import { OptionReader, type OptionValue } from './given-options.ts';

const values = (given: Record<string, OptionValue>) =>
  new OptionReader(new Map(Object.entries(given)));
const PROXY = { proxy: '127.0.0.1:9050' };
const LEAKS = { 'proxy-allow-dns-leaks': true };

test.each([
  [{}, true],
  [PROXY, false],
  [{ ...PROXY, ...LEAKS }, true],
  [LEAKS, true],
])('with %j the DNS may be asked: %s', (given, expected) => {
  expect(mayAskDns(values(given))).toBe(expected);
});

test('options that would leak have no effect, and the log says so', () => {
  const both = { 'enforce-dns-checkpointing': true, 'enable-dns-blocklist': true };
  const why = 'has no effect with --proxy without --proxy-allow-dns-leaks';
  expect(dnsWarnings(values({ ...both, ...PROXY }))).toEqual([
    `--enforce-dns-checkpointing ${why}`,
    `--enable-dns-blocklist ${why}`,
  ]);
  expect(dnsWarnings(values(both))).toEqual([]);
  expect(dnsWarnings(values({ ...both, ...PROXY, ...LEAKS }))).toEqual([]);
  expect(dnsWarnings(values(LEAKS))).toEqual([
    '--proxy-allow-dns-leaks has no effect without --proxy',
  ]);
});
