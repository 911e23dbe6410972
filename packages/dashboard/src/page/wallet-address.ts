/** Where a wallet reaches this node: at the name under which the visitor has reached the page. */
export interface WalletAddress {
  readonly host: string;
  readonly port: string;
  /** With the scheme, as wallets read it from a QR code. */
  readonly url: string;
  /** Whether the name is one of a hidden service. */
  readonly isOnion: boolean;
  /** Whether the page came through TLS, and so does the RPC. */
  readonly isEncrypted: boolean;
}

/** Returns the address for wallets. The page and the RPC are on the same port, also behind a proxy. */
export function walletAddress({
  hostname,
  port,
  protocol,
}: Pick<Location, 'hostname' | 'port' | 'protocol'>): WalletAddress {
  const isEncrypted = protocol === 'https:';
  const given = port === '' ? (isEncrypted ? '443' : '80') : port;
  return {
    host: hostname,
    port: given,
    url: `${protocol}//${hostname}:${given}`,
    isOnion: hostname.endsWith('.onion'),
    isEncrypted,
  };
}

/** Returns the command that starts the command-line wallet with this node. */
export function walletCommand({ host, port, isOnion }: WalletAddress): string {
  const proxy = isOnion ? ' --proxy 127.0.0.1:9050' : '';
  return `monero-wallet-cli --daemon-address ${host}:${port} --untrusted-daemon${proxy}`;
}
