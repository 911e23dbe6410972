import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardEmitter, guardServer } from '@monero-node/base';

/** Answers a request of NAT-PMP; undefined: stays silent. */
type PmpAnswer = (request: Buffer) => Buffer | undefined;

/** A router on loopback that speaks NAT-PMP, and does what a test says. */
export class StandInPmp {
  readonly requests: Buffer[] = [];
  readonly #socket: Socket = guardEmitter(createSocket('udp4'));

  private constructor(answer: PmpAnswer) {
    this.#socket.on('message', (request, { address, port }) => {
      this.requests.push(request);
      const bytes = answer(request);
      if (bytes !== undefined) this.#socket.send(bytes, port, address);
    });
  }

  static async open(answer: PmpAnswer = pmpRouter()): Promise<StandInPmp> {
    const gateway = new StandInPmp(answer);
    gateway.#socket.bind(0, '127.0.0.1');
    await once(gateway.#socket, 'listening');
    return gateway;
  }

  get port(): number {
    return this.#socket.address().port;
  }

  close(): void {
    this.#socket.close();
  }
}

/** Returns what an honest router answers. Source: RFC 6886, sections 3.2 and 3.3. */
export function pmpRouter({ external = 0, result = 0, seconds = 7200 } = {}): PmpAnswer {
  return (request) => {
    const operation = request.readUInt8(1);
    const answer = Buffer.alloc(operation === 0 ? 12 : 16);
    answer.writeUInt8(operation | 128, 1);
    answer.writeUInt16BE(result, 2);
    answer.writeUInt32BE(99, 4);
    if (operation === 0)
      return Buffer.concat([answer.subarray(0, 8), Buffer.from([203, 0, 113, 7])]);
    answer.writeUInt16BE(request.readUInt16BE(4), 8);
    answer.writeUInt16BE(external || request.readUInt16BE(6), 10);
    answer.writeUInt32BE(Math.min(seconds, request.readUInt32BE(8)), 12);
    return answer;
  };
}

const SERVICE = 'urn:schemas-upnp-org:service:WANIPConnection:1';
const envelope = (body: string): string =>
  `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`;

interface UpnpBehavior {
  /** The description of the device; that of a router by default. */
  readonly description?: string;
  /** Returns the code of the error with which an action fails; 0 for none. */
  readonly fault?: (action: string, body: string) => number;
}

/** A router on loopback that speaks UPnP, and does what a test says. */
export class StandInUpnp {
  readonly calls: [action: string, body: string][] = [];
  readonly #server: Server;

  private constructor({ description = DESCRIPTION, fault = () => 0 }: UpnpBehavior) {
    this.#server = guardServer(
      createServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          if (request.method === 'GET') return void response.end(description);
          const [, action = ''] = /#(\w+)"$/.exec(String(request.headers['soapaction'])) ?? [];
          this.calls.push([action, body]);
          const code = fault(action, body);
          if (code !== 0) response.statusCode = 500;
          response.end(envelope(code === 0 ? answerOf(action) : faultOf(code)));
        });
      }),
    );
  }

  static async open(behavior: UpnpBehavior = {}): Promise<StandInUpnp> {
    const gateway = new StandInUpnp(behavior);
    gateway.#server.listen(0, '127.0.0.1');
    await once(gateway.#server, 'listening');
    return gateway;
  }

  get location(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/root.xml`);
  }

  /** Returns the value of a field in the last call of an action. */
  sent(action: string, field: string): string | undefined {
    const [, body = ''] = this.calls.findLast(([each]) => each === action) ?? [];
    return new RegExp(`<${field}>([^<]*)</${field}>`).exec(body)?.[1];
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function answerOf(action: string): string {
  const address = '<NewExternalIPAddress>203.0.113.7</NewExternalIPAddress>';
  const fields = action === 'GetExternalIPAddress' ? address : '';
  return `<u:${action}Response xmlns:u="${SERVICE}">${fields}</u:${action}Response>`;
}

const faultOf = (code: number): string =>
  `<s:Fault><detail><UPnPError><errorCode>${code}</errorCode></UPnPError></detail></s:Fault>`;

/** The description of a router, shortened. */
export const DESCRIPTION = `<?xml version="1.0"?>
<root xmlns="urn:schemas-upnp-org:device-1-0"><device>
  <deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType>
  <serviceList><service>
    <serviceType>urn:schemas-upnp-org:service:Layer3Forwarding:1</serviceType>
    <controlURL>/ctl/L3F</controlURL>
  </service></serviceList>
  <deviceList><device><serviceList><service>
    <serviceType>${SERVICE}</serviceType>
    <serviceId>urn:upnp-org:serviceId:WANIPConn1</serviceId>
    <controlURL>/ctl/IPConn</controlURL>
  </service></serviceList></device></deviceList>
</device></root>`;
