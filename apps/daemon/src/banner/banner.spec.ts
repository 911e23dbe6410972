import { tmpdir } from 'node:os';
import { NETWORKS } from '@monero-node/consensus';
import { listenLines, type ListenFacts } from './listen-lines.ts';
import { startLines } from './start-lines.ts';

test('the network, the data directory with its free space, and the log file', async () => {
  const logFile = { path: '/logs/node.log', maxSize: 0, maxFiles: 0 };
  const lines = await startLines({ network: NETWORKS.stagenet, dataDir: tmpdir(), logFile });
  expect(lines).toEqual([
    'Network: stagenet',
    expect.stringMatching(/^Data directory: \S+ \(\d+(\.\d\d)? [kMGT]?B free\)$/),
    'Log file: /logs/node.log',
  ]);
  const missing = await startLines({ network: NETWORKS.mainnet, dataDir: '/no/folder', logFile });
  expect(missing[1]).toBe('Data directory: /no/folder');
});

describe('addresses', () => {
  const NONE: ListenFacts = {
    offline: false,
    p2p: [],
    rpc: [],
    zmq: undefined,
    stratum: undefined,
    libp2p: [],
  };

  test('of every kind, with their reach', () => {
    const lines = listenLines({
      ...NONE,
      p2p: [
        { host: '0.0.0.0', port: 18080 },
        { host: '::', port: 18080 },
      ],
      rpc: [
        { host: '127.0.0.1', port: 18081, restricted: false },
        { host: '192.168.1.2', port: 18089, restricted: true },
      ],
      zmq: {
        rpc: { host: '::1', port: 18082 },
        restricted: false,
        events: ['tcp://127.0.0.1:18083', 'tcp://[2001:db8::1]:5', 'ipc:///run/node'],
      },
      stratum: { host: '192.168.1.2', port: 3333 },
      libp2p: ['/ip4/127.0.0.1/tcp/1/p2p/x'],
    });
    expect(lines).toEqual([
      'P2P: 0.0.0.0:18080 (public)',
      'P2P: [::]:18080 (public)',
      'libp2p: reached at /ip4/127.0.0.1/tcp/1/p2p/x',
      'RPC: 127.0.0.1:18081 (local only)',
      'RPC, restricted: 192.168.1.2:18089 (local network)',
      'ZMQ RPC: tcp://[::1]:18082 (local only)',
      'ZMQ events: tcp://127.0.0.1:18083 (local only)',
      'ZMQ events: tcp://[2001:db8::1]:5 (public)',
      'ZMQ events: ipc:///run/node',
      'Stratum listens on 192.168.1.2:3333 (local network)',
    ]);
  });

  test('none of peers when offline', () => {
    expect(listenLines({ ...NONE, offline: true })).toEqual(['P2P: offline']);
  });

  test.each([
    ['localhost', 'local only'],
    ['127.9.9.9', 'local only'],
    ['10.1.2.3', 'local network'],
    ['fe80::1', 'local network'],
    ['203.0.113.7', 'public'],
    ['::', 'public'],
    ['', 'public'],
    ['node.example', 'public'],
  ])('%s: %s', (host, reach) => {
    const [line] = listenLines({ ...NONE, p2p: [{ host, port: 1 }] });
    expect(line).toMatch(new RegExp(`\\(${reach}\\)$`));
  });
});
