import { ask } from '../testing/http.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import type { UpdateControl } from '../node-process.ts';

const ok = { status: 'OK', untrusted: false };
const noUpdate = {
  auto_uri: '',
  hash: '',
  path: '',
  user_uri: '',
  version: '',
  update: false,
  untrusted: false,
};

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
    [false, 'update', 'Error checking for updates'],
    [false, 'x', "unknown command: 'x'"],
    [false, '', "unknown command: ''"],
  ])('update, offline %s, %s', async (offline, command, status) => {
    node.control.offline = offline;
    expect(await json('/update', { command })).toEqual({ ...noUpdate, status });
  });

  const NEWER = { version: '2.0.0', uri: 'https://r.example/b.tgz', hash: 'ab'.repeat(64) };
  const found = {
    ...ok,
    update: true,
    version: NEWER.version,
    hash: NEWER.hash,
    path: '',
    user_uri: NEWER.uri,
    auto_uri: NEWER.uri,
  };

  /** Adds a registry to the node, in which it finds a version. */
  function offer(changes: Partial<UpdateControl> = {}): string[] {
    const asked: string[] = [];
    node.control.offline = false;
    node.control.updates = {
      isAvailable: true,
      check: () => Promise.resolve(NEWER),
      download: ({ version }, path = '/own') => {
        asked.push(`${version} ${path}`);
        return Promise.resolve(path);
      },
      ...changes,
    };
    return asked;
  }

  test('update finds a newer version, and downloads it when told to', async () => {
    const asked = offer();
    expect(await json('/update', { command: 'check' })).toEqual(found);
    expect(asked).toEqual([]);
    expect(await json('/update', { command: 'download' })).toEqual({ ...found, path: '/own' });
    const elsewhere = { command: 'download', path: '/there' };
    expect(await json('/update', elsewhere)).toEqual({ ...found, path: '/there' });
    expect(asked).toEqual(['2.0.0 /own', '2.0.0 /there']);
  });

  test('update never installs', async () => {
    offer();
    const status = "'update' not implemented yet";
    expect(await json('/update', { command: 'update' })).toEqual({
      ...found,
      path: '/own',
      status,
    });
  });

  test('update finds no newer version', async () => {
    const asked = offer({ isAvailable: false, check: () => Promise.resolve(undefined) });
    expect(await json('/update', { command: 'download' })).toEqual({ ...noUpdate, ...ok });
    expect(asked).toEqual([]);
  });

  test('update names the reason when it fails', async () => {
    const fail = (reason: string) => () => Promise.reject(new Error(reason));
    offer({ check: fail('https://r.example: it answered with status 404') });
    expect(await json('/update', { command: 'check' })).toEqual({
      ...noUpdate,
      status: 'Error checking for updates: https://r.example: it answered with status 404',
    });
    offer({ download: fail('wrong hash') });
    expect(await json('/update', { command: 'download' })).toEqual({
      ...found,
      status: 'Failed to download: wrong hash',
    });
  });

  test('get_info shows a newer version, except on restricted ports', async () => {
    const seen = async (port: number) => {
      const { body } = await ask(port, { path: '/get_info' });
      return (JSON.parse(body.toString()) as { update_available: boolean }).update_available;
    };
    expect(await seen(node.port)).toBe(false);
    offer();
    expect(await seen(node.port)).toBe(true);
    expect(await seen(node.restrictedPort)).toBe(false);
  });

  test('none of them is served on the restricted port', async () => {
    for (const path of ['/set_log_level', '/set_log_categories', '/set_log_hash_rate', '/update']) {
      expect((await ask(node.restrictedPort, { path })).status).toBe(404);
    }
  });
});
