import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Logger } from '@monero-node/base';
import { RpcOptionsError } from '../errors.ts';
import { parseCertificates } from '@monero-node/rpc-client/node';
import { KeptCertificate } from './kept-certificate.ts';
import type { ResolvedTls } from './options.ts';
import { createSelfSigned, type KeyPair } from './self-signed.ts';

/** The keys and certificates of a TLS server, as PEM text. */
export interface Credentials extends KeyPair {
  /** Authorities of clients; empty = none. */
  readonly ca: string;
}

/**
 * Reads the configured certificate, or the one kept by an earlier run; undefined when one has yet to be made. Throws
 * RpcOptionsError for files that are missing or malformed.
 */
export async function findCredentials(
  options: ResolvedTls,
  logger: Logger,
): Promise<Credentials | undefined> {
  const pair = await (options.pair === undefined
    ? new KeptCertificate(options.directory).load()
    : readPair(options.pair));
  if (pair === undefined) return undefined;
  const credentials = await withAuthorities(pair, options);
  noteCost(pair, logger);
  return credentials;
}

/** A handshake costs 0.5 ms of the event loop with ECDSA P-256, 1.5 ms with RSA 2048, 5 ms with RSA 4096. */
function noteCost({ key }: KeyPair, logger: Logger): void {
  const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(key);
  const { modulusLength: bits = 0 } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType !== 'rsa' || bits <= 2048) return;
  const text = `the TLS key is RSA ${bits}: each connection costs several times as much as with ECDSA P-256`;
  if (bits > 4096) logger.warn(text);
  else logger.info(text);
}

/**
 * Makes a certificate and keeps it, unless the signal is aborted meanwhile. Throws RpcOptionsError when it cannot be kept, and
 * for malformed authorities of clients.
 */
export async function makeCredentials(
  options: ResolvedTls,
  logger: Logger,
  signal: AbortSignal,
): Promise<Credentials> {
  logger.info('making a certificate for TLS');
  const pair = await createSelfSigned();
  signal.throwIfAborted();
  await new KeptCertificate(options.directory).save(pair);
  return withAuthorities(pair, options);
}

async function withAuthorities(pair: KeyPair, { clients }: ResolvedTls): Promise<Credentials> {
  const ca = clients?.caCertificates === undefined ? '' : await readPem(clients.caCertificates);
  try {
    createSecureContext({ key: pair.key, cert: pair.certificate });
    if (ca !== '' && parseCertificates(ca).length === 0) throw new Error('no certificate in it');
  } catch (error) {
    throw new RpcOptionsError(`TLS key or certificates: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return { ...pair, ca };
}

async function readPair(pair: NonNullable<ResolvedTls['pair']>): Promise<KeyPair> {
  return { key: await readPem(pair.key), certificate: await readPem(pair.certificate) };
}

async function readPem(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new RpcOptionsError(`TLS: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
