import { readFileSync } from 'node:fs';

// Node has WebAssembly, but its type declarations lack it.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

function readModule(name: string): Uint8Array | undefined {
  try {
    // src/ and dist/ are both next to dist/assembly.
    return readFileSync(new URL(`../../dist/assembly/${name}`, import.meta.url));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Returns the exports of a new instance of a module that assembly/build.mjs compiled, or undefined if the package was
 * not built or Node runs without WebAssembly.
 */
export function instantiate<Exports>(name: string): Exports | undefined {
  if (typeof WebAssembly === 'undefined') return undefined;
  const bytes = readModule(name);
  if (bytes === undefined) return undefined;
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as Exports;
}
