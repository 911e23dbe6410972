import type { NatsConnection } from '@nats-io/transport-node';

/** Shortest limit of payloads with which events can be published, bytes. A NATS server takes 1 MiB by default. */
const MIN_PAYLOAD_BYTES = 65_536;
/** Most other servers of a cluster, and longest address of one. */
const MAX_SERVERS = 64;
const MAX_ADDRESS_LENGTH = 256;
const MAX_NONCE_LENGTH = 256;

/** A NATS server says what no such server says. The message names it. */
export class BadServerError extends Error {
  override readonly name = 'BadServerError';
}

/**
 * Checks what a server says of itself, the JSON of its INFO line, before the client library acts on it. Throws BadServerError
 * for values of the wrong kind, and for a server that takes only messages too short for events.
 * Source: INFO in the NATS client protocol
 */
export function checkServerInfo(json: string): void {
  const info = parse(json);
  const { max_payload: maxPayload, version, nonce, connect_urls: others } = info;
  if (!Number.isSafeInteger(maxPayload) || Number(maxPayload) < MIN_PAYLOAD_BYTES) {
    throw new BadServerError(
      `the server takes messages of ${printable(maxPayload)} bytes; events need at least ${MIN_PAYLOAD_BYTES}`,
    );
  }
  if (typeof version !== 'string' || !/^v?\d{1,9}\.\d{1,9}\.\d{1,9}/.test(version)) {
    throw new BadServerError(`the server has the version ${printable(version)}`);
  }
  if (nonce !== undefined && !isText(nonce, MAX_NONCE_LENGTH)) {
    throw new BadServerError('the server asks to sign something else than a nonce');
  }
  if (others !== undefined && others !== null && !isServerList(others)) {
    throw new BadServerError('the server names others in a wrong way');
  }
}

/** Returns the longest payload to send, bytes: `wanted`, or half of what the connected server takes. */
export function payloadBytes({ info }: Pick<NatsConnection, 'info'>, wanted: number): number {
  return Math.min(wanted, Math.floor((info?.max_payload ?? MIN_PAYLOAD_BYTES) / 2));
}

function parse(json: string): Record<string, unknown> {
  let info: unknown;
  try {
    info = JSON.parse(json);
  } catch {
    throw new BadServerError('the server sent an INFO line that is not JSON');
  }
  if (typeof info !== 'object' || info === null || Array.isArray(info)) {
    throw new BadServerError('the server sent an INFO line without an object');
  }
  return info as Record<string, unknown>;
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength;
}

function isServerList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= MAX_SERVERS &&
    value.every((url) => isText(url, MAX_ADDRESS_LENGTH) && URL.canParse(`nats://${url}`))
  );
}

function printable(value: unknown): string {
  return String(JSON.stringify(value))
    .replace(/[^ -~]+/g, ' ')
    .slice(0, 40);
}
