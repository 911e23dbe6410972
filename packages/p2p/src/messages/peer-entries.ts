import { DecodeError, defineMessage, field } from '@monero-node/codec';
import type { MessageOf, MessageSchema, StorageSection } from '@monero-node/codec';
import {
  ADDRESS_TYPES,
  formatIpv6,
  hiddenAddress,
  ipv4FromNumber,
  ipv4Number,
  ipv6Bytes,
  unknownAddress,
} from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import { I2P_PORT } from '../net/hidden-address.ts';

const IPV4 = defineMessage({ m_ip: field.u32(), m_port: field.u16() });
const IPV6 = defineMessage({ addr: field.pod(16), m_port: field.u16() });
const HIDDEN = defineMessage({ host: field.string(), port: field.u16() });

function readAddress(type: number, section: StorageSection): NetAddress {
  switch (type) {
    case ADDRESS_TYPES.ipv4: {
      const { m_ip, m_port } = IPV4.fromSection(section);
      return { kind: 'ipv4', host: ipv4FromNumber(m_ip), port: m_port };
    }
    case ADDRESS_TYPES.ipv6: {
      const { addr, m_port } = IPV6.fromSection(section);
      return { kind: 'ipv6', host: formatIpv6(addr), port: m_port };
    }
    case ADDRESS_TYPES.i2p:
    case ADDRESS_TYPES.tor: {
      const { host, port } = HIDDEN.fromSection(section);
      return readHidden(type === ADDRESS_TYPES.tor ? 'tor' : 'i2p', host, port);
    }
    default:
      throw new DecodeError(`unknown address type ${type}`);
  }
}

function readHidden(kind: 'tor' | 'i2p', host: string, port: number): NetAddress {
  const unknown = unknownAddress(kind);
  if (host === unknown.host) return unknown;
  const address = hiddenAddress(host, port);
  if (address?.kind !== kind) throw new DecodeError(`no ${kind} host`);
  return address;
}

function writeAddress(address: NetAddress): StorageSection {
  switch (address.kind) {
    case 'libp2p':
      throw new RangeError('libp2p peers are not told to others');
    case 'ipv4':
      return IPV4.toSection({ m_ip: ipv4Number(address), m_port: address.port });
    case 'ipv6':
      return IPV6.toSection({ addr: ipv6Bytes(address.host), m_port: address.port });
    default:
      return HIDDEN.toSection({
        host: address.host,
        port: address.kind === 'i2p' ? I2P_PORT : address.port,
      });
  }
}

const ADR = defineMessage({ addr: field.raw(), type: field.u8() });

/** The `adr` object: a type byte and the fields of that type. Any other type fails the message. */
export const NET_ADDRESS: MessageSchema<NetAddress> = {
  fromSection(section) {
    const { addr, type } = ADR.fromSection(section);
    return readAddress(type, addr?.type === 'object' ? addr.value : new Map());
  },
  toSection(address) {
    return ADR.toSection({
      addr: { type: 'object', value: writeAddress(address) },
      type: ADDRESS_TYPES[address.kind],
    });
  },
};

/** One peer of a peer list (`src/p2p/p2p_protocol_defs.h`, peerlist_entry). */
export const PEER_LIST_ENTRY = defineMessage({
  adr: field.object(NET_ADDRESS),
  id: field.u64(),
  last_seen: field.i64({ optional: 0n }),
  pruning_seed: field.u32({ optional: 0 }),
  rpc_credits_per_hash: field.u32({ optional: 0 }),
  rpc_port: field.u16({ optional: 0 }),
});
export type PeerListEntry = MessageOf<typeof PEER_LIST_ENTRY>;
