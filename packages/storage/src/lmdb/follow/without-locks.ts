import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** LMDB's flag for an environment without a lock file. */
const MDB_NOLOCK = 0x40_0000;

/** The class of the lmdb addon that opens environments. */
interface EnvironmentClass {
  new (): { open(options: object, flags: number, jsFlags: number): unknown };
  readonly isWithoutLocks?: true;
}

/**
 * Has every environment of this process opened without LMDB's lock file, which the lmdb package has no option for. Must be
 * called before the package is loaded; see `openFollower` for what it is good for.
 */
export function openWithoutLocks(): void {
  const lmdb = createRequire(import.meta.url).resolve('lmdb');
  // The package takes its classes from this object when it is loaded.
  const load = createRequire(lmdb)('node-gyp-build-optional-packages') as (folder: string) => {
    Env: EnvironmentClass;
  };
  const addon = load(join(dirname(lmdb), '..'));
  addon.Env = class extends addon.Env {
    static override readonly isWithoutLocks = true;

    override open(options: object, flags: number, jsFlags: number): unknown {
      return super.open(options, flags | MDB_NOLOCK, jsFlags);
    }
  };
}

/** Returns whether the lmdb package of this process opens environments without lock files. */
export function isWithoutLocks(addon: object): boolean {
  return (addon as { readonly Env?: EnvironmentClass }).Env?.isWithoutLocks === true;
}
