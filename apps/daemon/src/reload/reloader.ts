import { Mutex, type Logger } from '@monero-node/base';
import { RpcOptionsError } from '@monero-node/rpc';
import { settingsOf, type Configuration, type DaemonSettings } from '../cli/daemon-settings.ts';
import type { OptionValues } from '../cli/given-options.ts';
import { checkLibp2p } from '../cli/p2p-settings.ts';
import { UsageError } from '../cli/usage-error.ts';
import { CommandError } from '../console/command.ts';
import { changeText, optionChanges, valuesAfterReload } from './option-changes.ts';
import { prepareTakeOver, type LiveParts } from './take-over.ts';

/** What a running node has been configured with. */
interface Running {
  readonly given: OptionValues;
  readonly settings: DaemonSettings;
}

/**
 * Has a running node take over what has changed in its config file: all of it, or nothing when the file cannot be read, would not
 * be accepted at a start, or does not go together with the options that need a restart. The command line still wins.
 *
 * Reloads wait for the end of the start and for each other; several requests that wait are one.
 */
export class Reloader {
  readonly #logger: Logger;
  readonly #turns = new Mutex();
  readonly #node: Promise<LiveParts | undefined>;
  #ready: (node: LiveParts | undefined) => void = () => undefined;
  #configuration: Configuration;
  #running: Running;
  #waiting: Promise<string> | undefined;
  #isStopping = false;

  constructor(configuration: Configuration, logger: Logger) {
    this.#configuration = configuration;
    this.#running = configuration;
    this.#logger = logger;
    this.#node = new Promise((resolve) => (this.#ready = resolve));
  }

  /** The settings that hold now. */
  get settings(): DaemonSettings {
    return this.#running.settings;
  }

  /** The node runs: reloads begin, those too that were asked for meanwhile. */
  started(node: LiveParts): void {
    this.#ready(node);
  }

  /** The node is going to stop: nothing is taken over any more. */
  stop(): void {
    this.#isStopping = true;
    this.#ready(undefined);
  }

  /** Reloads because of a signal. A node that never had a config file takes no notice. */
  readonly onSignal = (): void => {
    // The log has the reason.
    this.reload().catch(() => undefined);
  };

  /**
   * Reads the config file and takes over what has changed. Resolves with a sentence for the console.
   *
   * Rejects with CommandError when nothing is changed because of what the file holds, and where there is none.
   */
  reload(): Promise<string> {
    this.#waiting ??= this.#turns.run(async () => {
      const node = await this.#node;
      // What the file holds from now on is for the next request.
      this.#waiting = undefined;
      if (node === undefined || this.#isStopping) throw new CommandError('the node is stopping');
      return await this.#reload(node);
    });
    return this.#waiting;
  }

  async #reload(node: LiveParts): Promise<string> {
    const checked = await this.#check(node).catch((error: unknown) => {
      throw this.#refused(error);
    });
    const { configuration, running, lines, restart, takeOver } = checked;
    const warnings = configuration.settings.warnings.filter(
      (warning) => !this.#configuration.settings.warnings.includes(warning),
    );
    this.#configuration = configuration;
    this.#running = running;
    // Before the level of the log changes.
    for (const line of lines) this.#logger.info(`reload: ${line}`);
    for (const warning of warnings) this.#logger.warn(`reload: ${warning}`);
    if (restart.length > 0)
      this.#logger.warn(`reload: a restart is needed for ${restart.join(', ')}`);
    const later = await takeOver();
    for (const line of later) this.#logger.info(`reload: ${line}`);
    const count = lines.length + later.length;
    if (count === 0 && restart.length === 0) this.#logger.info('reload: nothing has changed');
    return summary(count, restart);
  }

  /** Reads and checks everything. Nothing has changed when it rejects. */
  async #check(node: LiveParts) {
    const configuration = this.#configuration.again();
    const { isThere, path } = configuration.file;
    if (!isThere) throw new NoConfigFileError(path);
    await checkLibp2p(configuration.settings.p2p.libp2p);
    const changes = optionChanges(this.#running.given, configuration.given);
    const taken = changes.filter(({ option }) => option.reload === true);
    const restart = changes.flatMap(({ option }) => (option.reload ? [] : [option.name]));
    const given = valuesAfterReload(this.#running.given, configuration.given);
    const settings =
      restart.length === 0 ? configuration.settings : settingsUntilRestart(given, restart);
    const takeOver = prepareTakeOver(
      node,
      { before: this.#running.settings, after: settings },
      new Set(taken.map(({ option }) => option.name)),
    );
    const lines = taken.map(changeText);
    return { configuration, running: { given, settings }, lines, restart, takeOver };
  }

  /** Logs why nothing is changed. Returns the error for the console. */
  #refused(error: unknown): CommandError {
    const message = (error as Error).message.replaceAll(/\s*\n\s*/g, ' ');
    if (error instanceof NoConfigFileError) this.#logger.debug(`reload: ${message}`);
    else this.#logger.error(`reload: nothing is changed: ${message}`);
    const isExpected = error instanceof UsageError || error instanceof RpcOptionsError;
    if (!isExpected && !(error instanceof NoConfigFileError))
      this.#logger.debug(`reload: ${String((error as Error).stack)}`);
    return new CommandError(`nothing is changed: ${message}`);
  }
}

/** There is no config file, and there was none at the start. */
class NoConfigFileError extends Error {
  constructor(path: string) {
    super(`there is no config file ${path}`);
  }
}

/**
 * Returns the settings that hold until a restart: new values may need another option that a running node does not take over.
 * Throws UsageError.
 */
function settingsUntilRestart(given: OptionValues, restart: readonly string[]): DaemonSettings {
  try {
    return settingsOf(given);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message} (only a restart changes ${restart.join(', ')})`);
  }
}

function summary(count: number, restart: readonly string[]): string {
  const taken = count === 1 ? '1 change is taken over' : `${count} changes are taken over`;
  if (restart.length > 0) return `${taken}; a restart is needed for ${restart.join(', ')}`;
  return count === 0 ? 'Nothing has changed' : taken;
}
