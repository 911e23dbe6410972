import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { once } from 'node:events';
import { guardEmitter } from '@monero-node/base';
import { isIpv6 } from '@monero-node/p2p/hosts';
import type { Answer } from 'dns-packet';

/** Header flags (RFC 1035, RFC 4035): recursion desired, authenticated data. */
const RECURSION_DESIRED = 1 << 8;
const AUTHENTIC_DATA = 1 << 5;
const TIMEOUT_MS = 5_000;
/** Largest answer in one datagram, in bytes. */
const ANSWER_BYTES = 4096;

export interface TxtAnswer {
  /** The records, each joined to one string. */
  readonly records: readonly string[];
  /** Whether the resolver says that it checked the DNSSEC signatures. */
  readonly authenticated: boolean;
}

/** Looks up the TXT records of a name; rejects when the resolver does not answer. */
export type SecureTxtResolver = (name: string) => Promise<TxtAnswer>;

function textOf(answer: Answer): string | undefined {
  if (answer.type !== 'TXT') return undefined;
  const parts = Array.isArray(answer.data) ? answer.data : [answer.data];
  return parts.map((part) => part.toString()).join('');
}

/** Parses a server of node:dns: `1.2.3.4`, `1.2.3.4:53`, `::1` or `[::1]:53`. */
function serverAddress(server: string): { host: string; port: number } {
  const bracketed = /^\[(.+)\]:(\d+)$/.exec(server);
  if (bracketed) return { host: bracketed[1] ?? '', port: Number(bracketed[2]) };
  if (isIpv6(server)) return { host: server, port: 53 };
  const [host = '', port = '53'] = server.split(':');
  return { host, port: Number(port) };
}

/**
 * Creates a resolver that asks the system's DNS server for TXT records and trusts its statement that it checked the
 * DNSSEC signatures. The statement itself is not protected on its way: run a validating server on this machine.
 *
 * `servers` are `IP` or `IP:PORT`, by default those of the system; only the first is asked. The resolver throws Error when
 * there is no server, or when the answer does not belong to the query.
 */
export function createSecureTxtResolver(servers = getServers()): SecureTxtResolver {
  return async (name) => {
    const [server] = servers;
    if (server === undefined) throw new Error('the system has no DNS server');
    // Loaded by the first query, because many nodes ask none.
    const { decode, encode } = await import('dns-packet');
    const id = randomInt(0, 65_536);
    const query = encode({
      type: 'query',
      id,
      flags: RECURSION_DESIRED | AUTHENTIC_DATA,
      questions: [{ type: 'TXT', name }],
      additionals: [
        {
          type: 'OPT',
          name: '.',
          udpPayloadSize: ANSWER_BYTES,
          extendedRcode: 0,
          ednsVersion: 0,
          flags: 1 << 15,
          flag_do: true,
          options: [],
        },
      ],
    });
    const { host, port } = serverAddress(server);
    const message = await exchange(query, host, port);
    const answer = decode(message);
    if (answer.id !== id || answer.questions?.[0]?.name !== name) {
      throw new Error('the DNS server answered another question');
    }
    return {
      records: (answer.answers ?? []).flatMap((record) => textOf(record) ?? []),
      authenticated: answer.flag_ad && !answer.flag_tc,
    };
  };
}

async function exchange(query: Buffer, host: string, port: number): Promise<Buffer> {
  const socket = guardEmitter(createSocket(isIpv6(host) ? 'udp6' : 'udp4'));
  try {
    // A connected socket receives datagrams from this address only.
    socket.connect(port, host);
    await once(socket, 'connect');
    socket.send(query);
    const [message] = (await once(socket, 'message', {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })) as [Buffer];
    return message;
  } finally {
    socket.close();
  }
}

/** Least number of names with authenticated records. */
const LEAST_NAMES = 2;

/**
 * Returns the TXT records, sorted, that more than half of `names` have in common; undefined when there are none.
 * Only authenticated answers count. Source: load_txt_records_from_dns in src/common/dns_utils.cpp.
 */
export async function agreedRecords(
  names: readonly string[],
  resolver: SecureTxtResolver,
): Promise<readonly string[] | undefined> {
  const answers = await Promise.all(
    names.map((name) => resolver(name).catch(() => ({ records: [], authenticated: false }))),
  );
  const sets = answers
    .filter(({ authenticated }) => authenticated)
    .map(({ records }) => [...new Set(records)].sort())
    .filter((records) => records.length > 0);
  if (sets.length < LEAST_NAMES) return undefined;
  const keys = sets.map((records) => JSON.stringify(records));
  const needed = Math.floor(names.length / 2) + 1;
  return sets.find((_, i) => keys.filter((key) => key === keys[i]).length >= needed);
}
