import { BACKEND_CHOICES } from '@monero-node/crypto';
import { OPTIONS } from '../cli/options.ts';
import type { OptionSpec } from '../cli/option-types.ts';

/** The values of an option, for completion by a shell: none, paths, some words, or others, which no shell can know. */
export type ValueKind = 'none' | 'file' | 'folder' | 'other' | readonly string[];

const WORDS: Readonly<Record<string, readonly string[]>> = {
  'check-updates': ['disabled', 'notify', 'download', 'update'],
  'crypto-backend': BACKEND_CHOICES,
  'db-sync-mode': ['safe', 'fast', 'fastest'],
  'fast-block-sync': ['0', '1'],
  'log-level': ['0', '1', '2', '3', '4'],
  'pow-engine': ['auto', 'native', 'wasm'],
  'rpc-page': ['owner', 'all', 'none'],
  'rpc-version-string': ['own', 'monerod'],
  'rpc-ssl': ['enabled', 'disabled', 'autodetect'],
};

/** Returns the options that have an effect, which are those that shells complete. */
export function completedOptions(): readonly OptionSpec[] {
  return OPTIONS.filter(({ support }) => support === 'works');
}

/** Returns what follows an option: nothing, a path, one of some words, or a value that no shell can know. */
export function valueKind({ name, kind, value }: OptionSpec): ValueKind {
  if (kind === 'switch') return 'none';
  if (value === 'FILE' || name === 'hard-forks') return 'file';
  if (value === 'DIR') return 'folder';
  return WORDS[name] ?? 'other';
}
