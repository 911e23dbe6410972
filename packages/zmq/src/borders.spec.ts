import { ZmqServer } from './index.ts';

test('a server refuses options that it does not know', () => {
  const options = { rpcBindIp: '127.0.0.1', rpcBindPort: 0, confirmExternalBind: false };
  const server = (change: object) => () =>
    new ZmqServer({ ...options, restricted: true, publishAt: [], ...change }, {} as never);
  expect(server({ publish: [] })).toThrow('ZmqServer: no option "publish"; there are rpcBindIp,');
  expect(server({ restricted: undefined })).toThrow('ZmqServer: restricted is missing');
});
