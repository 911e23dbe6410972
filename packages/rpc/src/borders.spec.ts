import { createDaemonTransport, EventChannel, RpcServer } from './index.ts';

const server = (options: object) => () =>
  new RpcServer({ bindPort: 0, ...options }, { blockchain: {} } as never);

test('a misspelled restriction is an error, and no open door', () => {
  expect(server({ restrictedRPC: true })).toThrow(
    'RpcServer: no option "restrictedRPC"; there are',
  );
  expect(server({ login: { user: 'me', password: 'x' } })).toThrow('no option "user" in login');
  expect(server({ page: 'nobody' })).toThrow('page is "nobody"; it can be "owner", "all", "none"');
  expect(server({ tls: { mode: 'on', directory: '' } })).toThrow(
    'RpcServer: tls.mode is "on"; it can be "enabled", "disabled", "autodetect"',
  );
  expect(server({ bindPort: undefined })).toThrow('RpcServer: bindPort is missing');
});

test('the other functions with options refuse those that they do not know', () => {
  const address = { host: '127.0.0.1', port: 1, misspelled: 1 };
  expect(() => createDaemonTransport(address as never)).toThrow('no option "misspelled"');
  expect(() => new EventChannel({ misspelled: 1 } as never)).toThrow('no option "misspelled"');
});
