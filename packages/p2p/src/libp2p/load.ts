import { Libp2pOptionError } from './option-error.ts';
import { completeRuntime } from './runtime.ts';

/** What connections over libp2p need besides the dependencies of this package: its optional peer dependencies. */
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
    const [host, key, peers] = await Promise.all([
      import('./host.ts'),
      import('./identity-key.ts'),
      import('./known-peers.ts'),
    ]);
    return { ...host, ...key, ...peers };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Libp2pOptionError(
      `connections over libp2p need packages that are not installed: npm install ${PACKAGES.join(' ')}`,
      { cause: error },
    );
  }
}
