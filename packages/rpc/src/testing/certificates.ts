import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { BasicConstraintsExtension, PemConverter, X509CertificateGenerator } from '@peculiar/x509';

/** A certificate for tests, PEM. */
export interface TestCertificate {
  readonly name: string;
  readonly key: string;
  readonly certificate: string;
  readonly keys: webcrypto.CryptoKeyPair;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Makes a certificate that may sign others, signed by `issuer` or by itself; ECDSA unless another algorithm is given. */
export async function issue(
  name: string,
  issuer?: TestCertificate,
  algorithm: webcrypto.EcKeyGenParams | webcrypto.RsaHashedKeyGenParams = ALGORITHM,
): Promise<TestCertificate> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const signer = issuer ?? { name, keys };
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: `CN=${signer.name}`,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 86_400_000),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: signer.keys.privateKey,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    name,
    keys,
    key: `${PemConverter.encode(key, 'PRIVATE KEY')}\n`,
    certificate: `${certificate.toString('pem')}\n`,
  };
}
