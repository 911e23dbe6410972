import { createServer } from 'node:net';
import { listenFailure, type PortSettings } from './listen-failure.ts';

const SETTINGS: PortSettings = {
  p2p: { bindPort: 18080, bindPortIpv6: 18080 },
  rpc: { bindPort: 18081, restrictedBindPort: 18089 },
  zmq: { rpcBindPort: 18082 },
  stratum: { bindPort: 3333 },
  metrics: { bindPort: 9100 },
};
const failure = (code: string, port: number, address = '127.0.0.1') =>
  listenFailure(Object.assign(new Error('listen'), { code, port, address }), SETTINGS);

test.each([
  [18080, '--p2p-bind-port'],
  [18081, '--rpc-bind-port'],
  [18089, '--rpc-restricted-bind-port'],
  [18082, '--zmq-rpc-bind-port'],
  [3333, '--stratum-bind-port'],
  [9100, '--metrics-bind-port'],
])('a busy port %i is named with its option', (port, option) => {
  expect(failure('EADDRINUSE', port)).toBe(
    `another program uses 127.0.0.1:${port}: stop it, or choose another port with ${option}`,
  );
});

test('other reasons have sentences of their own', () => {
  expect(failure('EACCES', 18081)).toMatch(/above 1023 with --rpc-bind-port$/);
  expect(failure('EADDRNOTAVAIL', 18081, '10.9.9.9')).toBe(
    '10.9.9.9:18081 is not an address of this machine: choose one with --rpc-bind-ip',
  );
});

test('IPv6 has options of its own', () => {
  expect(failure('EADDRINUSE', 18080, '::')).toBe(
    'another program uses [::]:18080: stop it, or choose another port with --p2p-bind-port-ipv6',
  );
  expect(failure('EADDRNOTAVAIL', 18081, 'fd00::1')).toMatch(/--rpc-bind-ipv6-address$/);
});

test('two options with the same port are both named', () => {
  const error = Object.assign(new Error('listen'), {
    code: 'EADDRINUSE',
    port: 18080,
    address: '127.0.0.1',
  });
  expect(listenFailure(error, { ...SETTINGS, rpc: { bindPort: 18080 } })).toBe(
    '127.0.0.1:18080 is asked for by --p2p-bind-port and --rpc-bind-port: choose different ports',
  );
});

test('other errors and ports are left to others', () => {
  expect(failure('EADDRINUSE', 5)).toBeUndefined();
  expect(failure('ENOENT', 18081)).toBeUndefined();
  expect(listenFailure('text', SETTINGS)).toBeUndefined();
});

test("reads the system's own error", async () => {
  const first = createServer();
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
  const { port } = first.address() as { port: number };
  const error = await new Promise((resolve) => {
    createServer().once('error', resolve).listen(port, '127.0.0.1');
  });
  first.close();
  expect(listenFailure(error, { ...SETTINGS, rpc: { bindPort: port } })).toContain(
    `127.0.0.1:${port}`,
  );
});
