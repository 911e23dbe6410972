import type { OptionReader } from './option-reader.ts';

/** Options that need look-ups in the DNS. */
const DNS_OPTIONS = ['enforce-dns-checkpointing', 'enable-dns-blocklist'];

/**
 * Returns whether the DNS may be asked directly: with a proxy that would show what this computer runs, so it needs the
 * permission. Source: allow_dns in src/daemon/core.h.
 */
export function mayAskDns(values: OptionReader): boolean {
  return !values.has('proxy') || values.flag('proxy-allow-dns-leaks');
}

/** Returns warnings for options about the DNS that have no effect. */
export function dnsWarnings(values: OptionReader): string[] {
  const inVain = mayAskDns(values) ? [] : DNS_OPTIONS.filter((name) => values.flag(name));
  return [
    ...inVain.map((name) => `--${name} has no effect with --proxy without --proxy-allow-dns-leaks`),
    ...(values.flag('proxy-allow-dns-leaks') && !values.has('proxy')
      ? ['--proxy-allow-dns-leaks has no effect without --proxy']
      : []),
  ];
}
