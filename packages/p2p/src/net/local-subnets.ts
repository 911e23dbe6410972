import { parseIp } from '../hosts/index.ts';
import type { BanTarget } from './ban-target.ts';
import { ADDRESS_BITS, containsSubnet, ipNumberOf, subnetOf, type IpSubnet } from './ip-subnet.ts';

/** Subnets from which the owner of a node comes. Sources: RFC 1122, 1918, 3927, 4193, 4291 and 6598. */
const LOCAL: readonly (readonly [base: string, prefix: number])[] = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
];

/** Tells what lies in a local subnet, or around one: a ban of it could lock the owner out. */
export class LocalSubnets {
  readonly #subnets = LOCAL.flatMap(([base, prefix]) => {
    const ip = parseIp(base);
    return (ip && subnetOf(ip, prefix)) ?? [];
  });

  touches(target: BanTarget): boolean {
    const subnet = asSubnet(target);
    return (
      subnet !== undefined &&
      this.#subnets.some((local) => containsSubnet(local, subnet) || containsSubnet(subnet, local))
    );
  }
}

function asSubnet(target: BanTarget): IpSubnet | undefined {
  if (target.kind === 'subnet') return target.subnet;
  const ip = parseIp(target.text);
  if (ip === undefined) return undefined;
  const { kind, value } = ipNumberOf(ip);
  return { kind, base: value, prefix: ADDRESS_BITS[kind] };
}
