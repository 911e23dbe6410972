import { Libp2pOptionError } from './option-error.ts';

/** What libp2p requires of `Promise`, and Node.js has only since version 22. */
interface WithResolvers {
  withResolvers?: () => {
    promise: Promise<unknown>;
    resolve: (value: unknown) => void;
    reject: (reason: unknown) => void;
  };
}

/** Adds what libp2p requires and an older Node.js lacks. Call it before libp2p is loaded. */
function completeRuntime(): void {
  const constructor: PromiseConstructor & WithResolvers = Promise;
  constructor.withResolvers ??= () => {
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
    const { createHost } = await import('./host.ts');
    const { loadIdentityKey } = await import('./identity-key.ts');
    const { KnownPeers } = await import('./known-peers.ts');
    return { createHost, loadIdentityKey, KnownPeers };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Libp2pOptionError(
      `connections over libp2p need packages that are not installed: npm install ${PACKAGES.join(' ')}`,
      { cause: error },
    );
  }
}
