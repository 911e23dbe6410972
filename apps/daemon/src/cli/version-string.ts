import type { OptionReader } from './option-reader.ts';
import { UsageError } from './option-types.ts';

/**
 * The version that a release of monerod reports whose RPC this node serves. Programs that check the text expect four
 * numbers and `-release` or nine hex digits. Source: is_version_string_valid in src/rpc/rpc_version_str.cpp.
 */
const MONEROD_VERSION = '0.18.5.3-release';

/** Returns the version that the RPC reports: `own`, or that of monerod with `--rpc-version-string monerod`. Throws UsageError. */
export function rpcVersion(values: OptionReader, own: string): string {
  const choice = values.text('rpc-version-string') ?? 'own';
  if (choice === 'own') return own;
  if (choice === 'monerod') return MONEROD_VERSION;
  throw new UsageError(`--rpc-version-string must be own or monerod, not ${choice}`);
}
