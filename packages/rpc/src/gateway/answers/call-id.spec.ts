import { METHOD_SCHEMAS, parseWireJson } from '@monero-node/rpc-schema';
import { ask } from '../../testing/http.ts';
import { recordedServer, type RecordedServer } from '../../testing/recorded-server.ts';
import { readJsonRequest } from './read-request.ts';

const NESTED = `${'{"a":'.repeat(95)}[${'{"b":1},'.repeat(60_000)}{}]${'}'.repeat(95)}`;

describe('ids of calls', () => {
  let node: RecordedServer;
  beforeAll(async () => {
    node = await recordedServer();
  });
  afterAll(() => node.stop());

  const call = async (
    id: string,
    method = 'get_block_count',
    port = node.port,
  ): Promise<string> => {
    const body = `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`;
    return (await ask(port, { path: '/json_rpc', body })).body.toString();
  };

  test('an id that would make a huge answer is a parse error, on either port', async () => {
    for (const port of [node.port, node.restrictedPort]) {
      const answer = await call(NESTED, 'get_block_count', port);
      expect(JSON.parse(answer)).toEqual({
        error: { code: -32700, message: 'Parse error' },
        id: 0,
        jsonrpc: '2.0',
      });
    }
    expect((await call(NESTED, 'no_such_method')).length).toBeLessThan(1000);
    expect((await call(NESTED, 'get_block')).length).toBeLessThan(1000);
  });

  test('an answer is not many times as long as its request', async () => {
    const id = `${'{"a":'.repeat(60)}[${'{},'.repeat(500)}{}]${'}'.repeat(60)}`;
    expect((await call(id)).length).toBeLessThan(66_000 + 1000);
    expect(await call(`"${'x'.repeat(60_000)}"`)).toContain(`"id": "${'x'.repeat(60_000)}"`);
  });

  test('a failure quotes a bounded part of what the client sent', async () => {
    const params = { hash: 'x'.repeat(500_000) };
    const answer = JSON.stringify(await node.rpc('get_block_header_by_hash', params));
    expect(answer).toContain('Failed to parse hex representation of block hash. Hex = xxx');
    expect(answer.length).toBeLessThan(5000);
  });
});

test('a request of half a million values is converted in steps', () => {
  const params = parseWireJson(Buffer.from(`{"amounts":[${'1,'.repeat(500_000)}`));
  const steps = readJsonRequest(METHOD_SCHEMAS.getOutputHistogram.request, params);
  expect([...steps].length).toBeGreaterThan(900);
});
