// One notion of a host for peers, bans, proxies, listeners and clients. The only files that import the library `ipaddr.js`.
// Apart from ../index.ts, so that a table of options or a command loads no node with them.
export { clientHost, isIpv6, isLoopback, isPrivate, plainHost, unbracketed } from './hosts.ts';
export {
  ipFromBytes,
  ipv6Prefix,
  mappedIp,
  parseIp,
  parseLooseIpv4,
  plainIp,
  type Ip,
} from './ip.ts';
export { parseCidr, Subnets, type Cidr } from './subnets.ts';
