import type { METHOD_SCHEMAS } from './methods/index.ts';

/** The name of a method in programs. */
export type MethodKey = keyof typeof METHOD_SCHEMAS;

type TypesOf<S> = S extends { readonly phantom?: infer T } ? NonNullable<T> : never;
type TypeOf<S, K extends string> =
  TypesOf<S> extends infer T ? (K extends keyof T ? T[K] : never) : never;

/** The request as the handler of a method gets it. */
export type HandlerInput<K extends MethodKey> = TypeOf<(typeof METHOD_SCHEMAS)[K], 'input'>;
/** The answer as the handler of a method returns it. */
export type HandlerOutput<K extends MethodKey> = TypeOf<(typeof METHOD_SCHEMAS)[K], 'output'>;

/** The three kinds of addresses of a method. */
export type MethodAddressKind = 'names' | 'paths' | 'binaryPaths';

type KnownSchema = (typeof METHOD_SCHEMAS)[MethodKey];

type AddressOf<K extends MethodAddressKind, M = KnownSchema> = M extends {
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

type SchemaAt<K extends MethodAddressKind, A, M = KnownSchema> = M extends {
  readonly [P in K]: readonly (infer S)[];
}
  ? A extends S
    ? M
    : never
  : never;

/** The request to an address; every field is optional. */
export type RequestTo<K extends MethodAddressKind, A> = TypeOf<SchemaAt<K, A>, 'request'>;

/** The answer of an address; every field is present. */
export type ReplyOf<K extends MethodAddressKind, A> = TypeOf<SchemaAt<K, A>, 'reply'>;
