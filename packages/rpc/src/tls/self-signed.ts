import { webcrypto } from 'node:crypto';

/** Key and certificate as PEM text. */
export interface KeyPair {
  readonly key: string;
  readonly certificate: string;
}

const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 4096,
};
const DAY_MS = 86_400_000;
/** Half a year, as in monerod. */
const VALID_DAYS = 182;

/**
 * Makes an RSA key of 4096 bits and a certificate for it. Takes a second or more, without blocking the event loop.
 * The libraries are loaded here because a node needs them only once.
 */
export async function createSelfSigned(now: Date = new Date()): Promise<KeyPair> {
  await import('reflect-metadata');
  const { PemConverter, X509CertificateGenerator } = await import('@peculiar/x509');
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=monero-node',
    notBefore: now,
    notAfter: new Date(now.getTime() + VALID_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    key: `${PemConverter.encode(key, 'PRIVATE KEY')}\n`,
    certificate: `${certificate.toString('pem')}\n`,
  };
}
