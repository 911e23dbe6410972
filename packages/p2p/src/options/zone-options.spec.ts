import { NETWORKS } from '@monero-node/consensus';
import { ZoneOptionError, anonymityZones, checkPeersReachable } from './zone-options.ts';

const [ONION = ''] = NETWORKS.mainnet.torSeedNodes.map((seed) => seed.split(':')[0] ?? '');
const [I2P = ''] = NETWORKS.mainnet.i2pSeedNodes;

test('a proxy has noise and twelve peers by default', () => {
  const proxy = { host: '127.0.0.1', port: 9050, version: '4a' };
  const base = { zone: 'tor', proxy, outPeers: -1, noise: true };
  expect(anonymityZones(['tor,127.0.0.1:9050'], [])).toEqual([base]);
  expect(anonymityZones(['tor,127.0.0.1:9050,10'], [])).toEqual([{ ...base, outPeers: 10 }]);
  for (const order of ['5,disable_noise', 'disable_noise,5'])
    expect(anonymityZones([`i2p,127.0.0.1:9050,${order}`], [])).toEqual([
      { zone: 'i2p', proxy, outPeers: 5, noise: false },
    ]);
  const [five] = anonymityZones(['tor,socks5://u:p@127.0.0.1:9050'], []);
  expect(five?.proxy?.login).toEqual({ user: 'u', password: 'p' });
});

test('a hidden service has an address and a local port', () => {
  const [tor] = anonymityZones(['tor,127.0.0.1:9050'], [`${ONION}:18083,127.0.0.2:18084,25`]);
  expect(tor?.inbound).toEqual({
    address: { kind: 'tor', host: ONION, port: 18083 },
    bindIp: '127.0.0.2',
    bindPort: 18084,
    maxConnections: 25,
  });
  const [, i2p] = anonymityZones(['tor,127.0.0.1:9050'], [`${I2P},5000`]);
  expect(i2p).toEqual({
    zone: 'i2p',
    outPeers: 0,
    noise: false,
    inbound: {
      address: { kind: 'i2p', host: I2P, port: 1 },
      bindIp: '127.0.0.1',
      bindPort: 5000,
      maxConnections: -1,
    },
  });
});

test.each([
  [['x,127.0.0.1:9050'], []],
  [['public,127.0.0.1:9050'], []],
  [['tor'], []],
  [['tor,'], []],
  [['tor,localhost:9050'], []],
  [['tor,127.0.0.1:9050,0'], []],
  [['tor,127.0.0.1:9050,-1'], []],
  [['tor,127.0.0.1:9050,1,disable_noise,1'], []],
  [['tor,127.0.0.1:9050', 'tor,127.0.0.1:9051'], []],
  [[], [`${ONION},127.0.0.1:5000`]],
  [['tor,127.0.0.1:9050'], [`${ONION}`]],
  [['tor,127.0.0.1:9050'], [`1.2.3.4:5,127.0.0.1:5000`]],
  [['tor,127.0.0.1:9050'], [`b${ONION.slice(1)},127.0.0.1:5000`]],
  [['tor,127.0.0.1:9050'], [`${ONION},[::1]:5000`]],
  [['tor,127.0.0.1:9050'], [`${ONION},127.0.0.1:5000,0`]],
  [['tor,127.0.0.1:9050'], [`${ONION},5000`, `${ONION},5001`]],
])('%j and %j are refused', (proxies, inbounds) => {
  expect(() => anonymityZones(proxies, inbounds)).toThrow(ZoneOptionError);
});

test('rejects peers of a network without a proxy for it', () => {
  const tor = anonymityZones(['tor,127.0.0.1:9050'], [`${I2P},5000`]);
  expect(() => checkPeersReachable([ONION, '1.2.3.4', 'node.example:1'], tor)).not.toThrow();
  expect(() => checkPeersReachable([ONION], [])).toThrow('--tx-proxy tor');
  expect(() => checkPeersReachable([I2P], tor)).toThrow('--tx-proxy i2p');
});
