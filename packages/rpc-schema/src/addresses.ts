import type { MethodAddresses } from './method-schema.ts';

/** The path of JSON-RPC calls. */
export const JSON_RPC_PATH = '/json_rpc';

/** Returns the name of a method in logs, counters and documents: its preferred address without a slash. */
export function methodName({ names, paths, binaryPaths }: MethodAddresses): string {
  const address = names?.[0] ?? paths?.[0] ?? binaryPaths?.[0] ?? '';
  return address.replace(/^\//, '');
}
