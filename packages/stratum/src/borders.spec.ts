import { StratumServer } from './index.ts';

const options = {
  bindIp: '127.0.0.1',
  bindPort: 0,
  address: undefined,
  anyAddress: true,
  password: undefined,
};

test('a server refuses options and limits that it does not know', () => {
  const server = (change: object, limits?: object) => () =>
    new StratumServer({ ...options, ...change }, {} as never, limits);
  expect(server({ pass: 'x' })).toThrow('StratumServer: no option "pass"; there are');
  expect(server({ bindPort: undefined })).toThrow('StratumServer: bindPort is missing');
  expect(server({}, { rigs: 5 })).toThrow('no option "rigs"; there are connections,');
});
