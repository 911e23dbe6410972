import type { Network } from '@monero-node/consensus';
import type { AddressKeys } from '@monero-node/crypto';
import type { StratumSettings } from '@monero-node/node';
import type { RpcOptions } from '@monero-node/rpc';
import { minerAddress } from '@monero-node/rpc/settings';
import type { OptionReader } from './given-options.ts';
import type { OptionName } from './options/options.ts';
import { readSecretFile } from './rpc-login.ts';
import { UsageError } from './usage-error.ts';

/** Options without effect when rigs are not served. */
const STRATUM_NAMES: readonly OptionName[] = [
  'stratum-bind-ip',
  'stratum-address',
  'stratum-any-address',
  'stratum-password',
  'stratum-password-file',
  'stratum-tls',
];

/**
 * Reads the options of the server for rigs; returns undefined unless a port is given.
 *
 * Throws UsageError for an address that cannot be mined to, for none at all, for a password that cannot be used, and for TLS when the
 * RPC has none.
 */
export function stratumSettings(
  values: OptionReader,
  network: Network,
  { tls }: Pick<RpcOptions, 'tls'>,
): StratumSettings | undefined {
  const bindPort = values.get('stratum-bind-port');
  if (bindPort === undefined) return undefined;
  const address = payoutAddress(values, network);
  const anyAddress = values.get('stratum-any-address');
  if (address === undefined && !anyAddress) {
    throw new UsageError(
      '--stratum-bind-port needs --stratum-address, which blocks pay, or --stratum-any-address',
    );
  }
  if (values.get('stratum-tls') && tls?.mode === 'disabled')
    throw new UsageError('--stratum-tls uses the certificate of the RPC: it needs --rpc-ssl');
  return {
    bindIp: values.get('stratum-bind-ip'),
    bindPort,
    address,
    anyAddress,
    password: password(values),
    tls: values.get('stratum-tls'),
  };
}

/** Returns a sentence for each option that has no effect without a port. */
export function stratumWarnings(values: OptionReader): string[] {
  if (values.has('stratum-bind-port')) return [];
  return STRATUM_NAMES.filter((name) => values.has(name)).map(
    (name) => `--${name} has no effect without --stratum-bind-port`,
  );
}

function payoutAddress(values: OptionReader, network: Network): AddressKeys | undefined {
  const text = values.get('stratum-address');
  if (text === undefined) return undefined;
  const address = minerAddress(text, network);
  if (address === undefined)
    throw new UsageError(`--stratum-address ${text} is not an address of ${network.name}`);
  if (address.isSubaddress)
    throw new UsageError(`--stratum-address ${text}: blocks cannot pay a subaddress`);
  return address;
}

function password(values: OptionReader): string | undefined {
  const file = values.get('stratum-password-file');
  const given = values.get('stratum-password');
  if (file === undefined) {
    if (given === '') throw new UsageError('--stratum-password cannot be empty');
    return given;
  }
  if (given !== undefined)
    throw new UsageError('--stratum-password and --stratum-password-file cannot be given together');
  const refuse = (why: string): never => {
    throw new UsageError(`--stratum-password-file ${file}: ${why}`);
  };
  const line = readSecretFile(file, refuse).replace(/\r?\n$/, '');
  if (line === '' || /[\r\n]/.test(line)) refuse('must hold one line, the password');
  return line;
}
