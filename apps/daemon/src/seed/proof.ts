import { createHmac, randomBytes, timingSafeEqual, webcrypto } from 'node:crypto';

/*
 * Source and receiver share a key, which is never sent. The receiver proves with each request that it has it; the source proves
 * it with each answer, and with it that the bytes are those that it sent for this very request.
 */

/** Field of an answer that holds the proof of the source. */
export const PROOF_FIELD = 'seed-proof';
const SCHEME = 'Monero-Seed';

/** A request as both sides see it. */
export interface SeedRequest {
  /** 32 hex digits that the receiver has drawn for this request. */
  readonly nonce: string;
  /** Path of the URL. */
  readonly target: string;
  /** Value of the field Range; empty without one. */
  readonly range: string;
}

/** Returns 32 random hex digits. */
export function newNonce(): string {
  return randomBytes(16).toString('hex');
}

/** Returns the value of the field Authorization of a request. */
export function authorizationOf(key: string, request: SeedRequest): string {
  return `${SCHEME} ${request.nonce} ${requestProof(key, request)}`;
}

/** Returns the nonce of a request if it proves the key; undefined otherwise. */
export function provenNonce(
  key: string,
  authorization: string | undefined,
  { target, range }: Pick<SeedRequest, 'target' | 'range'>,
): string | undefined {
  const form = /^Monero-Seed ([0-9a-f]{32}) ([0-9a-f]{64})$/.exec(authorization ?? '');
  const [, nonce = '', proof = ''] = form ?? [];
  if (form === null) return undefined;
  return isSame(proof, requestProof(key, { nonce, target, range })) ? nonce : undefined;
}

/**
 * Returns the proof of an answer.
 * @param digest SHA-256 of the body in hex; with status 304, of the bytes that the receiver has
 */
export function answerProof(
  key: string,
  { nonce, target, range }: SeedRequest,
  { status, digest }: { readonly status: number; readonly digest: string },
): string {
  return proofOf(key, ['answer', nonce, target, range, String(status), digest]);
}

/** Compares two proofs in a time that does not depend on where they differ. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function requestProof(key: string, { nonce, target, range }: SeedRequest): string {
  return proofOf(key, ['request', nonce, target, range]);
}

function proofOf(key: string, parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
}

/** Resolves with the SHA-256 of bytes in hex. It is computed on another thread: 4 MiB would hold the event loop for milliseconds. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
