import { meetsDifficulty } from '@monero-node/consensus';
import { LineReader, LineTooLongError } from './line-reader.ts';
import { readLogin, shownName } from './login.ts';
import { readRequest, RequestError } from './request.ts';
import { meetsTarget, targetOf } from './target.ts';

describe('lines', () => {
  const linesOf = (chunks: string[], limit = 10): string[] => {
    const reader = new LineReader(limit);
    return chunks.flatMap((chunk) => [...reader.take(Buffer.from(chunk))]);
  };

  test('are the same however they arrive', () => {
    expect(linesOf(['ab\ncd\r\nef'])).toEqual(['ab', 'cd']);
    expect(linesOf(['a', 'b', '\n', 'cd\r', '\n', 'e', 'f'])).toEqual(['ab', 'cd']);
  });

  test('that are empty are left out', () => {
    expect(linesOf(['\n\r\na\n\n'])).toEqual(['a']);
    expect(linesOf(['\r', '\n', '\n', 'a', '\n'])).toEqual(['a']);
  });

  test('that are too long are refused before they end', () => {
    expect(linesOf(['0123456789\n'])).toEqual(['0123456789']);
    expect(() => linesOf(['0123456789a'])).toThrow(LineTooLongError);
    expect(() => linesOf(['01234', '56789', 'a'])).toThrow(LineTooLongError);
  });
});

describe('requests', () => {
  test('of xmrig are read', () => {
    const login = `{"id":1,"jsonrpc":"2.0","method":"login","params":{"login":"rig1","pass":"x","agent":"XMRig/6.21","rigid":"attic","algo":["cn/1","rx/0"]}}`;
    expect(readRequest(login)).toEqual({
      method: 'login',
      id: 1,
      login: 'rig1',
      password: 'x',
      agent: 'XMRig/6.21',
      rigName: 'attic',
      algorithms: ['cn/1', 'rx/0'],
    });
    const submit = `{"id":2,"method":"submit","params":{"id":"s","job_id":"1","nonce":"01020304","result":"ff"}}`;
    const share = { session: 's', jobId: '1', nonce: '01020304', result: 'ff' };
    expect(readRequest(submit)).toEqual({ method: 'submit', id: 2, ...share });
    const ping = `{"id":3,"method":"keepalived","params":{"id":"s"}}`;
    expect(readRequest(ping)).toEqual({ method: 'keepalived', id: 3, session: 's' });
  });

  test.each(['', '[]', 'null', '7', '{', '{"id":1}', '{"method":"mine"}', '['.repeat(9000)])(
    '%p is refused',
    (line) => {
      expect(() => readRequest(line)).toThrow(RequestError);
    },
  );

  test('fields of a wrong type are empty, and only short ids are repeated', () => {
    const id = 'x'.repeat(65);
    const line = JSON.stringify({ id, method: 'login', params: { login: 7, algo: 'rx/0' } });
    expect(readRequest(line)).toMatchObject({ id: null, login: '', algorithms: undefined });
    expect(readRequest('{"id":1,"method":"getjob","params":[]}')).toMatchObject({ session: '' });
  });
});

test.each([
  ['rig1', 'rig1', 'rig1', '', undefined],
  ['rig1+50000', 'rig1', 'rig1', '', 50_000],
  ['rig1+7', 'rig1', 'rig1', '', 7],
  ['rig1.50000', 'rig1', 'rig1', '', 50_000],
  ['rig.12', 'rig.12', 'rig', '12', undefined],
  ['4ABC.attic+1000', '4ABC.attic', '4ABC', 'attic', 1000],
  ['rig+0', 'rig', 'rig', '', undefined],
  ['rig+x', 'rig+x', 'rig+x', '', undefined],
  ['a+1234567890123456', 'a+1234567890123456', 'a+1234567890123456', '', undefined],
])('the login %s', (login, user, account, worker, difficulty) => {
  expect(readLogin(login)).toEqual({ user, account, worker, difficulty });
});

test('names are shown without anything that a terminal takes for a command', () => {
  expect(shownName('rig\u001b[2J\nü')).toBe('rig?[2J??');
  expect(shownName('--config=x')).toBe('?-config=x');
  expect(shownName('x'.repeat(100))).toHaveLength(48);
});

describe('targets', () => {
  /** What xmrig makes of a target. Source: Job::setTarget in src/base/net/stratum/Job.cpp. */
  const boundOf = (hex: string): bigint => {
    const bytes = Buffer.from(hex, 'hex');
    if (bytes.length === 8) return bytes.readBigUInt64LE();
    return (2n ** 64n - 1n) / ((2n ** 32n - 1n) / BigInt(bytes.readUInt32LE()));
  };

  test.each([1n, 2n, 3n, 30n, 999n, 50_000n, 4_000_000n, 4_000_001n, 10n ** 12n])(
    'of difficulty %d are read as meant and let through every hash that meets it',
    (difficulty) => {
      const target = targetOf(difficulty);
      expect(target.hex).toHaveLength(difficulty <= 4_000_000n ? 8 : 16);
      expect(boundOf(target.hex)).toBe(target.bound);
      const largest = (2n ** 256n - 1n) / difficulty;
      const bytes = Buffer.from(largest.toString(16).padStart(64, '0'), 'hex').reverse();
      const hash = Uint8Array.from(bytes);
      expect(meetsDifficulty(hash, difficulty)).toBe(true);
      if (difficulty > 1n) expect(meetsTarget(hash, target)).toBe(true);
      const told = Number(2n ** 64n / target.bound);
      expect(Math.abs(told - Number(difficulty)) / Number(difficulty)).toBeLessThanOrEqual(
        difficulty < 1000n ? 0.5 : 0.001,
      );
    },
  );
});
