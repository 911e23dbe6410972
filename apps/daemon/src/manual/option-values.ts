import { OPTIONS } from '../cli/options/options.ts';
import type { OptionSpec } from '../cli/options/define-options.ts';

/** The values of an option, for completion by a shell: none, paths, some words, or others, which no shell can know. */
export type ValueKind = 'none' | 'file' | 'folder' | 'other' | readonly string[];

/** Returns the options that have an effect, which are those that shells complete. */
export function completedOptions(): readonly OptionSpec[] {
  return OPTIONS.filter(({ support }) => support === 'works');
}

/** Returns what follows an option: nothing, a path, one of some words, or a value that no shell can know. */
export function valueKind({ kind, value, words, isFile }: OptionSpec): ValueKind {
  if (kind === 'switch') return 'none';
  if (value === 'FILE' || isFile === true) return 'file';
  if (value === 'DIR') return 'folder';
  return words ?? 'other';
}
