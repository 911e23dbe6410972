import { createSocket } from 'node:dgram';
import { guardEmitter } from '@monero-node/base';
import { isPrivate, isLoopback } from '../hosts/index.ts';

// Source: UPnP Device Architecture 1.1, section 1.3 (SSDP).

/** Where devices listen for searches. */
const SSDP = { host: '239.255.255.250', port: 1900 } as const;
/** Devices of version 2 answer for version 1 too. */
const TARGET = 'urn:schemas-upnp-org:device:InternetGatewayDevice:1';
const SEARCH = [
  'M-SEARCH * HTTP/1.1',
  `HOST: ${SSDP.host}:${SSDP.port}`,
  'MAN: "ssdp:discover"',
  'MX: 1',
  `ST: ${TARGET}`,
  '',
  '',
].join('\r\n');
/** Milliseconds in which answers are taken; the search is sent again after half of it, for datagrams get lost. */
const PATIENCE = 3000;
/** Answers that are looked at. */
const MOST_ANSWERS = 8;

/**
 * Returns the address of the description of a router that has answered a search; undefined for anything but one that is on the router
 * itself, which is near: an answer must not make this node call somewhere else.
 *
 * @param from the address from which the answer came
 */
export function locationIn(answer: string, from: string): URL | undefined {
  if (!/^HTTP\/1\.[01] 200/i.test(answer)) return undefined;
  const [, text = ''] = /^location:[ \t]*(\S{1,512})[ \t]*\r?$/im.exec(answer) ?? [];
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isNear = isPrivate(from) || isLoopback(from);
  return url.protocol === 'http:' && url.hostname === from && isNear ? url : undefined;
}

/** Resolves with the descriptions of the routers that answer first, none when there are none. */
export async function discoverGateways(
  signal: AbortSignal,
  { host, port }: { readonly host: string; readonly port: number } = SSDP,
  patience = PATIENCE,
): Promise<URL[]> {
  const found = new Map<string, URL>();
  let answers = 0;
  const socket = guardEmitter(createSocket('udp4'));
  try {
    await new Promise<void>((resolve) => {
      const search = (): void => socket.send(SEARCH, port, host, () => undefined);
      const timers = [setTimeout(search, patience / 2), setTimeout(resolve, patience)];
      const end = (): void => {
        timers.forEach(clearTimeout);
        resolve();
      };
      signal.addEventListener('abort', end, { once: true });
      socket.on('error', end);
      socket.on('message', (datagram, { address }) => {
        const url = locationIn(datagram.toString('latin1'), address);
        if (url !== undefined) found.set(url.href, url);
        answers++;
        if (found.size > 0 || answers >= MOST_ANSWERS) end();
      });
      search();
    });
  } finally {
    socket.close();
  }
  signal.throwIfAborted();
  return [...found.values()];
}
