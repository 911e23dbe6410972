import { ask } from '../testing/http.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';

const ok = { status: 'OK', untrusted: false };

describe('calls about the process', () => {
  let node: RecordedServer;
  beforeEach(async () => {
    node = await recordedServer();
  });
  afterEach(() => node.stop());

  const json = async (path: string, request?: unknown): Promise<unknown> =>
    JSON.parse((await node.path(path, request)).body.toString());

  test.each([
    [undefined, ok, '<0>'],
    [{}, ok, '<0>'],
    [{ level: 4 }, ok, '<4>'],
    [{ level: 5 }, { status: 'Error: log level not valid', untrusted: false }, ''],
    [{ level: -1 }, { status: 'Error: log level not valid', untrusted: false }, ''],
  ])('set_log_level %j', async (request, answer, categories) => {
    expect(await json('/set_log_level', request)).toEqual(answer);
    expect(node.control.log.categories).toBe(categories);
  });

  test.each([{ level: 200 }, { level: '1' }])('set_log_level %j is no request', async (request) => {
    expect((await node.path('/set_log_level', request)).status).toBe(400);
  });

  test.each([
    [undefined, '<0>'],
    [{ categories: '' }, '<>'],
    [{ categories: '+a:INFO' }, '<+a:INFO>'],
  ])('set_log_categories %j', async (request, categories) => {
    expect(await json('/set_log_categories', request)).toEqual({ ...ok, categories });
    expect(node.control.log.categories).toBe(categories);
  });

  test('set_log_hash_rate while nothing is mined', async () => {
    const expected = { status: 'NOT MINING', untrusted: false };
    expect(await json('/set_log_hash_rate', { visible: true })).toEqual(expected);
  });

  test.each([
    [true, 'check', 'Daemon is running offline'],
    [true, 'x', 'Daemon is running offline'],
    [false, 'check', 'Error checking for updates'],
    [false, 'update', "'update' not implemented yet"],
    [false, 'x', "unknown command: 'x'"],
    [false, '', "unknown command: ''"],
  ])('update, offline %s, %s', async (offline, command, status) => {
    node.control.offline = offline;
    expect(await json('/update', { command })).toEqual({
      auto_uri: '',
      hash: '',
      path: '',
      status,
      untrusted: false,
      update: false,
      user_uri: '',
      version: '',
    });
  });

  test('none of them is served on the restricted port', async () => {
    for (const path of ['/set_log_level', '/set_log_categories', '/set_log_hash_rate', '/update']) {
      expect((await ask(node.restrictedPort, { path })).status).toBe(404);
    }
  });
});
