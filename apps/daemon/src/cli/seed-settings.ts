import { unbracketed } from '@monero-node/p2p/hosts';
import { MANIFEST_NAME } from '../seed/manifest.ts';
import type { SeedServerSettings } from '../seed/seed-server.ts';
import type { OptionReader } from './given-options.ts';
import type { OptionName } from './options/options.ts';
import { readSecretFile } from './rpc-login.ts';
import { UsageError } from './usage-error.ts';

/** Characters of the shortest key. */
const SHORTEST_KEY = 32;

/** How much of a chain is verified before it is served. `docs/operating/fleet.md` says what each finds. */
export type SeedCheckLevel = 'quick' | 'rows';

/** Where this node copies its chain from. */
export interface SeedFrom {
  /** Of the manifest. */
  readonly url: URL;
  readonly key: string | undefined;
  readonly level: SeedCheckLevel;
}

/** Reads the options of a source; returns undefined unless a port is given. Throws UsageError, also without a key. */
export function seedServerSettings(values: OptionReader): SeedServerSettings | undefined {
  const bindPort = values.get('seed-bind-port');
  if (bindPort === undefined) return undefined;
  const key = keyOf(values);
  if (key === undefined) throw new UsageError('--seed-bind-port needs --seed-key-file');
  return { bindIp: unbracketed(values.get('seed-bind-ip')), bindPort, key };
}

/** Reads the options of a receiver; returns undefined without `--seed-from`. Throws UsageError. */
export function seedFrom(values: OptionReader): SeedFrom | undefined {
  const text = values.get('seed-from');
  if (text === undefined) return undefined;
  if (values.get('offline'))
    throw new UsageError('--seed-from needs a network: leave --offline away');
  const url = urlOf(text);
  // A web server has no key: its certificate proves who it is, and the digests of the backup what it sends.
  const key = url.protocol === 'https:' ? undefined : keyOf(values);
  if (key === undefined && url.protocol !== 'https:')
    throw new UsageError(
      '--seed-from needs --seed-key-file, the key of the source; only a backup at an https URL does without',
    );
  return { url, key, level: values.word('seed-verify') };
}

/** Returns a sentence for each option of seeds that has no effect. */
export function seedWarnings(values: OptionReader): string[] {
  const inVain = (names: readonly OptionName[], needed: string): string[] =>
    names
      .filter((name) => values.has(name))
      .map((name) => `--${name} has no effect without ${needed}`);
  const [serves, copies] = [values.has('seed-bind-port'), values.has('seed-from')];
  return [
    ...(serves ? [] : inVain(['seed-bind-ip'], '--seed-bind-port')),
    ...(copies ? [] : inVain(['seed-verify'], '--seed-from')),
    ...(serves || copies ? [] : inVain(['seed-key-file'], '--seed-bind-port or --seed-from')),
  ];
}

function urlOf(text: string): URL {
  const isUrl = /^https?:\/\//i.test(text);
  const full = isUrl ? text : `http://${text}/${MANIFEST_NAME}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || (!isUrl && !/^[^/?#@]+:\d+$/.test(text)))
    throw new UsageError(
      `Invalid seed-from '${text}': HOST:PORT of a node, or the URL of the ${MANIFEST_NAME} of a backup expected`,
    );
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      '--seed-from must not hold a login, which everybody on this machine could read: use --seed-key-file',
    );
  url.hash = '';
  return url;
}

function keyOf(values: OptionReader): string | undefined {
  const path = values.get('seed-key-file');
  if (path === undefined) return undefined;
  const refuse = (why: string): never => {
    throw new UsageError(`--seed-key-file ${path}: ${why}`);
  };
  const key = readSecretFile(path, refuse).replace(/\r?\n$/, '');
  if (/[\r\n]/.test(key)) refuse('must hold one line');
  if (key.length < SHORTEST_KEY)
    refuse(`must hold at least ${SHORTEST_KEY} characters, such as those of openssl rand -hex 32`);
  return key;
}
