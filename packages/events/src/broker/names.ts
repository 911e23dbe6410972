import { NETWORKS } from '@monero-node/consensus/networks';

/** Where events are published. */
export interface EventNaming {
  /** Begins every subject, for example `monero.mainnet`. */
  readonly prefix: string;
  /** Begins the names of both streams, for example `MONERO_MAINNET`. */
  readonly stream: string;
}

/** The subjects and streams of one chain. */
export interface EventNames {
  readonly chainStream: string;
  readonly chainSubject: string;
  readonly poolStream: string;
  /** Matches the subjects of all transactions of the pool. */
  readonly poolSubjects: string;
  readonly countersSubject: string;
  /** Requests for older blocks. */
  readonly backfillSubject: string;
  /** @param id 64 hex digits */
  poolSubject(id: string): string;
}

const TOKEN = '[A-Za-z0-9_-]+';
const PREFIX = new RegExp(`^${TOKEN}(\\.${TOKEN})*$`);
const STREAM = new RegExp(`^${TOKEN}$`);
const MAX_LENGTH = 128;

/**
 * Returns what the names of a network are unless an operator chooses others. Throws RangeError for a name that no network has: mainnet,
 * testnet, stagenet and regtest are there.
 */
export function defaultNaming(network: string): EventNaming {
  if (!Object.hasOwn(NETWORKS, network)) {
    const known = Object.keys(NETWORKS).join(', ');
    throw new RangeError(`no network ${network.slice(0, MAX_LENGTH)}; there are ${known}`);
  }
  return { prefix: `monero.${network}`, stream: `MONERO_${network.toUpperCase()}` };
}

/** Returns the subjects and streams. Throws RangeError for a prefix or a name that NATS does not take. */
export function eventNames({ prefix, stream }: EventNaming): EventNames {
  if (prefix.length > MAX_LENGTH || !PREFIX.test(prefix)) {
    throw new RangeError(`not a prefix of subjects: ${prefix.slice(0, MAX_LENGTH)}`);
  }
  if (stream.length > MAX_LENGTH || !STREAM.test(stream)) {
    throw new RangeError(`not a name of a stream: ${stream.slice(0, MAX_LENGTH)}`);
  }
  return {
    chainStream: `${stream}_CHAIN`,
    chainSubject: `${prefix}.chain`,
    poolStream: `${stream}_POOL`,
    poolSubjects: `${prefix}.pool.*`,
    countersSubject: `${prefix}.counters`,
    backfillSubject: `${prefix}.backfill`,
    poolSubject: (id) => `${prefix}.pool.${id}`,
  };
}
