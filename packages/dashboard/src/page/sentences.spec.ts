import { banText, diskText, updateText } from './sentences.ts';

const NOW = 1_700_000_000;
const update = { isChecking: true, checkedAt: null, newer: null, failure: null };

test.each([
  [{ chainBytes: 1, freeBytes: 2e9, stripe: null }, 'used, 2.00 GB free, not pruned'],
  [{ chainBytes: 1, freeBytes: null, stripe: 3 }, 'used, pruned (stripe 3 of 8)'],
])('the disk: %j', (disk, text) => {
  expect(diskText(disk)).toBe(text);
});

test.each([
  [{}, 'looking for a newer one'],
  [{ isChecking: false }, 'not compared: checks are off'],
  [{ checkedAt: NOW - 7200 }, 'the newest, compared 2 h ago'],
  [{ checkedAt: NOW - 7200, newer: '9.0.0' }, '9.0.0 is available'],
  [{ failure: 'no answer' }, 'not compared: no answer'],
  [
    { checkedAt: NOW - 43_200, failure: 'no answer' },
    'the newest when compared 12 h ago; since then: no answer',
  ],
])('updates: %j', (changes, text) => {
  expect(updateText({ ...update, ...changes }, NOW * 1000)).toBe(text);
});

test.each([
  [86_400, 'for 1 d'],
  [0xfffffffe, 'for 49,710 d'],
  [0xffffffff, 'for good, by a ban list'],
])('a ban of %d seconds', (seconds, text) => {
  expect(banText(seconds)).toBe(text);
});
