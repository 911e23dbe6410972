import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyLedger } from './copy-ledger.ts';

let from: string;
let to: string;
beforeEach(() => {
  from = mkdtempSync(join(tmpdir(), 'ledger-'));
  to = join(from, 'copy');
  mkdirSync(to);
});
afterEach(() => rmSync(from, { recursive: true }));

test('the whole lines are copied, for the owner only', () => {
  writeFileSync(join(from, 'mining-ledger'), 'one\ntwo\nhal');
  expect(copyLedger(from, to)).toBe(true);
  const copy = join(to, 'mining-ledger');
  expect(readFileSync(copy, 'utf8')).toBe('one\ntwo\n');
  expect(statSync(copy).mode & 0o777).toBe(0o600);
});

test('a data directory without a ledger has none to copy', () => {
  expect(copyLedger(from, to)).toBe(false);
  expect(existsSync(join(to, 'mining-ledger'))).toBe(false);
});

test('a ledger that cannot be read or written is an error', () => {
  mkdirSync(join(from, 'mining-ledger'));
  expect(() => copyLedger(from, to)).toThrow('EISDIR');
  rmSync(join(from, 'mining-ledger'), { recursive: true });
  writeFileSync(join(from, 'mining-ledger'), 'one\n');
  expect(() => copyLedger(from, join(from, 'nowhere'))).toThrow('ENOENT');
});
