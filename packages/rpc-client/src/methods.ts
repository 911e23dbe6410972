import { METHODS, type KnownMethod, type RpcMethod } from '@monero-node/rpc/interface';

/** How a method can be addressed. */
export type AddressKind = 'names' | 'paths' | 'binaryPaths';

type AddressOf<K extends AddressKind, M = KnownMethod> = M extends {
  readonly [P in K]: readonly (infer A extends string)[];
}
  ? A
  : never;

/** Names of JSON-RPC methods. */
export type RpcName = AddressOf<'names'>;
/** Paths that take and return JSON. */
export type JsonPath = AddressOf<'paths'>;
/** Paths that take and return portable storage. */
export type BinaryPath = AddressOf<'binaryPaths'>;

type MethodAt<K extends AddressKind, A, M = KnownMethod> = M extends {
  readonly [P in K]: readonly (infer S)[];
}
  ? A extends S
    ? M
    : never
  : never;

type TypesOf<M> = M extends { readonly phantom?: infer T } ? NonNullable<T> : never;

/** What may be sent to an address; every field may be left out. */
export type RequestTo<K extends AddressKind, A> =
  TypesOf<MethodAt<K, A>> extends { readonly request: infer Q } ? Q : never;

/** What comes back from it. */
export type ReplyOf<K extends AddressKind, A> =
  TypesOf<MethodAt<K, A>> extends { readonly reply: infer R } ? R : never;

/** The method at an address; throws TypeError when there is none. */
export function methodAt(kind: AddressKind, address: string): RpcMethod {
  const found = METHODS.find((method) => method[kind]?.includes(address));
  if (found === undefined) throw new TypeError(`no method ${address}`);
  return found;
}
