import type { Environment } from './environment.ts';

/** How many blocks the store holds, as its tables show at this moment. */
export function chainHeight(environment: Environment): number {
  const last = environment.lastKey('block_meta');
  return typeof last === 'number' ? last + 1 : 0;
}
