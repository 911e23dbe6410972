import { multiaddr } from '@multiformats/multiaddr';
import type { Multiaddr } from '@multiformats/multiaddr';
import { isPeerId } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import { peerAddress } from './addresses.ts';
import { Libp2pOptionError } from './option-error.ts';

/** A peer to dial: its location, and the id with which it must authenticate itself. */
export interface Libp2pPeer {
  readonly multiaddr: Multiaddr;
  readonly address: NetAddress;
}

/**
 * Parses a value of `--libp2p-peer`, such as `/dns4/node.example/tcp/18085/p2p/12D3Koo…`.
 * Throws Libp2pOptionError when the text is not a TCP or WebSocket multiaddress that ends in a peer id.
 */
export function parseLibp2pPeer(text: string): Libp2pPeer {
  const parsed = parse(text);
  const names = parsed.getComponents();
  const id = names.at(-1);
  if (id?.name !== 'p2p' || id.value === undefined)
    throw new Libp2pOptionError(`${text} does not end in /p2p/PEER-ID`);
  if (!isPeerId(id.value)) throw new Libp2pOptionError(`${id.value} is not a peer id in base58`);
  if (names.some(({ name }) => name === 'p2p-circuit'))
    throw new Libp2pOptionError(`${text} leads through a relay, which this node does not use`);
  if (!isCarried(names)) throw new Libp2pOptionError(`${text} is neither TCP nor WebSocket`);
  return { multiaddr: parsed, address: peerAddress(id.value) };
}

/**
 * Checks an address to listen on: `/ip4/…/tcp/PORT` or `/ip6/…/tcp/PORT`, either with `/ws` for WebSocket.
 * Throws Libp2pOptionError for any other text.
 */
export function checkLibp2pListen(text: string): void {
  const [ip, tcp, ws, ...more] = parse(text).getComponents();
  const good =
    (ip?.name === 'ip4' || ip?.name === 'ip6') &&
    tcp?.name === 'tcp' &&
    (ws === undefined || ws.name === 'ws') &&
    more.length === 0;
  if (!good) throw new Libp2pOptionError(`${text} is not /ip4/IP/tcp/PORT, with or without /ws`);
}

function parse(text: string): Multiaddr {
  try {
    return multiaddr(text);
  } catch {
    throw new Libp2pOptionError(`${text} is not a multiaddress`);
  }
}

function isCarried(components: readonly { name: string }[]): boolean {
  const [, tcp, ...rest] = components.map(({ name }) => name);
  const above = rest.slice(0, -1).join('/');
  return tcp === 'tcp' && ['', 'ws', 'wss', 'tls/ws'].includes(above);
}
