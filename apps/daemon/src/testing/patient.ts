import { makeDaemonSettings } from '../cli/daemon-settings.ts';
import { parseArguments } from '../cli/parse-arguments.ts';
import { examine } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';
import type { NodeFacts, OwnFacts } from '../doctor/node-facts.ts';
import type { Patient } from '../doctor/patient.ts';
import { thisMachine, type Surroundings } from '../doctor/surroundings.ts';

/** Unix seconds of the tests: November 2026. */
export const NOW = 1_795_225_609;
const HOUR = 3600;

/** A good machine on a good network. Its files are those of this machine. */
export const GOOD_MACHINE: Surroundings = {
  ...thisMachine(),
  now: () => NOW,
  platform: 'linux',
  memory: () => ({ total: 8e9, available: 6e9 }),
  freeBytes: () => Promise.resolve(500e9),
  textOf: (path) => Promise.resolve(path.endsWith('enabled') ? 'always [madvise] never\n' : '0\n'),
  fileLimit: () => 65_536,
  addresses: () => ['192.168.1.2', 'fe80::1'],
  lookUp: () => Promise.resolve(['192.0.2.1']),
  areSigned: () => Promise.resolve(true),
  newerVersion: () => Promise.resolve(undefined),
  listeningErrors: (endpoints) => Promise.resolve(endpoints.map(() => undefined)),
  connectionError: () => Promise.resolve(undefined),
  greetSocks: () => Promise.resolve('socks'),
};

const GOOD_OWN: OwnFacts = {
  startTime: NOW - 24 * HOUR,
  incoming: 8,
  outgoing: 12,
  lastIncoming: NOW - 5,
  freeBytes: 500e9,
};

/** A node of mainnet that is synchronized and has peers. */
export const GOOD_NODE: NodeFacts = {
  version: '0.2.0',
  nettype: 'mainnet',
  isRestricted: false,
  isOffline: false,
  isSynchronized: true,
  height: 3_844_500,
  target: 3_844_500,
  topTime: NOW - 90,
  databaseBytes: 218e9,
  updateAvailable: false,
  own: GOOD_OWN,
};

/** Returns {@link GOOD_NODE} with changes. */
export function nodeWith(changes: Partial<NodeFacts>, own: Partial<OwnFacts> = {}): NodeFacts {
  return { ...GOOD_NODE, own: { ...GOOD_OWN, ...own }, ...changes };
}

/** What differs from a node that has yet to be started on a good machine. */
type Changes = Partial<Omit<Patient, 'system' | 'settings'>> & {
  readonly system?: Partial<Surroundings>;
  /** Milliseconds for each check. */
  readonly checkMs?: number;
};

/** Examines what runs, or would run, with options on a good machine with changes. */
export function examineWith(
  options: readonly string[],
  { system, checkMs, ...changes }: Changes,
): Promise<Finding[]> {
  const settings = makeDaemonSettings(parseArguments(options).values);
  const patient = {
    settings,
    node: undefined,
    silence: { kind: 'away', why: 'nothing answers at 127.0.0.1:18081' } as const,
    pid: undefined,
    ...changes,
    system: { ...GOOD_MACHINE, ...system },
  };
  return examine(patient, checkMs);
}

/** Returns the findings that want something done. */
export const complaints = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ verdict }) => verdict === 'warning' || verdict === 'failure');
