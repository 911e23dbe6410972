import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCredentials } from './connect.ts';
import { defaultNaming, eventNames } from './names.ts';

test('names follow the network', () => {
  const names = eventNames(defaultNaming('mainnet'));
  expect(names.chainSubject).toBe('monero.mainnet.chain');
  expect(names.poolStream).toBe('MONERO_MAINNET_POOL');
});

test.each([
  ['', 'A'],
  ['a.', 'A'],
  ['a.>', 'A'],
  ['a b', 'A'],
  ['a', 'A.B'],
  ['a', ''],
  ['a'.repeat(200), 'A'],
])('prefix %j and stream %j are refused', (prefix, stream) => {
  expect(() => eventNames({ prefix, stream })).toThrow(RangeError);
});

describe('credentials', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'credentials-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (text: string): unknown => {
    const file = join(folder, 'file');
    writeFileSync(file, text);
    const answer: unknown = readCredentials(file)('nonce');
    return answer;
  };

  test('a user with a password, and a token', () => {
    expect(read('user:pass:word\n')).toEqual({ user: 'user', pass: 'pass:word' });
    expect(read('token\n')).toEqual({ auth_token: 'token' });
  });

  test('an empty file is refused', () => {
    expect(() => read('\n')).toThrow('holds no credentials');
  });
});
