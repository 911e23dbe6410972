import { fromHex } from '@monero-node/codec/bytes';
import { genesisBlob } from './genesis.ts';
import type { HardFork, Network } from './types.ts';

/** Source: src/hardforks/hardforks.cpp */
const HARD_FORKS: readonly HardFork[] = [
  { version: 1, height: 1, time: 1_341_378_000 },
  { version: 2, height: 624_634, time: 1_445_355_000 },
  { version: 3, height: 800_500, time: 1_472_415_034 },
  { version: 4, height: 801_219, time: 1_472_415_035 },
  { version: 5, height: 802_660, time: 1_487_967_036 },
  { version: 6, height: 971_400, time: 1_501_709_789 },
  { version: 7, height: 1_057_027, time: 1_512_211_236 },
  { version: 8, height: 1_057_058, time: 1_533_211_200 },
  { version: 9, height: 1_057_778, time: 1_533_297_600 },
  { version: 10, height: 1_154_318, time: 1_550_153_694 },
  { version: 11, height: 1_155_038, time: 1_550_225_678 },
  { version: 12, height: 1_308_737, time: 1_569_582_000 },
  { version: 13, height: 1_543_939, time: 1_599_069_376 },
  { version: 14, height: 1_544_659, time: 1_599_069_377 },
  { version: 15, height: 1_982_800, time: 1_652_727_000 },
  { version: 16, height: 1_983_520, time: 1_652_813_400 },
];

/** Source: src/cryptonote_config.h, src/p2p/net_node.h and net_node.inl */
export const TESTNET: Network = {
  name: 'testnet',
  nettype: 'testnet',
  networkId: fromHex('1230f171610441611731008216a1a111'),
  ports: { p2p: 28080, rpc: 28081, zmq: 28082 },
  addressPrefixes: { standard: 53n, integrated: 54n, subaddress: 63n },
  genesisBlob: genesisBlob({
    nonce: 10001,
    minerTx:
      '013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd08807121017767aafcde9be00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d1',
  }),
  genesisId: fromHex('48ca7cd3c8de5b6a4d53d2861fbdaedca141553559f9be9520068053cda8430b'),
  hardForks: HARD_FORKS,
  // Source: src/checkpoints/checkpoints.cpp. Its checkpoint at height 0 is `genesisId`.
  checkpoints: [
    {
      height: 1_000_000,
      id: '46b690b710a07ea051bc4a6b6842ac37be691089c0f7758cfeec4d5fc0b4a258',
      cumulativeDifficulty: 0x7aaad7153n,
    },
    {
      height: 1_058_600,
      id: '12904f6b4d9e60fd875674e07147d2c83d6716253f046af7b894c3e81da7e1bd',
      cumulativeDifficulty: 0x971efd119n,
    },
    {
      height: 1_450_000,
      id: '87562ca6786f41556b8d5b48067303a57dc5ca77155b35199aedaeca1550f5a0',
      cumulativeDifficulty: 0xa639e2930en,
    },
  ],
  dataDirSuffix: 'testnet',
  seedHosts: [],
  seedNodes: [
    '176.9.0.187:28080',
    '192.99.8.110:28080',
    '37.187.74.171:28080',
    '88.99.195.15:28080',
    '5.104.84.64:28080',
  ],
  torSeedNodes: [],
  i2pSeedNodes: [],
  checkpointHosts: [],
  blockListHosts: [],
};
