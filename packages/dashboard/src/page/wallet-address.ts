import type { HiddenService } from '../messages/state.ts';

/** Where a wallet reaches this node. */
export interface WalletAddress {
  readonly host: string;
  readonly port: string;
  /** With the scheme, as wallets read it from a QR code. */
  readonly url: string;
  /** The network through which the name leads; undefined for the internet. */
  readonly through: 'Tor' | 'I2P' | undefined;
  /** Whether the RPC speaks TLS there. */
  readonly isEncrypted: boolean;
}

/** Where the programs of these networks take connections unless told otherwise. */
const PROXIES = { Tor: '127.0.0.1:9050', I2P: '127.0.0.1:4447' };

function addressOf(host: string, port: string, isEncrypted: boolean): WalletAddress {
  const through = host.endsWith('.onion') ? 'Tor' : host.endsWith('.i2p') ? 'I2P' : undefined;
  const scheme = isEncrypted ? 'https' : 'http';
  return { host, port, url: `${scheme}://${host}:${port}`, through, isEncrypted };
}

/**
 * Returns the addresses for wallets: the name under which the visitor has reached the page, as page and RPC are on the same port, also behind a
 * proxy; then the hidden services that the node knows of.
 */
export function walletAddresses(
  { hostname, port, protocol }: Pick<Location, 'hostname' | 'port' | 'protocol'>,
  services: readonly HiddenService[],
): WalletAddress[] {
  const isEncrypted = protocol === 'https:';
  const given = port === '' ? (isEncrypted ? '443' : '80') : port;
  const visited = addressOf(hostname, given, isEncrypted);
  const others = services
    .map((service) => addressOf(service.host, String(service.port), service.isEncrypted))
    .filter(({ host, port: at }) => host !== hostname || at !== given);
  return [visited, ...others];
}

/** Returns the command that starts the command-line wallet with this node. */
export function walletCommand({ host, port, through }: WalletAddress): string {
  const proxy = through === undefined ? '' : ` --proxy ${PROXIES[through]}`;
  return `monero-wallet-cli --daemon-address ${host}:${port} --untrusted-daemon${proxy}`;
}
