import { readFile } from 'node:fs/promises';
import { GatewayError } from './gateway.ts';

const ROUTES = '/proc/net/route';

/** Returns the IPv4 address of the default gateway in a table of routes as Linux has it; undefined when there is none. */
export function gatewayIn(table: string): string | undefined {
  for (const line of table.split('\n').slice(1)) {
    const [, destination, gateway = ''] = line.split('\t');
    // Four bytes in the order of the machine, which is little-endian wherever this runs.
    if (destination === '00000000' && /^[0-9A-F]{8}$/.test(gateway) && gateway !== '00000000')
      return Buffer.from(gateway, 'hex').reverse().join('.');
  }
  return undefined;
}

/** Resolves with the IPv4 address of the router. Rejects with GatewayError when it is not known. */
export async function defaultGateway(): Promise<string> {
  const table = await readFile(ROUTES, 'utf8').catch(() => undefined);
  if (table === undefined)
    throw new GatewayError('this system does not tell the address of the router');
  const gateway = gatewayIn(table);
  if (gateway === undefined) throw new GatewayError('this machine has no route to a router');
  return gateway;
}
