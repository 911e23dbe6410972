import { Libp2pOptionError } from './option-error.ts';
import { parseLibp2pPeer } from './parse-multiaddress.ts';

export const maxLength = 4096;
export const seeds = [
  '/dns4/node.example/tcp/18085/p2p/12D3KooWGzxzKZYveHXtpG6AsrUJBcWxHBFS2HsEoGTxrMLvKXtf',
  '/ip6/2001:db8::1/tcp/18085/ws/p2p/12D3KooWGzxzKZYveHXtpG6AsrUJBcWxHBFS2HsEoGTxrMLvKXtf',
].map((text) => new TextEncoder().encode(text));
export const tokens = ['::', ':65535', '%', '/p2p/', '/tcp/', '/ws', '/ip4/', '/p2p-circuit'];

/** Any text is a peer to dial or is refused with a sentence for the user. */
export function fuzz(input: Uint8Array): void {
  try {
    parseLibp2pPeer(Buffer.from(input).toString('utf8'));
  } catch (error) {
    if (!(error instanceof Libp2pOptionError)) throw error;
  }
}
