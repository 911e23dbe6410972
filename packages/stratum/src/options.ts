import { NEEDED, OPTIONAL, optionalNames, type OptionTable } from '@monero-node/base/options';
import type { AddressKeys } from '@monero-node/crypto';

/** Where a stratum server listens, and whom its blocks pay. */
export interface StratumOptions {
  /** IPv4 or IPv6 address; IPv6 with or without brackets. */
  readonly bindIp: string;
  /** 0 lets the system choose (see `StratumServer.port`). */
  readonly bindPort: number;
  /** The address that blocks pay; undefined only when the logins of the rigs are addresses. */
  readonly address: AddressKeys | undefined;
  /** Whether blocks of a rig whose login is an address pay that address. */
  readonly anyAddress: boolean;
  /** The password of all rigs; undefined: none is asked for. */
  readonly password: string | undefined;
}

/** How the options are checked. */
export const STRATUM_OPTIONS: OptionTable<StratumOptions> = {
  bindIp: NEEDED,
  bindPort: NEEDED,
  address: OPTIONAL,
  anyAddress: NEEDED,
  password: OPTIONAL,
};

/** Bounds on what rigs may do. */
export interface StratumLimits {
  /** Connections at the same time; a newcomer takes the place of the idlest one. */
  readonly connections: number;
  /** Of them those of one host. */
  readonly connectionsPerHost: number;
  /** New connections of a host per second, of which half a minute's worth is saved up. */
  readonly newPerSecond: number;
  /** Bytes of a line. */
  readonly lineBytes: number;
  /** Bytes that a rig may send per second, of which ten seconds' worth is saved up. */
  readonly bytesPerSecond: number;
  /** Shares that a rig may send per second, of which ten seconds' worth is saved up. */
  readonly sharesPerSecond: number;
  /** Shares and requests for jobs that all rigs of a host may send per second, of which half a minute's worth is saved up. */
  readonly hostRequestsPerSecond: number;
  /** Blocks of the rigs of a host that are checked and added at the same time. */
  readonly claimsPerHost: number;
  /** Longest wait of a stop for the checks of claimed blocks, milliseconds. */
  readonly stopMs: number;
  /** Bytes that wait for a rig to take them. */
  readonly unsentBytes: number;
  /** Time from the connection to the login, milliseconds. */
  readonly loginMs: number;
  /** Time without a line after which a rig is closed, milliseconds. */
  readonly idleMs: number;
  /** Shares of one job. */
  readonly sharesPerJob: number;
  /** Jobs of a rig that it may still send shares of. */
  readonly jobs: number;
  /** Addresses that blocks may pay at the same time. */
  readonly addresses: number;
  /** Shares that wait to be checked. */
  readonly waitingChecks: number;
  /** Other engines that are asked per minute before a block of a rig is called wrong, of which two minutes' worth is saved up. */
  readonly opinionsPerMinute: number;
  /** Wrong hashes, passwords and lines after which a host is banned. */
  readonly faults: number;
  /** How long it is banned, milliseconds. */
  readonly banMs: number;
}

export const STRATUM_LIMITS: StratumLimits = {
  connections: 1024,
  connectionsPerHost: 512,
  newPerSecond: 10,
  lineBytes: 16 * 1024,
  bytesPerSecond: 16 * 1024,
  sharesPerSecond: 20,
  hostRequestsPerSecond: 100,
  claimsPerHost: 4,
  stopMs: 10_000,
  unsentBytes: 256 * 1024,
  loginMs: 10_000,
  idleMs: 600_000,
  sharesPerJob: 4096,
  jobs: 8,
  addresses: 64,
  waitingChecks: 256,
  opinionsPerMinute: 2,
  faults: 5,
  banMs: 600_000,
};

/** How the limits are checked. */
export const LIMIT_OPTIONS: OptionTable<Partial<StratumLimits>> = optionalNames(STRATUM_LIMITS);
