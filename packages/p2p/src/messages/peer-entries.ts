import { ipFromBytes } from '../hosts/index.ts';
import {
  DecodeError,
  defineTable,
  defaultsOf,
  f,
  mapped,
  omitDefault,
} from '@monero-node/codec/portable-storage';
import type { Field, Kind, MessageOf } from '@monero-node/codec/portable-storage';
import { ADDRESS_TYPES, unknownAddress } from '../net/address.ts';
import { addressOf, toIp, ipv4FromNumber, ipv4Number } from '../net/ip-address.ts';
import { hiddenAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import { I2P_PORT } from '../net/hidden-address.ts';

const IPV4 = defineTable({ m_ip: f.u32(), m_port: f.u16() });
const IPV6 = defineTable({ addr: f.pod(16), m_port: f.u16() });
const HIDDEN = defineTable({ host: f.text(), port: f.u16() });
const KINDS = [IPV4, IPV6, HIDDEN].map((table): Kind => ({ kind: 'object', table }));

type WireAddress = MessageOf<typeof IPV4> | MessageOf<typeof IPV6> | MessageOf<typeof HIDDEN>;

/** Returns the position in `KINDS` for a type of address. Throws DecodeError for an unknown type. */
function kindIndex(type: unknown): number {
  switch (type) {
    case ADDRESS_TYPES.ipv4:
      return 0;
    case ADDRESS_TYPES.ipv6:
      return 1;
    case ADDRESS_TYPES.i2p:
    case ADDRESS_TYPES.tor:
      return 2;
    default:
      throw new DecodeError(`unknown address type ${String(type)}`);
  }
}

/** The address; its fields depend on `type`. */
const ADDR: Field<WireAddress | undefined, WireAddress, false> = {
  kind: {
    kind: 'choice',
    of: KINDS,
    pick: (address) => {
      const members = address as WireAddress;
      if ('m_ip' in members) return 0;
      return 'addr' in members ? 1 : 2;
    },
    by: { field: 'type', index: kindIndex },
  },
  presence: 'if-given',
  fallback: undefined,
};
const ADR = defineTable({ addr: ADDR, type: f.u8() });

function readAddress({ addr, type }: MessageOf<typeof ADR>): NetAddress {
  const address = addr ?? defaultAddress(type);
  if ('m_ip' in address) {
    return { kind: 'ipv4', host: ipv4FromNumber(address.m_ip), port: address.m_port };
  }
  if ('addr' in address) {
    return addressOf(ipFromBytes(address.addr), address.m_port);
  }
  return readHidden(type === ADDRESS_TYPES.tor ? 'tor' : 'i2p', address.host, address.port);
}

function defaultAddress(type: number): WireAddress {
  const table = [IPV4, IPV6, HIDDEN][kindIndex(type)] ?? HIDDEN;
  return defaultsOf(table) as WireAddress;
}

function readHidden(kind: 'tor' | 'i2p', host: string, port: number): NetAddress {
  const unknown = unknownAddress(kind);
  if (host === unknown.host) return unknown;
  const address = hiddenAddress(host, port);
  if (address?.kind !== kind) throw new DecodeError(`not a ${kind} host`);
  return address;
}

function writeAddress(address: NetAddress): WireAddress {
  switch (address.kind) {
    case 'libp2p':
      throw new RangeError('addresses of libp2p peers are not sent to others');
    case 'ipv4':
      return { m_ip: ipv4Number(address), m_port: address.port };
    case 'ipv6':
      return { addr: Uint8Array.from(toIp(address)?.toByteArray() ?? []), m_port: address.port };
    default:
      return { host: address.host, port: address.kind === 'i2p' ? I2P_PORT : address.port };
  }
}

/**
 * The `adr` object: a type byte and the fields of that type. Any other type fails the message.
 * Source: network_address in contrib/epee/include/net/net_utils_base.h.
 */
export const NET_ADDRESS: Field<NetAddress, NetAddress, true> = mapped(ADR, {
  read: readAddress,
  write: (address) => ({ addr: writeAddress(address), type: ADDRESS_TYPES[address.kind] }),
});

/** One peer of a peer list. Source: peerlist_entry in src/p2p/p2p_protocol_defs.h. */
export const PEER_LIST_ENTRY = defineTable({
  adr: NET_ADDRESS,
  id: f.u64(),
  /** Seconds since 1970; 0 when not sent. */
  last_seen: omitDefault(f.i64()),
  pruning_seed: omitDefault(f.u32()),
  rpc_credits_per_hash: omitDefault(f.u32()),
  rpc_port: omitDefault(f.u16()),
});
export type PeerListEntry = MessageOf<typeof PEER_LIST_ENTRY>;
