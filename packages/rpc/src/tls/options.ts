import { NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { CertificateRules } from '@monero-node/rpc-client/node';
import { RpcOptionsError } from '../errors.ts';

const FINGERPRINT_HEX = /^[0-9a-f]{64}$/i;

/** Which connections a port takes: TLS only, plain only, or both, told apart by their first byte. */
export type TlsMode = (typeof TLS_MODES)[number];
const TLS_MODES = ['enabled', 'disabled', 'autodetect'] as const;

/** TLS settings as `--rpc-ssl` and its companions give them. Paths are of PEM files. */
export interface TlsOptions {
  /** Client certificates, when any are asked for, make it `enabled`. */
  mode: TlsMode;
  /** Directory of the self-signed certificate, used when none is configured. */
  directory: string;
  /** Goes with `certificate`: both or neither. */
  privateKey?: string | undefined;
  certificate?: string | undefined;
  /** Clients need a certificate that is in this file or signed by one that is. */
  caCertificates?: string | undefined;
  /** SHA-256 of client certificates, hex with or without colons; others need to pass `caCertificates`. */
  allowedFingerprints?: string[];
  /** Takes client certificates with intermediate authorities too. */
  allowChained?: boolean;
  /** Takes clients whatever their certificate, if they have one at all. */
  allowAnyCert?: boolean;
}

export const TLS_OPTIONS: OptionTable<TlsOptions> = {
  mode: { choices: TLS_MODES },
  directory: NEEDED,
  privateKey: OPTIONAL,
  certificate: OPTIONAL,
  caCertificates: OPTIONAL,
  allowedFingerprints: OPTIONAL,
  allowChained: OPTIONAL,
  allowAnyCert: OPTIONAL,
};

export interface ResolvedTls {
  readonly mode: 'enabled' | 'autodetect';
  readonly directory: string;
  /** Paths; undefined = self-signed. */
  readonly pair: { readonly key: string; readonly certificate: string } | undefined;
  /** Undefined = anybody may connect. */
  readonly clients: CertificateRules | undefined;
}

/**
 * Resolves the TLS options; undefined when the port serves no TLS. Throws RpcOptionsError for a key without a
 * certificate or the reverse, and for malformed fingerprints.
 * Source: do_process_ssl in src/rpc/rpc_args.cpp.
 */
export function resolveTls(options: TlsOptions | undefined): ResolvedTls | undefined {
  if (options === undefined) return undefined;
  const { mode, directory, privateKey, certificate } = options;
  const clients = options.allowAnyCert === true ? undefined : clientRules(options);
  if (mode === 'disabled' && clients === undefined) return undefined;
  if ((privateKey === undefined) !== (certificate === undefined)) {
    throw new RpcOptionsError(
      '--rpc-ssl-private-key and --rpc-ssl-certificate must be given together or not at all.',
    );
  }
  return {
    mode: clients === undefined && mode === 'autodetect' ? 'autodetect' : 'enabled',
    directory,
    pair:
      privateKey === undefined || certificate === undefined
        ? undefined
        : { key: privateKey, certificate },
    clients,
  };
}

function clientRules(options: TlsOptions): CertificateRules | undefined {
  const { caCertificates, allowedFingerprints = [], allowChained = false } = options;
  const fingerprints = allowedFingerprints.map((text) => text.replaceAll(':', '').toLowerCase());
  if (!fingerprints.every((hex) => FINGERPRINT_HEX.test(hex))) {
    throw new RpcOptionsError(
      '--rpc-ssl-allowed-fingerprints: a SHA-256 fingerprint is 32 bytes long.',
    );
  }
  if (caCertificates === undefined && fingerprints.length === 0) return undefined;
  return { caCertificates, fingerprints: new Set(fingerprints), allowChained };
}
