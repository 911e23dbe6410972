import type { Libp2pOptions } from '@monero-node/p2p';
import { UsageError } from './option-types.ts';

/** Checks the addresses of libp2p, whose library is loaded only when there are any. Rejects with UsageError. */
export async function checkLibp2p(options: Libp2pOptions | undefined): Promise<void> {
  if (options === undefined) return;
  const { checkLibp2pListen, Libp2pOptionError, parseLibp2pPeer } =
    await import('@monero-node/p2p/libp2p');
  try {
    for (const text of options.listen) checkLibp2pListen(text);
    for (const text of options.peers) parseLibp2pPeer(text);
  } catch (error) {
    if (error instanceof Libp2pOptionError) throw new UsageError(error.message);
    throw error;
  }
}
