import { mkdir, readdir, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { Periodic, systemSeconds, type Logger, type SecondClock } from '@monero-node/base';
import type { NewerVersion, UpdateControl } from '@monero-node/rpc';
import type { Dial } from '@monero-node/rpc-client/node';
import { downloadArchive } from './download-archive.ts';
import type { GetLimits } from './http-get.ts';
import { NotPublishedError, UpdateError } from './update-error.ts';

/** Milliseconds between two checks. Source: m_check_updates_interval in src/cryptonote_core/cryptonote_core.h. */
const PERIOD = 12 * 3_600_000;

/** How far the node goes unasked when a newer version is there. Requests of clients do not depend on it. */
export type UpdateMode = 'disabled' | 'notify' | 'download' | 'update';

export interface UpdateOptions {
  readonly mode: UpdateMode;
  /** Address of the npm registry; ends with a slash. */
  readonly registry: URL;
  /** Folder of the archives; created when needed. */
  readonly folder: string;
}

/** What is known about newer versions. */
export interface UpdateState {
  readonly mode: UpdateMode;
  /** Unix seconds of the registry's last answer. */
  readonly checkedAt: number | undefined;
  /** The newer version that it named. */
  readonly newer: string | undefined;
  /** Why the last question had no answer, without a full stop. */
  readonly failure: string | undefined;
}

export interface UpdateDependencies {
  /** Name and version of the program that runs. */
  readonly packageName: string;
  readonly version: string;
  /** Opens the connections, through the node's proxy for example. */
  readonly dial?: Dial | undefined;
  /** Logger of the category `global`. */
  readonly logger: Logger;
  /** Called with the line of the log when a newer version is there, once for each. */
  readonly onNewer?: (line: string, newer: NewerVersion) => void;
  /** Unix seconds; the system's clock by default. */
  readonly now?: SecondClock;
  /** Milliseconds between two checks, for tests. */
  readonly period?: number;
  /** For tests. */
  readonly limits?: { readonly manifest?: GetLimits; readonly archive?: GetLimits };
}

/**
 * Looks for newer versions of this program in an npm registry, announces and downloads them. It never installs any. Each
 * thing is done once at a time: callers that come meanwhile get the same result.
 */
export class UpdateKeeper implements UpdateControl {
  readonly #options: UpdateOptions;
  readonly #deps: UpdateDependencies;
  readonly #stopping = new AbortController();
  readonly #checks: Periodic;
  /** Downloads under way, by their paths. */
  readonly #downloads = new Map<
    string,
    { readonly hash: string; readonly done: Promise<boolean> }
  >();
  #check: Promise<NewerVersion | undefined> | undefined;
  /** The newer version that was told last. */
  #told: string | undefined;
  #newer: string | undefined;
  #checkedAt: number | undefined;
  #failure: string | undefined;
  /** Whether the operator knows that no version is published. */
  #saidUnpublished = false;
  /** The round of {@link UpdateMode} under way. */
  #round: Promise<void> = Promise.resolve();

  constructor(options: UpdateOptions, dependencies: UpdateDependencies) {
    this.#options = options;
    this.#deps = dependencies;
    this.#checks = new Periodic(dependencies.period ?? PERIOD, () => this.#runRound());
  }

  get isAvailable(): boolean {
    return this.#newer !== undefined;
  }

  /** What the last question has brought, whoever asked it. */
  get state(): UpdateState {
    return {
      mode: this.#options.mode,
      checkedAt: this.#checkedAt,
      newer: this.#newer,
      failure: this.#failure,
    };
  }

  /** Begins to check, unless the mode is `disabled`. Does not wait for the registry. */
  start(): void {
    if (this.#options.mode === 'disabled') return;
    this.#checks.start();
    void this.#runRound();
  }

  /** Ends what is under way, and waits until its files are removed. */
  async stop(): Promise<void> {
    this.#checks.stop();
    this.#stopping.abort(new UpdateError('the node stops'));
    const downloads = [...this.#downloads.values()].map(({ done }) => done);
    await Promise.allSettled([this.#round, this.#check, ...downloads]);
  }

  /** Returns the version in the registry when it is newer. Throws UpdateError. */
  check(): Promise<NewerVersion | undefined> {
    this.#check ??= this.#ask()
      .catch((error: unknown) => {
        this.#failure = (error as Error).message;
        throw error;
      })
      .finally(() => (this.#check = undefined));
    return this.#check;
  }

  /** Returns the path of the archive. Throws UpdateError, or an error of node:fs. */
  async download(newer: NewerVersion, path?: string): Promise<string> {
    return (await this.#obtain(newer, path)).path;
  }

  /** Returns where the archive is, and whether it was not there before. */
  async #obtain(newer: NewerVersion, path?: string): Promise<{ path: string; isNew: boolean }> {
    if (path !== undefined && !isAbsolute(path)) {
      throw new UpdateError(`${path} is no absolute path`);
    }
    const target = path ?? join(this.#options.folder, this.#fileName(newer));
    const underWay = this.#downloads.get(target);
    if (underWay !== undefined && underWay.hash !== newer.hash) {
      throw new UpdateError(`another version is being downloaded to ${target}`);
    }
    const isNew = await (underWay?.done ?? this.#begin(newer, target, path === undefined));
    return { path: target, isNew };
  }

  #begin(newer: NewerVersion, target: string, isOwn: boolean): Promise<boolean> {
    const done = this.#fetch(newer, target, isOwn);
    this.#downloads.set(target, { hash: newer.hash, done });
    done.finally(() => this.#downloads.delete(target)).catch(() => undefined);
    return done;
  }

  async #ask(): Promise<NewerVersion | undefined> {
    const { packageName, version, dial, limits } = this.#deps;
    const { registry } = this.#options;
    // Loaded by the first check, because many nodes never check.
    const { askRegistry, isNewer } = await import('./registry.ts');
    const offered = await askRegistry(
      { packageName, registry },
      { dial, signal: this.#stopping.signal },
      limits?.manifest,
    );
    const newer = isNewer(offered, version) ? offered : undefined;
    this.#newer = newer?.version;
    this.#checkedAt = (this.#deps.now ?? systemSeconds)();
    this.#failure = undefined;
    return newer;
  }

  #fileName({ version }: NewerVersion): string {
    return `${this.#deps.packageName.replace('@', '').replace('/', '-')}-${version}.tgz`;
  }

  /** @param isOwn whether the file belongs to the folder of this node, where it may replace a damaged one */
  async #fetch(newer: NewerVersion, path: string, isOwn: boolean): Promise<boolean> {
    const { dial, limits } = this.#deps;
    if (isOwn) await this.#prepareFolder();
    return downloadArchive(newer, path, {
      dial,
      signal: this.#stopping.signal,
      replace: isOwn,
      limits: limits?.archive,
    });
  }

  /** Creates the folder, and removes what a killed node has left in it. Only one node uses it. */
  async #prepareFolder(): Promise<void> {
    const { folder } = this.#options;
    // Another download may be writing.
    const isAlone = this.#downloads.size === 0;
    await mkdir(folder, { recursive: true });
    if (!isAlone) return;
    for (const name of await readdir(folder)) {
      if (name.endsWith('.part')) await rm(join(folder, name), { force: true });
    }
  }

  #runRound(): Promise<void> {
    this.#round = this.#lookAndTell().catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return;
      const { logger } = this.#deps;
      if (error instanceof NotPublishedError) {
        this.#sayUnpublished(error);
        return;
      }
      logger.child('updates').error(`looking for updates failed: ${(error as Error).message}`);
    });
    return this.#round;
  }

  /** Logs once that there is nothing to look for yet: it is no fault of this node, and stays so for long. */
  #sayUnpublished({ message }: NotPublishedError): void {
    if (this.#saidUnpublished) return;
    this.#saidUnpublished = true;
    this.#deps.logger.info(`No update to look for: ${message}. This node keeps asking.`);
  }

  async #lookAndTell(): Promise<void> {
    const { logger } = this.#deps;
    const { mode } = this.#options;
    const newer = await this.check();
    this.#saidUnpublished = false;
    if (newer === undefined) return;
    const { version, uri, hash } = newer;
    const line = `Version ${version} of monero-node is available: ${uri}, SHA-512 hash ${hash}`;
    logger.info(line);
    if (this.#told !== version) this.#deps.onNewer?.(line, newer);
    this.#told = version;
    if (mode === 'notify') return;
    const { path, isNew } = await this.#obtain(newer);
    const what = isNew ? 'was downloaded to' : 'is already at';
    logger.info(`Version ${version} ${what} ${path}. It is not installed.`);
    if (mode === 'update') {
      const advice = `stop the node and install ${path} yourself`;
      logger.child('updates').error(`--check-updates update cannot install: ${advice}`);
    }
  }
}
