import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDaemonSettings } from '../cli/daemon-settings.ts';
import { parseArguments } from '../cli/parse-arguments.ts';
import { EXAMPLES, CONSOLE_COMMANDS } from './help.ts';
import { runRemoteCommand } from './remote.ts';

const ANSWERS: Readonly<Record<string, string>> = {
  '/get_height': '{"hash":"","height":9007199254740993,"status":"OK"}',
  '/get_limit': '{"limit_down":1,"limit_up":2,"status":"BUSY"}',
  '/get_info': '{"height":1,"target":120,"wide_difficulty":"0x1","status":"OK"}',
  '/json_rpc': '{"id":0,"jsonrpc":"2.0","result":{"bans":[],"version":16,"status":"OK"}}',
};

describe('a command sent to a running daemon', () => {
  let dir: string;
  let server: Server;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'remote-'));
    server = createServer((request, response) => {
      const answer = ANSWERS[request.url ?? ''];
      response.statusCode = answer === undefined ? 404 : 200;
      response.end(answer);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.close();
    rmSync(dir, { recursive: true });
  });

  const send = async (line: string, port = (server.address() as AddressInfo).port) => {
    const options = ['--data-dir', dir, '--rpc-ssl', 'disabled', '--rpc-bind-port', String(port)];
    const { values, words } = parseArguments([...options, ...line.split(' ')]);
    const printed: string[] = [];
    const errors: string[] = [];
    const status = await runRemoteCommand(words, makeDaemonSettings(values), {
      print: (text) => printed.push(text),
      printError: (text) => errors.push(text),
    });
    return { status, printed, errors };
  };

  test('prints the text and ends with status 0', async () => {
    expect(await send('bans')).toEqual({ status: 0, printed: ['No IPs are banned'], errors: [] });
  });

  test('--json prints the answer with every digit of its integers', async () => {
    expect(await send('print_height --json')).toMatchObject({
      status: 0,
      printed: ['{"hash":"","height":9007199254740993,"status":"OK"}'],
    });
    expect(await send('--json bans')).toMatchObject({
      printed: ['{"bans":[],"version":16,"status":"OK"}'],
    });
  });

  test('--json prints all answers of a command that makes several calls', async () => {
    const { printed } = await send('status --json');
    const answers = JSON.parse(printed[0] ?? '') as { call: string; answer: object }[];
    expect(answers.map(({ call }) => call)).toEqual([
      ...['get_info', 'hard_fork_info', 'get_reachability', 'get_stratum_rigs'],
    ]);
    expect(answers[0]?.answer).toMatchObject({ height: 1 });
  });

  test('--json prints the text of a command that calls nothing', async () => {
    const { printed } = await send('apropos bans --json');
    expect(JSON.parse(printed[0] ?? '')).toEqual({ text: '  bans' });
  });

  test.each([
    ['nonsense', 'Unknown command: nonsense. Type help for a list of commands.'],
    ['set_log 9', expect.stringContaining('Invalid syntax')],
    ['limit', 'Error: BUSY'],
    ['mining_status', 'Error: not available from this daemon'],
  ])('%s fails with status 1', async (line, message) => {
    expect(await send(line)).toEqual({ status: 1, printed: [], errors: [message] });
    const { status, printed } = await send(`${line} --json`);
    expect(status).toBe(1);
    expect(JSON.parse(printed[0] ?? '')).toEqual({ error: message });
  });

  test('reload says how another process is told', async () => {
    const { status, errors } = await send('reload');
    expect([status, errors]).toEqual([1, [expect.stringContaining('send it SIGHUP')]]);
  });

  // Those that ask nothing, one that begins before there are settings, and one that only the node's own console has.
  const others = ['help', 'apropos', 'doctor', 'reload'];
  const asking = CONSOLE_COMMANDS.filter(({ name }) => !others.includes(name));

  test.each(asking.map(({ name }) => EXAMPLES[name] ?? name))(
    'of a daemon that refuses everything, %s ends with status 1',
    async (line) => {
      const refusal = { id: 0, jsonrpc: '2.0', error: { code: -1, message: 'refused' } };
      server.removeAllListeners('request');
      server.on('request', (request, response) => {
        const isCall = request.url === '/json_rpc';
        response.end(JSON.stringify(isCall ? refusal : { status: 'Failed' }));
      });
      const { status, printed, errors } = await send(line);
      expect([status, printed]).toEqual([1, []]);
      expect(errors).toEqual([expect.stringMatching(/^Error: .*(?:refused|Failed)/)]);
    },
  );

  test.each(['help nonsense', 'ban 203.0.113.7 0', 'prune_blockchain', 'flush_cache x'])(
    '%s ends with status 1, whatever the daemon says',
    async (line) => expect(await send(line)).toMatchObject({ status: 1, printed: [] }),
  );

  test('without a daemon its address is named, with status 1', async () => {
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { status, errors } = await send('status', port);
    expect(status).toBe(1);
    expect(errors[0]).toMatch(/^Error: Couldn't connect to daemon: 127\.0\.0\.1:\d+ \(.*REFUSED/);
  });
});
