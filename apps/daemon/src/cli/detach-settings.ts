import { resolve } from 'node:path';
import { UsageError } from './option-types.ts';
import type { OptionReader } from './option-reader.ts';

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
  if (!values.flag('detach')) return undefined;
  if (platform === 'win32') {
    throw new UsageError('--detach is not available on Windows: run the daemon as a service');
  }
  const pidFile = values.text('pidfile');
  return { pidFile: pidFile === undefined || pidFile === '' ? undefined : resolve(pidFile) };
}

/** Returns a warning for `--pidfile` without `--detach`. Source: src/daemonizer/posix_daemonizer.inl. */
export function detachWarnings(values: OptionReader): string[] {
  const inVain = values.has('pidfile') && !values.flag('detach');
  return inVain ? ['--pidfile has no effect without --detach'] : [];
}
