import { jest } from '@jest/globals';
import {
  bansAfter,
  readBans,
  requestBan,
  requestBanEnd,
  saveChain,
  requestMining,
  requestMiningStop,
  type Ban,
} from './actions.ts';

const fetchMock = jest.fn<typeof fetch>();
beforeEach(() => {
  fetchMock.mockReset();
  globalThis.fetch = fetchMock;
});

const answer = (status: string, code = 200): void => {
  fetchMock.mockImplementation(() =>
    Promise.resolve(new Response(JSON.stringify({ status }), { status: code })),
  );
};
const start = () => requestMining({ address: '4x', threads: 2, background: true });

test('a call bears the mark of the page', async () => {
  answer('OK');
  await start();
  const [path, options] = fetchMock.mock.calls[0] ?? [];
  expect(path).toBe('/start_mining');
  expect(options).toMatchObject({
    method: 'POST',
    headers: { 'X-Requested-With': 'monero-node', 'Content-Type': 'application/json' },
  });
  expect(JSON.parse(String(options?.body))).toEqual({
    miner_address: '4x',
    threads_count: 2,
    do_background_mining: true,
    ignore_battery: false,
  });
  await requestMiningStop();
  await saveChain();
  expect(fetchMock.mock.calls.slice(1).map(([called]) => called)).toEqual([
    ...['/stop_mining', '/save_bc'],
  ]);
});

test.each([
  ['BUSY', 'The node is still synchronizing.'],
  ['Failed, wrong address', 'This is not an address of this network.'],
  ['Already mining', 'The miner is running already.'],
  ["Mining to subaddress isn't supported yet", "Mining to subaddress isn't supported yet."],
  [
    'Failed, too many threads relative to CPU cores.',
    'Failed, too many threads relative to CPU cores.',
  ],
])('the refusal %s has a sentence', async (status, sentence) => {
  answer(status);
  await expect(start()).rejects.toThrow(sentence);
});

test('a missing login, another refusal, and a node that is gone', async () => {
  answer('', 401);
  await expect(start()).rejects.toThrow('The node needs its login.');
  answer('', 403);
  await expect(start()).rejects.toThrow('The node refused the call (403).');
  fetchMock.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(requestMiningStop()).rejects.toThrow('The node does not answer.');
});

const result = (value: object): void => {
  fetchMock.mockImplementation(() => Promise.resolve(new Response(JSON.stringify(value))));
};
const params = (): unknown =>
  (JSON.parse(String(fetchMock.mock.calls.at(-1)?.[1]?.body)) as { params: unknown }).params;

test('a ban is for a day, is listed, and is lifted', async () => {
  const bans = [{ host: '203.0.113.9', ip: 1, seconds: 86_000 }];
  result({ result: { status: 'OK', bans } });
  await requestBan('203.0.113.9');
  const [path, options] = fetchMock.mock.calls[0] ?? [];
  expect(path).toBe('/json_rpc');
  expect(options?.headers).toMatchObject({ 'X-Requested-With': 'monero-node' });
  expect(params()).toEqual({ bans: [{ host: '203.0.113.9', ban: true, seconds: 86_400 }] });
  expect(await readBans()).toEqual(bans);
  await requestBanEnd('203.0.113.9');
  expect(params()).toEqual({ bans: [{ host: '203.0.113.9', ban: false, seconds: 0 }] });
});

test('a ban that the node refuses, and a node without bans', async () => {
  result({ error: { code: -1, message: 'Unsupported host/subnet type' } });
  await expect(requestBan('x')).rejects.toThrow('This address cannot be banned.');
  result({ result: { status: 'OK' } });
  expect(await readBans()).toEqual([]);
});

test('a ban that succeeds is not said to have failed when the list cannot be read', async () => {
  const ban = (): Promise<readonly Ban[]> => bansAfter(() => requestBan('203.0.113.9'), 'Banned');
  const ok = (): Promise<Response> =>
    Promise.resolve(new Response(JSON.stringify({ result: { status: 'OK' } })));
  fetchMock.mockImplementationOnce(ok).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(ban()).rejects.toThrow(
    'Banned; the list could not be read. The node does not answer.',
  );
  fetchMock.mockImplementation(ok);
  expect(await ban()).toEqual([]);
  fetchMock.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(ban()).rejects.toThrow(/^The node does not answer.$/);
});
