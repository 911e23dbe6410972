/** @jest-environment node */
import { jest } from '@jest/globals';
import * as schema from '@monero-node/rpc-schema';

/** Bodies that were parsed without a pause. */
let parsedAtOnce = 0;
jest.unstable_mockModule('@monero-node/rpc-schema', () => ({
  ...schema,
  parseWireJson: (bytes: Uint8Array) => {
    parsedAtOnce++;
    return schema.parseWireJson(bytes);
  },
}));

const { recordedServer } = await import('../testing/recorded-server.ts');
const { ask } = await import('../testing/http.ts');

const headers = { Origin: 'http://evil.example' };
const padding = `"x":[${Array(200_000).fill('7').join(',')}]`;

let node: Awaited<ReturnType<typeof recordedServer>>;
beforeAll(async () => {
  node = await recordedServer();
});
afterAll(() => node.stop());
beforeEach(() => {
  parsedAtOnce = 0;
});

test.each(['the owner', 'the public'])(
  'a long request of a page to a port of %s is parsed in slices',
  async (whose) => {
    const port = whose === 'the owner' ? node.port : node.restrictedPort;
    const body = `{"method":"get_version",${padding}}`;
    const answer = await ask(port, { path: '/json_rpc', body, headers });
    expect(answer.body.toString()).toContain('"status": "OK"');
    expect(parsedAtOnce).toBe(0);
  },
);

test('a page cannot call what is hidden, whatever else it sends', async () => {
  const plain = '{"method":"get_bans"}';
  const ban = '{"method":"set_bans","params":{"bans":[{"host":"192.0.2.1","ban":true}]}}';
  const bodies = [
    plain,
    ban,
    `{${padding},"method":"get_bans"}`,
    '{"jsonrpc":2,"method":"get_bans"}',
  ];
  for (const body of bodies) {
    expect((await ask(node.port, { path: '/json_rpc', body, headers })).status).toBe(403);
  }
  for (const path of ['/stop_daemon', '/set_limit']) {
    expect((await ask(node.port, { path, body: '{', headers })).status).toBe(403);
    expect((await ask(node.restrictedPort, { path, body: '{}', headers })).status).toBe(404);
  }
  expect(node.control.stops).toBe(0);
  const restricted = await ask(node.restrictedPort, {
    path: '/json_rpc',
    body: plain,
    headers,
  });
  expect(restricted.body.toString()).toContain('Method not found');
});

test('answers that are kept are given to a page too, if it may call the method', async () => {
  const call = { path: '/json_rpc', body: '{"method":"get_block_count"}' };
  const own = await ask(node.port, call);
  expect((await ask(node.port, { ...call, headers })).body).toEqual(own.body);
});
