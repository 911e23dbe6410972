import { NETWORKS } from '@monero-node/consensus';
import { crawl, createP2pNode, createSocksTransport, handshake } from './index.ts';

const chain = { blockchain: { network: NETWORKS.regtest } } as never;
const create = (options: object) => () => createP2pNode(options, chain);
const proxy = { host: '127.0.0.1', port: 9050, version: '5' };

test('a misspelled proxy is an error, and no direct connection', () => {
  expect(create({ socksProxy: proxy })).toThrow('createP2pNode: no option "socksProxy"; there are');
  expect(create({ proxy: { ...proxy, version: 5 } })).toThrow(
    'createP2pNode: proxy.version is 5; it can be "4", "4a", "5"',
  );
  expect(create({ proxy: { ...proxy, user: 'me' } })).toThrow('no option "user" in proxy');
  const zone = { zone: 'onion', outPeers: 1, noise: false };
  expect(create({ anonymityZones: [zone] })).toThrow('zone is "onion"; it can be "i2p", "tor"');
  expect(() => createSocksTransport({ ...proxy, username: 'me' } as never)).toThrow(
    'createSocksTransport: no option "username"',
  );
});

test('a visit refuses an option that it does not know', async () => {
  const wrong = { timeout: 5 } as never;
  await expect(handshake('127.0.0.1', NETWORKS.regtest, wrong)).rejects.toThrow(
    'handshake: no option "timeout"; there are timeoutMs, signal, transport,',
  );
  await expect(crawl(NETWORKS.regtest, wrong).next()).rejects.toThrow(
    'crawl: no option "timeout"; there are timeoutMs,',
  );
});
