import type { JSX } from 'preact';
import { walletAddress, walletCommand } from '../wallet-address.ts';
import { QrCode } from './qr-code.tsx';
import { Section } from './section.tsx';

/** Tells a visitor how a wallet uses this node. */
export function Connect(): JSX.Element {
  const found = walletAddress(location);
  const { host, isEncrypted, isOnion, port, url } = found;
  return (
    <Section id="connect" title="Connect your wallet">
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
              <dd>{reachedThrough(isOnion, isEncrypted)}</dd>
            </div>
          </dl>
          <p class="command">
            <code>{walletCommand(found)}</code>
          </p>
          <p class="unit">
            In a wallet with windows, add a remote node with this address and port, or scan the
            code. The node learns neither your keys nor your balance, but your network address and
            the transactions that you send through it.
          </p>
        </div>
      </div>
    </Section>
  );
}

function reachedThrough(isOnion: boolean, isEncrypted: boolean): string {
  if (isOnion) return 'through Tor';
  return isEncrypted ? 'with TLS' : 'without encryption';
}
