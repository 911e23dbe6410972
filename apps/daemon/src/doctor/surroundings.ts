import type { Stats } from 'node:fs';
import { access, constants, readdir, readFile, stat } from 'node:fs/promises';
import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { dirname } from 'node:path';
import { availableMemory, machineLimits } from '@monero-node/base/machine';
import { systemSeconds, type SecondClock } from '@monero-node/base/clock';
import { systemCodeOf } from '@monero-node/storage/system';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { fileLimit, limitInProc } from '../ending/descriptor-limit.ts';
import { freeBytes } from '../runtime/free-bytes.ts';
import { listeningErrors, type Endpoint } from './probes/listening.ts';
import { connectionError, greetSocks, type SocksAnswer } from './probes/connecting.ts';

/** The machine and the network around a node, as far as the checks look at them. Nothing here changes anything. */
export interface Surroundings {
  readonly now: SecondClock;
  readonly platform: NodeJS.Platform;
  /** Bytes of memory: all, or what the limits of a container allow, and what a program can still get. */
  readonly memory: () => { readonly total: number; readonly available: number };
  /** Returns the bytes free on the disk of a folder, or where it would be made; undefined when the system does not say. */
  readonly freeBytes: (folder: string) => Promise<number | undefined>;
  /** Returns what the system says of a file or folder; undefined when there is none. Rejects with the error of the system. */
  readonly statOf: (path: string) => Promise<Stats | undefined>;
  /** Rejects with the error of the system when this user may not read and write a folder. */
  readonly requireAccess: (folder: string) => Promise<void>;
  /** Returns the names in a folder; none when it cannot be read. */
  readonly namesIn: (folder: string) => Promise<readonly string[]>;
  /** Returns the text of a file of the system; undefined when it cannot be read. */
  readonly textOf: (path: string) => Promise<string | undefined>;
  /** Returns how many files a process may open, this one without an id: `any` without a limit, undefined when unknown. */
  readonly fileLimit: (pid: string | undefined) => number | 'any' | undefined;
  /** Returns the IP addresses of this machine's interfaces, without loopback. */
  readonly addresses: () => readonly string[];
  /** Returns the IP addresses of a name. Rejects when there are none. */
  readonly lookUp: (name: string) => Promise<readonly string[]>;
  /** Returns whether the DNS server has confirmed the signatures of most of these names' TXT records. */
  readonly areSigned: (names: readonly string[]) => Promise<boolean>;
  /** Returns the version that the registry of updates offers; undefined when it is not newer. Rejects with UpdateError. */
  readonly newerVersion: (settings: DaemonSettings) => Promise<string | undefined>;
  /** Listens on all addresses at once, for a moment. Returns the errors, in the same order. */
  readonly listeningErrors: (endpoints: readonly Endpoint[]) => Promise<readonly unknown[]>;
  /** Connects, and ends the connection. Returns the error; undefined when there is none. */
  readonly connectionError: (endpoint: Endpoint) => Promise<unknown>;
  /** Says hello to a SOCKS proxy. Rejects when it cannot be connected to. */
  readonly greetSocks: (endpoint: Endpoint) => Promise<SocksAnswer>;
}

/** Returns the machine on which this process runs. */
export function thisMachine(): Surroundings {
  return {
    now: systemSeconds,
    platform: process.platform,
    memory: memoryHere,
    freeBytes: freeBytesAt,
    statOf,
    requireAccess: (folder) => access(folder, constants.R_OK | constants.W_OK | constants.X_OK),
    namesIn: (folder) => readdir(folder).catch(() => []),
    textOf: (path) => readFile(path, 'utf8').catch(() => undefined),
    fileLimit: limitOf,
    addresses: ownAddresses,
    lookUp: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
    areSigned,
    newerVersion,
    listeningErrors,
    connectionError,
    greetSocks,
  };
}

function memoryHere(): { total: number; available: number } {
  const { memory: total } = machineLimits();
  return { total, available: Math.min(total, availableMemory()) };
}

async function freeBytesAt(folder: string): Promise<number | undefined> {
  const above = dirname(folder);
  return (await freeBytes(folder)) ?? (above === folder ? undefined : freeBytesAt(above));
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Falls back to the limit of this process, which its children and, from the same shell, a node have too. */
function limitOf(pid: string | undefined): number | 'any' | undefined {
  try {
    return limitInProc(pid ?? 'self') ?? 'any';
  } catch {
    return pid === undefined ? fileLimit() : undefined;
  }
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((each = []) =>
    each.filter(({ internal }) => !internal).map(({ address }) => address),
  );
}

/** The code is loaded by the first question, because many set-ups ask none. */
async function areSigned(names: readonly string[]): Promise<boolean> {
  const { agreedRecords, createSecureTxtResolver } =
    await import('../checkpoints/secure-txt-resolver.ts');
  return (await agreedRecords(names, createSecureTxtResolver())) !== undefined;
}

/** As above. */
async function newerVersion(settings: DaemonSettings): Promise<string | undefined> {
  const { silentLogger } = await import('@monero-node/base');
  const { createUpdates } = await import('../runtime/updates.ts');
  const { keeper } = createUpdates(settings, silentLogger);
  try {
    return (await keeper.check())?.version;
  } finally {
    await keeper.stop();
  }
}
