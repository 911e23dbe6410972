import { basename, join, resolve } from 'node:path';
import { isLoopback, unbracketed } from '@monero-node/p2p/hosts';
import { LOG_FORMATS, type LogFormat } from '../log/json-sink.ts';
import { LogLevels } from '../log/log-levels.ts';
import type { NotifySettings } from '../notify/notifications.ts';
import type { UpdateMode, UpdateOptions } from '../updates/update-keeper.ts';
import type { OptionReader } from './given-options.ts';
import { UsageError } from './usage-error.ts';

/** How to run in the background. */
export interface DetachSettings {
  /** Absolute path of the file that holds the process id; undefined: none. */
  readonly pidFile: string | undefined;
}

/** Returns undefined for a daemon in the foreground. Throws UsageError on Windows, which has no background mode. */
export function detachSettings(
  values: OptionReader,
  platform = process.platform,
): DetachSettings | undefined {
  if (!values.get('detach')) return undefined;
  if (platform === 'win32') {
    throw new UsageError('--detach is not available on Windows: run the daemon as a service');
  }
  const pidFile = values.get('pidfile');
  return { pidFile: pidFile === undefined || pidFile === '' ? undefined : resolve(pidFile) };
}

/** Returns a warning for `--pidfile` without `--detach`. Source: src/daemonizer/posix_daemonizer.inl. */
export function detachWarnings(values: OptionReader): string[] {
  const inVain = values.has('pidfile') && !values.get('detach');
  return inVain ? ['--pidfile has no effect without --detach'] : [];
}

const LOG_FILE = 'bitmonero.log';

/** The log file: where, and when it is rotated. */
export interface LogFileSettings {
  readonly path: string;
  /** Bytes. */
  readonly maxSize: number;
  readonly maxFiles: number;
}

/** Reads the options of the log file. */
export function logFile(values: OptionReader, dataDir: string): LogFileSettings {
  const given = values.get('log-file') ?? LOG_FILE;
  // A name without a folder is placed in the data directory.
  const path = basename(given) === given ? join(dataDir, given) : resolve(given);
  return {
    path,
    maxSize: values.get('max-log-file-size'),
    maxFiles: values.get('max-log-files'),
  };
}

/** Returns the levels of the log that `--log-level` asks for. Throws UsageError when it does not parse. */
export function readLogLevels(logLevel: string): LogLevels {
  try {
    return new LogLevels(logLevel);
  } catch (error) {
    throw new UsageError(`--log-level: ${(error as Error).message}`);
  }
}

/** Reads the form of the lines of the log. Throws UsageError. */
export function logFormat(values: OptionReader): LogFormat {
  const text = values.get('log-format');
  const format = LOG_FORMATS.find((name) => name === text);
  if (format === undefined) {
    throw new UsageError(`Invalid log-format '${text}': ${LOG_FORMATS.join(' or ')} expected`);
  }
  return format;
}

/** Reads the commands that the daemon runs. */
export function notifySettings(values: OptionReader): NotifySettings {
  return {
    block: values.get('block-notify'),
    reorg: values.get('reorg-notify'),
    blockRate: values.get('block-rate-notify'),
    blockFound: values.get('block-found-notify'),
    blockFate: values.get('block-fate-notify'),
  };
}

const MODES: readonly UpdateMode[] = ['disabled', 'notify', 'download', 'update'];
/** Folder of the data directory for archives of newer versions. */
const FOLDER = 'updates';

/** Reads the options about newer versions of this program. Throws UsageError when one is invalid. */
export function updateOptions(values: OptionReader, dataDir: string): UpdateOptions {
  const text = values.get('check-updates');
  const mode = MODES.find((name) => name === text);
  if (mode === undefined) {
    throw new UsageError(`Invalid argument to --check-updates: ${text}: ${MODES.join(', ')}`);
  }
  const registry = readRegistry(values.get('update-registry'));
  return { mode, registry, folder: join(dataDir, FOLDER) };
}

/** A registry in plain text could be anyone's, except on this machine. */
function readRegistry(text: string): URL {
  const refuse = (why: string) => new UsageError(`--update-registry: ${text} ${why}`);
  if (!URL.canParse(text)) throw refuse('is no URL');
  const url = new URL(text);
  const host = unbracketed(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(host))) {
    throw refuse('must begin with https://, or with http:// for a registry on this machine');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('--update-registry takes a host, a port and a path only');
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** Returns a warning for options about updates that have no effect because the node is offline. */
export function updateWarnings(values: OptionReader): string[] {
  const wanted = values.get('check-updates') !== 'disabled';
  return wanted && values.get('offline') ? ['--check-updates has no effect with --offline'] : [];
}
