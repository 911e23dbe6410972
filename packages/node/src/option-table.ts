import { NEEDED, OPTIONAL, optionalNames, type OptionTable } from '@monero-node/base/options';
import type { NodeOptions } from './options.ts';
import type { MiningSettings } from './parts/mining.ts';
import { CHAIN_OPTIONS } from './parts/open-chain.ts';
import { DEFAULT_READINESS } from './parts/readiness.ts';
import type { StratumSettings } from './parts/stratum.ts';

const MINING: OptionTable<MiningSettings> = {
  start: OPTIONAL,
  background: OPTIONAL,
  extraMessages: OPTIONAL,
};
const STRATUM: OptionTable<StratumSettings> = {
  bindIp: NEEDED,
  bindPort: NEEDED,
  address: OPTIONAL,
  anyAddress: NEEDED,
  password: OPTIONAL,
  tls: NEEDED,
};

/** The options of `openNode`. Those of the parts are checked by the parts, which are made of them at once. */
export const NODE_OPTIONS: OptionTable<NodeOptions> = {
  ...CHAIN_OPTIONS,
  network: OPTIONAL,
  logger: OPTIONAL,
  rpc: OPTIONAL,
  rpcWorkers: OPTIONAL,
  p2p: OPTIONAL,
  zmq: OPTIONAL,
  stratum: { optional: true, table: STRATUM },
  mining: { optional: true, table: MINING },
  maxPoolWeight: OPTIONAL,
  prune: OPTIONAL,
  readiness: { optional: true, table: optionalNames(DEFAULT_READINESS) },
  fleetNodes: OPTIONAL,
  rpcVersion: OPTIONAL,
  logLevels: OPTIONAL,
  requestStop: OPTIONAL,
  onStorageFailure: OPTIONAL,
  engines: OPTIONAL,
  engineChanges: OPTIONAL,
};
