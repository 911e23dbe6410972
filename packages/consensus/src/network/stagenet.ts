import { fromHex } from '@monero-node/codec/bytes';
import { genesisBlob } from './genesis.ts';
import type { HardFork, Network } from './types.ts';

/** Source: src/hardforks/hardforks.cpp */
const HARD_FORKS: readonly HardFork[] = [
  { version: 1, height: 1, time: 1_341_378_000 },
  { version: 2, height: 32_000, time: 1_521_000_000 },
  { version: 3, height: 33_000, time: 1_521_120_000 },
  { version: 4, height: 34_000, time: 1_521_240_000 },
  { version: 5, height: 35_000, time: 1_521_360_000 },
  { version: 6, height: 36_000, time: 1_521_480_000 },
  { version: 7, height: 37_000, time: 1_521_600_000 },
  { version: 8, height: 176_456, time: 1_537_821_770 },
  { version: 9, height: 177_176, time: 1_537_821_771 },
  { version: 10, height: 269_000, time: 1_550_153_694 },
  { version: 11, height: 269_720, time: 1_550_225_678 },
  { version: 12, height: 454_721, time: 1_571_419_280 },
  { version: 13, height: 675_405, time: 1_598_180_817 },
  { version: 14, height: 676_125, time: 1_598_180_818 },
  { version: 15, height: 1_151_000, time: 1_656_629_117 },
  { version: 16, height: 1_151_720, time: 1_656_629_118 },
];

/** Source: src/cryptonote_config.h, src/p2p/net_node.h and net_node.inl */
export const STAGENET: Network = {
  name: 'stagenet',
  nettype: 'stagenet',
  networkId: fromHex('1230f171610441611731008216a1a112'),
  ports: { p2p: 38080, rpc: 38081, zmq: 38082 },
  addressPrefixes: { standard: 24n, integrated: 25n, subaddress: 36n },
  genesisBlob: genesisBlob({
    nonce: 10002,
    minerTx:
      '013c01ff0001ffffffffffff0302df5d56da0c7d643ddd1ce61901c7bdc5fb1738bfe39fbe69c28a3a7032729c0f2101168d0c4ca86fb55a4cf6a36d31431be1c53a3bd7411bb24e8832410289fa6f3b',
  }),
  genesisId: fromHex('76ee3cc98646292206cd3e86f74d88b4dcc1d937088645e9b0cbca84b7ce74eb'),
  hardForks: HARD_FORKS,
  // Source: src/checkpoints/checkpoints.cpp. Its checkpoint at height 0 is `genesisId`.
  checkpoints: [
    {
      height: 10_000,
      id: '1f8b0ce313f8b9ba9a46108bfd285c45ad7c2176871fd41c3a690d4830ce2fd5',
      cumulativeDifficulty: 0x1d73ban,
    },
    {
      height: 550_000,
      id: '409f68cddd8e74b37469b41c1e61250d81c5776b42264f416d5d27c4626383ed',
      cumulativeDifficulty: 0x5f3d4d03en,
    },
  ],
  dataDirSuffix: 'stagenet',
  seedHosts: [],
  seedNodes: [
    '176.9.0.187:38080',
    '192.99.8.110:38080',
    '37.187.74.171:38080',
    '88.99.195.15:38080',
    '5.104.84.64:38080',
  ],
  torSeedNodes: [],
  i2pSeedNodes: [],
  checkpointHosts: [],
  blockListHosts: [],
};
