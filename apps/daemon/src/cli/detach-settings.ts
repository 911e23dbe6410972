import { resolve } from 'node:path';
import { UsageError } from './option-types.ts';
import type { OptionReader } from './option-reader.ts';

/** How to run in the background. */
export interface DetachSettings {
  /** Where to write the id of the process. */
  readonly pidFile: string | undefined;
}

/** Undefined: in the foreground. @throws UsageError where there is no running in the background. */
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

/** As for monerod the file goes with --detach only (src/daemonizer/posix_daemonizer.inl). */
export function detachWarnings(values: OptionReader): string[] {
  const inVain = values.has('pidfile') && !values.flag('detach');
  return inVain ? ['--pidfile has no effect without --detach'] : [];
}
