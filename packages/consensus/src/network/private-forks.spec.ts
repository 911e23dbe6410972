import { checkPrivateForks, parsePrivateForks } from './private-forks.ts';

const fork = (version: number, height: number) => ({ version, height, time: 0 });

test.each<[string, ReturnType<typeof fork>[]]>([
  ['16:1,17:40,18:60', [fork(1, 0), fork(16, 1), fork(17, 40), fork(18, 60)]],
  ['18:1', [fork(1, 0), fork(18, 1)]],
  ['1:1,2:10', [fork(1, 1), fork(2, 10)]],
  ['1:0', [fork(1, 0)]],
  ['2:500000000', [fork(1, 0), fork(2, 500_000_000)]],
])('reads %s', (text, forks) => {
  expect(parsePrivateForks(text)).toEqual(forks);
});

test.each([
  ['', '"" is not a version and a height'],
  ['16', '"16" is not a version and a height'],
  ['16:1,', '"" is not'],
  ['16:1, 17:40', '" 17:40" is not'],
  ['16:-1', '"16:-1" is not'],
  ['16:1.5', '"16:1.5" is not'],
  ['16:0x10', '"16:0x10" is not'],
  ['16:1:2', '"16:1:2" is not'],
  ['16:9999999999', '"16:9999999999" is not'],
  ['0:1', 'there is no version 0, only 1 to 18'],
  ['19:1', 'there is no version 19, only 1 to 18'],
  ['16:500000001', 'height 500000001 is above 500000000'],
  ['16:0', 'version 16 at 0 must come after version 1 at 0 in both'],
  ['16:1,17:1', 'version 17 at 1 must come after version 16 at 1 in both'],
  ['17:1,16:2', 'version 16 at 2 must come after version 17 at 1 in both'],
  ['16:5,17:4', 'version 17 at 4 must come after version 16 at 5 in both'],
  ['1:2', 'fork 1 must be version 1 at height 0 or 1'],
])('refuses "%s"', (text, message) => {
  expect(() => parsePrivateForks(text)).toThrow(RangeError);
  expect(() => parsePrivateForks(text)).toThrow(message);
});

test('a list begins with version 1', () => {
  expect(() => checkPrivateForks([])).toThrow('it lists no fork');
  expect(() => checkPrivateForks([fork(2, 1)])).toThrow('fork 1 must be version 1');
  expect(() => checkPrivateForks([fork(1, 1), fork(16, 2)])).not.toThrow();
});
