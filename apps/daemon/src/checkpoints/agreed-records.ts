import type { SecureTxtResolver } from './secure-txt-resolver.ts';

/** Least number of names with authenticated records. */
const LEAST_NAMES = 2;

/**
 * Returns the TXT records, sorted, that more than half of `names` have in common; undefined when there are none.
 * Only authenticated answers count. Source: load_txt_records_from_dns in src/common/dns_utils.cpp.
 */
export async function agreedRecords(
  names: readonly string[],
  resolver: SecureTxtResolver,
): Promise<readonly string[] | undefined> {
  const answers = await Promise.all(
    names.map((name) => resolver(name).catch(() => ({ records: [], authenticated: false }))),
  );
  const sets = answers
    .filter(({ authenticated }) => authenticated)
    .map(({ records }) => [...new Set(records)].sort())
    .filter((records) => records.length > 0);
  if (sets.length < LEAST_NAMES) return undefined;
  const keys = sets.map((records) => JSON.stringify(records));
  const needed = Math.floor(names.length / 2) + 1;
  return sets.find((_, i) => keys.filter((key) => key === keys[i]).length >= needed);
}
