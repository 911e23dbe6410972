import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArguments } from './parse-arguments.ts';
import { makeDaemonSettings, type DaemonSettings } from './daemon-settings.ts';

describe('settings of ZeroMQ and notifications', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'settings-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));
  const make = (...argv: string[]): DaemonSettings =>
    makeDaemonSettings(parseArguments(['--data-dir', dir, ...argv]).values);

  test.each([
    [[], 18082],
    [['--testnet'], 28082],
    [['--stagenet'], 38082],
    [['--regtest'], 18082],
    [['--testnet', '--zmq-rpc-bind-port', '7'], 7],
  ])('%j serves port %i on loopback', (argv, port) => {
    expect(make(...argv).zmq).toEqual({
      rpcBindIp: '127.0.0.1',
      rpcBindPort: port,
      confirmExternalBind: false,
      restricted: false,
      publishAt: [],
    });
  });

  test('reads every ZeroMQ option', () => {
    const { zmq, warnings } = make(
      ...['--zmq-rpc-bind-ip', '::', '--confirm-zmq-rpc-external-bind', '--restricted-zmq-rpc'],
      ...['--zmq-pub', 'tcp://127.0.0.1:5', '--zmq-pub', 'ipc:///x'],
    );
    expect(zmq).toMatchObject({
      rpcBindIp: '::',
      confirmExternalBind: true,
      restricted: true,
      publishAt: ['tcp://127.0.0.1:5', 'ipc:///x'],
    });
    expect(warnings).toEqual([]);
  });

  test('warns of ZeroMQ options that --no-zmq leaves without effect', () => {
    expect(make('--no-zmq')).toMatchObject({ zmq: undefined, warnings: [] });
    expect(make('--no-zmq', '--zmq-pub', 'tcp://127.0.0.1:5').warnings).toEqual([
      '--zmq-pub has no effect because --no-zmq was specified',
    ]);
  });

  test('reads the commands to run', () => {
    expect(make().notify).toEqual({});
    expect(make('--block-notify', '/x %s', '--reorg-notify=/y').notify).toEqual({
      block: '/x %s',
      reorg: '/y',
    });
    expect(() => make('--block-notify', 'a', '--block-notify', 'b')).toThrow('more than once');
  });
});
