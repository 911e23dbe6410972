import { fromHex } from '@monero-node/codec/bytes';
import { genesisBlob } from './genesis.ts';
import { MAINNET_CHECKPOINTS } from './mainnet-checkpoints.ts';
import type { HardFork, Network } from './types.ts';

/** Source: src/hardforks/hardforks.cpp */
const HARD_FORKS: readonly HardFork[] = [
  { version: 1, height: 1, time: 1_341_378_000 },
  { version: 2, height: 1_009_827, time: 1_442_763_710 },
  { version: 3, height: 1_141_317, time: 1_458_558_528 },
  { version: 4, height: 1_220_516, time: 1_483_574_400 },
  { version: 5, height: 1_288_616, time: 1_489_520_158 },
  { version: 6, height: 1_400_000, time: 1_503_046_577 },
  { version: 7, height: 1_546_000, time: 1_521_303_150 },
  { version: 8, height: 1_685_555, time: 1_535_889_547 },
  { version: 9, height: 1_686_275, time: 1_535_889_548 },
  { version: 10, height: 1_788_000, time: 1_549_792_439 },
  { version: 11, height: 1_788_720, time: 1_550_225_678 },
  { version: 12, height: 1_978_433, time: 1_571_419_280 },
  { version: 13, height: 2_210_000, time: 1_598_180_817 },
  { version: 14, height: 2_210_720, time: 1_598_180_818 },
  { version: 15, height: 2_688_888, time: 1_656_629_117 },
  { version: 16, height: 2_689_608, time: 1_656_629_118 },
];

/** Source: src/cryptonote_config.h, src/p2p/net_node.h and net_node.inl */
export const MAINNET: Network = {
  name: 'mainnet',
  nettype: 'mainnet',
  networkId: fromHex('1230f171610441611731008216a1a110'),
  ports: { p2p: 18080, rpc: 18081, zmq: 18082 },
  addressPrefixes: { standard: 18n, integrated: 19n, subaddress: 42n },
  genesisBlob: genesisBlob({
    nonce: 10000,
    minerTx:
      '013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd08807121017767aafcde9be00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d1',
  }),
  genesisId: fromHex('418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3'),
  hardForks: HARD_FORKS,
  checkpoints: MAINNET_CHECKPOINTS,
  // Source of the list: src/blocks/checkpoints.dat of release 0.18.5.3.
  trustedBlockGroups: {
    file: '@monero-node/consensus/mainnet-block-groups.dat',
    sha256: '4871b67b077087affd07094be0f70bfd0d4e4105df126646e0a7524fe02b1d5d',
    count: 7372,
  },
  dataDirSuffix: '',
  seedHosts: [
    'seeds.moneroseeds.se',
    'seeds.moneroseeds.ae.org',
    'seeds.moneroseeds.ch',
    'seeds.moneroseeds.li',
  ],
  seedNodes: [
    '176.9.0.187:18080',
    '88.198.163.90:18080',
    '192.99.8.110:18080',
    '37.187.74.171:18080',
    '88.99.195.15:18080',
    '5.104.84.64:18080',
  ],
  torSeedNodes: [
    'zbjkbsxc5munw3qusl7j2hpcmikhqocdf4pqhnhtpzw5nt5jrmofptid.onion:18083',
    'plowsof3t5hogddwabaeiyrno25efmzfxyro2vligremt7sxpsclfaid.onion:18083',
    'plowsoffjexmxalw73tkjmf422gq6575fc7vicuu4javzn2ynnte6tyd.onion:18083',
    'plowsofe6cleftfmk2raiw5h2x66atrik3nja4bfd3zrfa2hdlgworad.onion:18083',
    'aclc4e2jhhtr44guufbnwk5bzwhaecinax4yip4wr4tjn27sjsfg6zqd.onion:18083',
    'lykcas4tus7mkm4bhsgqe4drtd4awi7gja24goscc47xfgzj54yofyqd.onion:18083',
  ],
  i2pSeedNodes: [
    'uqj3aphckqtjsitz7kxx5flqpwjlq5ppr3chazfued7xucv3nheq.b32.i2p',
    'vdmnehdjkpkg57nthgnjfuaqgku673r5bpbqg56ix6fyqoywgqrq.b32.i2p',
    'ugnlcdciyhghh2zert7c3kl4biwkirc43ke33jiy5slnd3mv2trq.b32.i2p',
  ],
  checkpointHosts: [
    'checkpoints.moneropulse.se',
    'checkpoints.moneropulse.org',
    'checkpoints.moneropulse.net',
    'checkpoints.moneropulse.co',
  ],
  blockListHosts: [
    'blocklist.moneropulse.se',
    'blocklist.moneropulse.org',
    'blocklist.moneropulse.net',
    'blocklist.moneropulse.co',
    'blocklist.moneropulse.fr',
    'blocklist.moneropulse.de',
    'blocklist.moneropulse.ch',
  ],
};
