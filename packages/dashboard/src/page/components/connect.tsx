import type { JSX } from 'preact';
import type { HiddenService } from '../../messages/state.ts';
import { walletAddresses, walletCommand, type WalletAddress } from '../wallet-address.ts';
import { QrCode } from './qr-code.tsx';
import { Section } from './section.tsx';

/** Tells a visitor how a wallet uses this node. */
export function Connect({
  services,
}: {
  readonly services: readonly HiddenService[];
}): JSX.Element {
  const addresses = walletAddresses(location, services);
  return (
    <Section id="connect" title="Connect your wallet">
      {addresses.map((address) => (
        <Address key={address.url} address={address} />
      ))}
      <p class="unit">
        In a wallet with windows, add a remote node with {addresses.length > 1 ? 'an' : 'this'}{' '}
        address and port, or scan the code. The node learns neither your keys nor your balance, but
        the transactions that you send through it, and your network address unless you come through
        Tor or I2P.
      </p>
    </Section>
  );
}

function Address({ address }: { readonly address: WalletAddress }): JSX.Element {
  const { host, port, url } = address;
  return (
    <div class="connect-row">
      <QrCode text={url} label={`QR code of ${url}`} />
      <div>
        <dl class="facts">
          <div>
            <dt>Address</dt>
            <dd class="address">{host}</dd>
          </div>
          <div>
            <dt>Port</dt>
            <dd>{port}</dd>
          </div>
          <div>
            <dt>Reached</dt>
            <dd>{reachedThrough(address)}</dd>
          </div>
        </dl>
        <p class="command">
          <code>{walletCommand(address)}</code>
        </p>
      </div>
    </div>
  );
}

function reachedThrough({ through, isEncrypted }: WalletAddress): string {
  if (through !== undefined) return `through ${through}`;
  return isEncrypted ? 'with TLS' : 'without encryption';
}
