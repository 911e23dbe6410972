import { generateKeyPair, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';

/** Key and certificate as PEM text. */
export interface KeyPair {
  readonly key: string;
  readonly certificate: string;
}

const DAY_MS = 86_400_000;
/** Half a year, as in monerod. */
const VALID_DAYS = 182;
const PEM_LINE = 64;

/** Tags of ASN.1 (X.690). */
const TAG = {
  integer: 0x02,
  bitString: 0x03,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** The version of a certificate. */
  context0: 0xa0,
};

const ECDSA_WITH_SHA256 = Buffer.from('2a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');
const VERSION_3 = Buffer.from([2]);

const generate = promisify(generateKeyPair);
const signAsync = promisify(sign);

/**
 * Makes an ECDSA key on curve P-256 and a certificate for it. Both take milliseconds, and the arithmetic runs on a thread
 * of Node.js. A handshake with this key costs a tenth of one with RSA 4096, which monerod makes. The certificate is
 * written here because the libraries that can write one take half a second of the event loop to load.
 * Source: RFC 5280, section 4.1; RFC 5758, section 3.2.
 */
export async function createSelfSigned(now: Date = new Date()): Promise<KeyPair> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-256' });
  const algorithm = der(TAG.sequence, der(TAG.oid, ECDSA_WITH_SHA256));
  const name = der(
    TAG.sequence,
    der(
      TAG.set,
      der(TAG.sequence, der(TAG.oid, COMMON_NAME), der(TAG.utf8, Buffer.from('monero-node'))),
    ),
  );
  const signed = der(
    TAG.sequence,
    der(TAG.context0, der(TAG.integer, VERSION_3)),
    der(TAG.integer, serialNumber()),
    algorithm,
    name,
    der(TAG.sequence, time(now), time(new Date(now.getTime() + VALID_DAYS * DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = await signAsync('sha256', signed, privateKey);
  const certificate = der(
    TAG.sequence,
    signed,
    algorithm,
    der(TAG.bitString, Buffer.of(0), signature),
  );
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem(certificate),
  };
}

/** Encodes a value of ASN.1: its tag, its length and its parts. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const digits = length > 0xff ? [0x82, length >> 8, length & 0xff] : [0x81, length];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : digits)]), content]);
}

/** Positive, and another one each time: browsers refuse a second certificate with the number of a first. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

/** Years from 2050 on have four digits. */
function time(date: Date): Buffer {
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  const isShort = text < '2050';
  return der(
    isShort ? TAG.utcTime : TAG.generalizedTime,
    Buffer.from(isShort ? text.slice(2) : text, 'latin1'),
  );
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${PEM_LINE}}`, 'g')) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
