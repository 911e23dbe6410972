import { parseIp } from '../hosts/index.ts';
import { discoverGateways } from './discover.ts';
import { GatewayError, LEASE, type Mapping, type PortPair, type PortProtocol } from './gateway.ts';
import { askGateway } from './http.ts';

// Source: UPnP InternetGatewayDevice 1, WANIPConnection 1 and WANPPPConnection 1, which routers of version 2 have too.

const DESCRIPTION = 'monero-node';
/** The router knows only mappings without an end. */
const ONLY_PERMANENT = 725;
/** What an error of a router means. */
const FAULTS: Readonly<Record<number, string>> = {
  402: 'it does not understand the request',
  501: 'it failed',
  606: 'it does not allow this machine to map ports',
  718: 'the port is taken by another machine',
  724: 'it wants other numbers of ports',
};

/** The service of a router that maps ports. */
interface Service {
  readonly type: string;
  readonly url: URL;
}

/** Characters of a text that means something. */
const MAX_TEXT = 512;
/** Services of a description that are looked at. Real ones have less than ten. */
const MAX_SERVICES = 64;

/** Returns the text of the first element of a name, without markup inside it; undefined when there is none, or a long one. */
function elementIn(xml: string, name: string): string | undefined {
  // A router may be hostile: no part may match in two ways what the next one matches too, and a prefix has an end.
  const text = new RegExp(`<(?:\\w{1,64}:)?${name}(?:\\s[^<>]*)?>([^<>]*)</`)
    .exec(xml)?.[1]
    ?.trim();
  return text === undefined || text.length > MAX_TEXT ? undefined : text;
}

/** Returns the service in the description of a router that maps ports. Throws GatewayError when it has none of its own. */
export function serviceIn(description: string, location: URL): Service {
  for (const part of description.split('<service>', MAX_SERVICES + 1).slice(1)) {
    const type = elementIn(part, 'serviceType') ?? '';
    const path = elementIn(part, 'controlURL');
    if (!/^urn:schemas-upnp-org:service:WAN(IP|PPP)Connection:\d$/.test(type)) continue;
    if (path === undefined || !URL.canParse(path, location.href)) continue;
    const url = new URL(path, location);
    // A description must not make this node call somewhere else.
    if (url.host === location.host && url.protocol === 'http:') return { type, url };
  }
  throw new GatewayError('it does not map ports (no WANIPConnection)');
}

/** Maps ports with UPnP, on the first router of the local network that does. */
export class Upnp implements PortProtocol {
  readonly name = 'upnp';
  readonly #discover: typeof discoverGateways;
  #service: Service | undefined;
  /** The one that may forward the port: it was asked to, and not yet to take it back. */
  #asked: Service | undefined;

  constructor(discover = discoverGateways) {
    this.#discover = discover;
  }

  async map(ports: PortPair, signal: AbortSignal): Promise<Mapping> {
    try {
      const service = (this.#service ??= await this.#find(signal));
      const host = await call(service, signal, 'GetExternalIPAddress');
      const seconds = await this.#add(service, ports, signal, host.localHost);
      const external = elementIn(host.body, 'NewExternalIPAddress') ?? '';
      const isAddress = parseIp(external) !== undefined;
      return { externalHost: isAddress ? external : undefined, seconds };
    } catch (error) {
      // It may be another router, or have another address, the next time.
      this.#service = undefined;
      throw error;
    }
  }

  async #add(
    service: Service,
    { external, internal }: PortPair,
    signal: AbortSignal,
    localHost: string,
  ): Promise<number> {
    const add = (seconds: number) =>
      call(service, signal, 'AddPortMapping', {
        NewRemoteHost: '',
        NewExternalPort: external,
        NewProtocol: 'TCP',
        NewInternalPort: internal,
        NewInternalClient: localHost,
        NewEnabled: 1,
        NewPortMappingDescription: DESCRIPTION,
        NewLeaseDuration: seconds,
      });
    const before = this.#asked;
    // A router that does not answer may have done it.
    this.#asked = service;
    try {
      return await add(LEASE).then(
        () => LEASE,
        async (error: unknown) => {
          if (!(error instanceof UpnpFault) || error.code !== ONLY_PERMANENT) throw error;
          await add(0);
          return 0;
        },
      );
    } catch (error) {
      // It refuses: the port may be that of another machine, which is not ours to take back.
      if (error instanceof UpnpFault) this.#asked = before;
      throw error;
    }
  }

  async unmap({ external }: PortPair, signal: AbortSignal): Promise<void> {
    if (this.#asked === undefined) return;
    await call(this.#asked, signal, 'DeletePortMapping', {
      NewRemoteHost: '',
      NewExternalPort: external,
      NewProtocol: 'TCP',
    });
    this.#asked = undefined;
  }

  async #find(signal: AbortSignal): Promise<Service> {
    let last = new GatewayError('no router of the local network answers');
    for (const location of await this.#discover(signal)) {
      try {
        const { body, status } = await askGateway(location, signal);
        if (status === 200) return serviceIn(body, location);
        last = new GatewayError(`${location.host}: status ${status}`);
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        last = error;
      }
    }
    throw last;
  }
}

/** A router refused a call. */
class UpnpFault extends GatewayError {
  readonly code: number;

  constructor(code: number) {
    super(FAULTS[code] ?? `it refuses with code ${code}`);
    this.code = code;
  }
}

/** Calls an action of a service. Rejects with GatewayError. */
async function call(
  { type, url }: Service,
  signal: AbortSignal,
  action: string,
  values: Readonly<Record<string, string | number>> = {},
): Promise<Awaited<ReturnType<typeof askGateway>>> {
  const fields = Object.entries(values).map(([name, value]) => `<${name}>${value}</${name}>`);
  const body = [
    '<?xml version="1.0"?>',
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">',
    `<s:Body><u:${action} xmlns:u="${type}">${fields.join('')}</u:${action}></s:Body></s:Envelope>`,
  ].join('');
  const headers = {
    'Content-Type': 'text/xml; charset="utf-8"',
    SOAPAction: `"${type}#${action}"`,
  };
  const answer = await askGateway(url, signal, { headers, body });
  if (answer.status === 200) return answer;
  const code = Number(elementIn(answer.body, 'errorCode'));
  if (code > 0) throw new UpnpFault(code);
  throw new GatewayError(`it answers with status ${answer.status}`);
}
