import { Libp2pOptionError } from './option-error.ts';

/** Globals that libp2p requires and Node.js has only since version 22. */
interface Runtime {
  Promise: {
    withResolvers?: () => {
      promise: Promise<unknown>;
      resolve: (value: unknown) => void;
      reject: (reason: unknown) => void;
    };
  };
}

/** Adds the globals that libp2p requires and an older Node.js lacks. Call it before libp2p is loaded. */
function completeRuntime(): void {
  const runtime = globalThis as unknown as Runtime;
  runtime.Promise.withResolvers ??= () => {
    let resolve: (value: unknown) => void = () => {};
    let reject: (reason: unknown) => void = () => {};
    const promise = new Promise((onResolve, onReject) => {
      resolve = onResolve;
      reject = onReject;
    });
    return { promise, resolve, reject };
  };
}

/** The optional peer dependencies of this package, all of which connections over libp2p need. */
const PACKAGES = [
  'libp2p',
  ...['crypto', 'interface', 'mdns', 'noise', 'tcp', 'utils', 'yamux'].map(
    (name) => `@libp2p/${name}`,
  ),
  '@multiformats/multiaddr-to-uri',
  'ws',
];

/** Loads the files that import libp2p. Rejects with Libp2pOptionError, which says what to install, when it is missing. */
export async function loadLibp2p() {
  completeRuntime();
  try {
    return await import('./library.ts');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Libp2pOptionError(
      `connections over libp2p need packages that are not installed: npm install ${PACKAGES.join(' ')}`,
      { cause: error },
    );
  }
}
