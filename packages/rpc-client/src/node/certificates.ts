import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/** Certificates that the other side may show. */
export interface CertificateRules {
  /** Path of a PEM file: a certificate must be in it or signed by one that is. */
  readonly caCertificates: string | undefined;
  /** SHA-256 of certificates that are allowed, 64 lower-case hex digits each. */
  readonly fingerprints: ReadonlySet<string>;
  /** Allows intermediate authorities. */
  readonly allowChained: boolean;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Returns the certificates of a PEM file, in order. Throws Error when one of them is damaged. */
export function parseCertificates(pem: string): X509Certificate[] {
  return (pem.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text));
}

/**
 * Returns whether a peer's certificate is allowed, after the handshake. It must have an allowed fingerprint, be one of
 * `trusted`, or be signed by one of them; with `allowChained` through intermediate authorities too (in monerod: a
 * verification depth of 0, or unlimited).
 */
export function isAllowedPeer(
  socket: TLSSocket,
  rules: CertificateRules,
  trusted: readonly X509Certificate[],
): boolean {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return false;
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  if (rules.fingerprints.has(fingerprint)) return true;
  if (!socket.authorized) return false;
  return rules.allowChained || trusted.some((authority) => vouches(authority, certificate));
}

function vouches(authority: X509Certificate, certificate: X509Certificate): boolean {
  if (authority.fingerprint256 === certificate.fingerprint256) return true;
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}
