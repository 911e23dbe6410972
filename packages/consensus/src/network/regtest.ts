import { MAINNET } from './mainnet.ts';
import type { Network } from './types.ts';

/**
 * A private chain for tests: mainnet's genesis and ids, today's rules from block 1, no seeds, no
 * checkpoints. Source: core::init in src/cryptonote_core/cryptonote_core.cpp.
 */
export const REGTEST: Network = {
  ...MAINNET,
  name: 'regtest',
  nettype: 'fakechain',
  hardForks: [
    { version: 1, height: 0, time: 1 },
    { version: 16, height: 1, time: 2 },
  ],
  checkpoints: [],
  trustedBlockGroups: undefined,
  dataDirSuffix: 'fake',
  seedHosts: [],
  seedNodes: [],
  torSeedNodes: [],
  i2pSeedNodes: [],
  checkpointHosts: [],
  blockListHosts: [],
};
