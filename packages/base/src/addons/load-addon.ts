import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Where the compiled form of an addon may be. */
export interface AddonPlaces {
  /** `import.meta.url` of the caller. */
  readonly from: string;
  /** Path of the addon that a checkout of the repository compiles, relative to `from`. */
  readonly compiled: string;
  /** Advice for a checkout whose build has left a reason in `not-built.txt` beside `compiled`. */
  readonly install: string;
  /** Name of the package; `-PLATFORM-ARCHITECTURE` is added for those with compiled addons. */
  readonly prebuilt: string;
}

/** Thrown when an addon is not there or does not load; the message says why. */
export class AddonError extends Error {
  override readonly name = 'AddonError';
  readonly code: 'missing' | 'unloadable';
  /** Whether no file was found, as opposed to one that does not load. */
  readonly isMissing: boolean;

  constructor(message: string, options: ErrorOptions & { isMissing: boolean }) {
    super(message, options);
    this.isMissing = options.isMissing;
    this.code = options.isMissing ? 'missing' : 'unloadable';
  }
}

/** The machine that an addon is loaded on; replaced in tests. */
export interface AddonMachine {
  readonly require: (path: string) => unknown;
  readonly platform: string;
  readonly arch: string;
  readonly isMusl: () => boolean;
}

/** Returns what `require` returns, or undefined when there is no such file or package. Throws AddonError. */
function requireIfThere(path: string, { require }: AddonMachine): unknown {
  try {
    return require(path);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw new AddonError(message, { cause, isMissing: false });
  }
}

/** Returns why the build of this checkout made no addon, and the advice; undefined elsewhere. */
function whyNotBuilt({ from, compiled, install }: AddonPlaces): string | undefined {
  try {
    const reason = readFileSync(new URL('not-built.txt', new URL(compiled, from)), 'utf8');
    return `${reason.trim()}: ${install}`;
  } catch {
    return undefined;
  }
}

/**
 * Returns an addon: the one compiled in this checkout, or that of the optional package for this platform.
 *
 * Throws AddonError when there is none or it does not load.
 */
export function loadAddon<Addon>(
  places: AddonPlaces,
  machine: AddonMachine = {
    require: createRequire(places.from),
    platform: process.platform,
    arch: process.arch,
    isMusl,
  },
): Addon {
  const compiled = requireIfThere(places.compiled, machine);
  if (compiled !== undefined) return compiled as Addon;
  const { platform, arch } = machine;
  if (platform === 'linux' && machine.isMusl()) {
    const reason = whyNotBuilt(places) ?? 'there is no native code for Linux with musl';
    throw new AddonError(reason, { isMissing: true });
  }
  const name = `${places.prebuilt}-${platform}-${arch}`;
  const prebuilt = requireIfThere(name, machine);
  if (prebuilt !== undefined) return prebuilt as Addon;
  const reason = whyNotBuilt(places) ?? `${name} is not installed`;
  throw new AddonError(reason, { isMissing: true });
}

interface Report {
  readonly header: { readonly glibcVersionRuntime?: string };
}

/** Returns whether this Node runs on a C library other than glibc, for which no addon is compiled. */
export function isMusl(): boolean {
  const { report } = process as { report?: NodeJS.ProcessReport & { excludeNetwork?: boolean } };
  if (report === undefined) return false;
  // The addresses of the machine would take most of the time.
  const before = report.excludeNetwork;
  report.excludeNetwork = true;
  const { header } = report.getReport() as Report;
  report.excludeNetwork = before ?? false;
  return header.glibcVersionRuntime === undefined;
}
