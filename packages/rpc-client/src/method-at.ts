import { METHOD_SCHEMAS, type MethodAddressKind, type MethodSchema } from '@monero-node/rpc-schema';

/** Returns the schema of the method at an address. Throws TypeError when there is none. */
export function methodAt(kind: MethodAddressKind, address: string): MethodSchema {
  const schemas: readonly MethodSchema[] = Object.values(METHOD_SCHEMAS);
  const found = schemas.find((method) => method[kind]?.includes(address));
  if (found === undefined) throw new TypeError(`no method ${address}`);
  return found;
}
