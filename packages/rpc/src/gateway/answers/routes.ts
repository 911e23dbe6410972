import type { RpcServices } from '../../context.ts';
import type { RpcMethod } from '../../method.ts';

/** The methods that one listener serves, by exact path or name. */
export interface Routes {
  readonly jsonPaths: ReadonlyMap<string, RpcMethod>;
  readonly binaryPaths: ReadonlyMap<string, RpcMethod>;
  readonly names: ReadonlyMap<string, RpcMethod>;
}

/** Sorts methods by address, leaving out what a restricted listener hides and what this node can't serve. */
export function routesOf(
  methods: readonly RpcMethod[],
  services: RpcServices,
  restricted: boolean,
): Routes {
  const jsonPaths = new Map<string, RpcMethod>();
  const binaryPaths = new Map<string, RpcMethod>();
  const names = new Map<string, RpcMethod>();
  for (const method of methods) {
    if (restricted && method.restricted === 'hidden') continue;
    if (method.available?.(services) === false) continue;
    for (const path of method.paths ?? []) jsonPaths.set(path, method);
    for (const path of method.binaryPaths ?? []) binaryPaths.set(path, method);
    for (const name of method.names ?? []) names.set(name, method);
  }
  return { jsonPaths, binaryPaths, names };
}
