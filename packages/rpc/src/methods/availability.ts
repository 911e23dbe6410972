import type { MethodKey } from '@monero-node/rpc-schema';
import type { Availability } from '../method.ts';

const withMiner: Availability = ({ miner }) => miner !== undefined;
const withLog: Availability = ({ node }) => node.log !== undefined;

/** Methods that only some nodes can serve; every node serves the others. */
export const AVAILABILITY: { readonly [K in MethodKey]?: Availability } = {
  calcPow: ({ pow }) => pow !== undefined,
  generateBlocks: ({ templates, pow }) => templates !== undefined && pow !== undefined,
  getBlockTemplate: ({ templates }) => templates !== undefined,
  miningStatus: withMiner,
  setLogCategories: withLog,
  setLogLevel: withLog,
  startMining: withMiner,
  stopMining: withMiner,
};
