import { join } from 'node:path';
import { isLoopback } from '@monero-node/rpc/settings';
import type { UpdateMode, UpdateOptions } from '../updates/update-keeper.ts';
import { DEFAULT_REGISTRY } from '../updates/default-registry.ts';
import type { OptionReader } from './option-reader.ts';
import { UsageError } from './option-types.ts';

const MODES: readonly UpdateMode[] = ['disabled', 'notify', 'download', 'update'];
/** Folder of the data directory for archives of newer versions. */
const FOLDER = 'updates';

/** Reads the options about newer versions of this program. Throws UsageError when one is invalid. */
export function updateOptions(values: OptionReader, dataDir: string): UpdateOptions {
  const text = values.text('check-updates') ?? 'disabled';
  const mode = MODES.find((name) => name === text);
  if (mode === undefined) {
    throw new UsageError(`Invalid argument to --check-updates: ${text}: ${MODES.join(', ')}`);
  }
  const registry = readRegistry(values.text('update-registry') ?? DEFAULT_REGISTRY);
  return { mode, registry, folder: join(dataDir, FOLDER) };
}

/** A registry in plain text could be anyone's, except on this machine. */
function readRegistry(text: string): URL {
  const refuse = (why: string) => new UsageError(`--update-registry: ${text} ${why}`);
  if (!URL.canParse(text)) throw refuse('is no URL');
  const url = new URL(text);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
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
  const wanted = values.has('check-updates') && values.text('check-updates') !== 'disabled';
  return wanted && values.flag('offline') ? ['--check-updates has no effect with --offline'] : [];
}
