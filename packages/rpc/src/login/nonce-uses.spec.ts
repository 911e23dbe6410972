import {
  digestLogin,
  header,
  LOGIN,
  offeredBy,
  outcome,
  sessionOf,
  type Changes,
} from '../testing/digest-client.ts';
import type { ListenerLogin } from './digest-session.ts';
import { NonceLedger } from './nonce-uses.ts';
import { newNonceKey, Nonces } from './nonces.ts';

let time = 0;
beforeEach(() => (time = 1_000_000));

describe('on other connections than its own a nonce', () => {
  /** Returns the outcomes of requests, each on a connection of its own, with one nonce. */
  function elsewhere(
    login: ListenerLogin,
    nonce: string,
    ...requests: readonly Changes[]
  ): string[] {
    return requests.map((changes) =>
      outcome(sessionOf(login).challenge('GET', header(nonce, changes))),
    );
  }
  const offered = (login: ListenerLogin): string =>
    offeredBy(sessionOf(login).challenge('GET', undefined));

  test('is accepted with a higher count each time', () => {
    const login = digestLogin(LOGIN, () => time);
    const counts = ['00000001', '00000001', '00000003', '00000002', '0000000a', 'ffffffff'];
    const requests = counts.map((nc) => ({ nc }));
    expect(elsewhere(login, offered(login), ...requests)).toEqual([
      ...['in', 'true', 'in', 'true', 'in', 'in'],
    ]);
  });

  test('is used up by a login without qop, and by none with a wrong password', () => {
    const login = digestLogin(LOGIN, () => time);
    const nonce = offered(login);
    const requests = [{ pass: 'other' }, { qop: '' }, { qop: '' }, { nc: '00000009' }];
    expect(elsewhere(login, nonce, ...requests)).toEqual(['false', 'in', 'true', 'true']);
  });

  test('is stale after a minute, and so is one that another server has made or that was changed', () => {
    const login = digestLogin(LOGIN, () => time);
    const nonce = offered(login);
    const foreign = offered(digestLogin(LOGIN, () => time));
    expect(elsewhere(login, foreign, {})).toEqual(['true']);
    const bytes = Buffer.from(nonce, 'base64');
    bytes.writeUInt8(bytes.readUInt8(4) ^ 1, 4);
    expect(elsewhere(login, bytes.toString('base64'), {})).toEqual(['true']);
    for (const other of [`${nonce} `, nonce.slice(0, -1), nonce.replace('==', ''), ''])
      expect(elsewhere(login, other, {})).toEqual([other === '' ? 'false' : 'true']);
    time += 60_000;
    expect(elsewhere(login, nonce, {})).toEqual(['in']);
    time += 1;
    expect(elsewhere(login, nonce, { nc: '00000002' })).toEqual(['true']);
  });

  test('is refused once it was used on its own, where it stays valid', () => {
    const login = digestLogin(LOGIN, () => time);
    const own = sessionOf(login);
    const nonce = offeredBy(own.challenge('GET', undefined));
    expect(outcome(own.challenge('GET', header(nonce)))).toBe('in');
    expect(elsewhere(login, nonce, {}, { nc: '00000002' })).toEqual(['true', 'true']);
    time += 3_600_000;
    expect(outcome(own.challenge('GET', header(nonce, { nc: '00000002' })))).toBe('in');
  });

  test('is refused on its own once it was used elsewhere with the same login', () => {
    const login = digestLogin(LOGIN, () => time);
    const own = sessionOf(login);
    const nonce = offeredBy(own.challenge('GET', undefined));
    expect(elsewhere(login, nonce, {})).toEqual(['in']);
    expect(outcome(own.challenge('GET', header(nonce)))).toBe('true');
  });

  test('takes no part in the count of the nonce that the connection was given', () => {
    const login = digestLogin(LOGIN, () => time);
    const other = offered(login);
    const session = sessionOf(login);
    const nonce = offeredBy(session.challenge('GET', undefined));
    const requests: [string, string][] = [
      [nonce, '00000001'],
      [other, '00000001'],
      [nonce, '00000002'],
    ];
    const results = requests.map(([with_, nc]) =>
      outcome(session.challenge('GET', header(with_, { nc }))),
    );
    expect(results).toEqual(['in', 'in', 'in']);
  });
});

test('used nonces are remembered until they expire; when there are too many, the older ones expire early', () => {
  const nonces = new Nonces(newNonceKey(), () => time);
  const ledger = new NonceLedger(nonces, 3);
  const made = Array.from({ length: 5 }, () => {
    time += 10;
    return nonces.make();
  });
  const spend = (index: number, count: number): boolean => ledger.spend(made[index] ?? '', count);
  expect([1, 2, 3, 4].map((index) => spend(index, 1))).toEqual([true, true, true, true]);
  expect(ledger.size).toBe(3);
  // The second was forgotten, so that it counts as old, and the first, which is older, too.
  expect([0, 1, 2, 3, 4].map((index) => spend(index, 2))).toEqual([
    ...[false, false, true, true, true],
  ]);
  time += 60_001;
  expect(ledger.spend(nonces.make(), 1)).toBe(true);
  expect(ledger.size).toBe(1);
});
