import { OPTIONS } from './options.ts';
import type { OptionValues } from './option-types.ts';

/** Text options whose values are words of ours. Any other text may hold a password, an address or a path. */
const PLAIN = new Set([
  'log-level',
  'log-format',
  'db-sync-mode',
  'crypto-backend',
  'pow-engine',
  'rpc-ssl',
  'check-updates',
  'rpc-version-string',
]);

/** Returns the options as words for a report, without the values that may be secret. */
export function shownOptions(values: OptionValues): string[] {
  return [...values].map(([name, value]) => {
    const kind = OPTIONS.find((spec) => spec.name === name)?.kind;
    if (kind === 'switch') return `--${name}`;
    const shown = kind === 'integer' || PLAIN.has(name) ? String(value) : '(hidden)';
    return `--${name} ${shown}`;
  });
}
