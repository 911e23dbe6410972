import { RECORDED_RELEASE } from './monerod-options.ts';
import { OptionReader } from './given-options.ts';
import { rpcVersion } from './rpc-settings.ts';

const choose = (choice?: string) =>
  rpcVersion(new OptionReader(new Map(choice ? [['rpc-version-string', choice]] : [])), '1.2.3');

test('the version of this program is reported by default', () => {
  expect([choose(), choose('own')]).toEqual(['1.2.3', '1.2.3']);
});

test('the version of monerod is that of the release compared with, in the form that monerod checks', () => {
  expect(choose('monerod')).toBe(`${RECORDED_RELEASE}-release`);
  expect(choose('monerod')).toMatch(/^\d{1,2}(\.\d{1,2}){3}(-(release|[0-9a-f]{9}))?$/);
});

test('another choice is refused', () => {
  expect(() => choose('0.19')).toThrow('--rpc-version-string must be own or monerod, not 0.19');
});
