// Node has WebAssembly, but its type declarations lack it.
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/**
 * Returns the exports of a new instance of a module. Throws TypeError where there is no WebAssembly, and what the engine
 * throws for bytes that are no module or where a page's policy forbids to compile it.
 */
export function instantiate<Exports>(bytes: Uint8Array): Exports {
  const api = (globalThis as { WebAssembly?: WasmApi }).WebAssembly;
  if (api === undefined) throw new TypeError('this JavaScript engine has no WebAssembly');
  return new api.Instance(new api.Module(bytes)).exports as Exports;
}
