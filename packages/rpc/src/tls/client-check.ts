import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { ClientRules } from './options.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a PEM file, in order. Throws when one of them is damaged. */
export function parseCertificates(pem: string): X509Certificate[] {
  return (pem.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text));
}

/**
 * Whether a peer may stay, after the handshake. Its certificate must have an allowed fingerprint, or be vouched for by
 * one of `trusted`: itself among them or signed by one of them; with `allowChained` also through intermediate
 * authorities (monerod: a verification depth of 0, or none).
 */
export function isAllowedPeer(
  socket: TLSSocket,
  rules: ClientRules,
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
