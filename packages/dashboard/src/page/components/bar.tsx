import type { JSX } from 'preact';
import { duration } from '../format.ts';
import type { NodeDescription } from '../state/messages.ts';
import type { LinkState } from '../state/store.ts';

const NETWORKS: Readonly<Record<string, string>> = { fakechain: 'regtest' };
const LINKS: Readonly<Record<LinkState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, trying again',
};

/** The bar at the top: name, network, and whether the figures are live. */
export function Bar(props: {
  readonly link: LinkState;
  readonly node: NodeDescription | undefined;
  readonly now: number;
}): JSX.Element {
  const { link, node, now } = props;
  return (
    <header class="bar">
      <p class="brand">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M5 25v-8h5v8zm8 0V7h5v18zm8 0V12h5v13z" />
        </svg>
        monero-node
      </p>
      {node && <p class="network">{NETWORKS[node.network] ?? node.network}</p>}
      <p class="about">
        {node?.version !== undefined && <span>{node.version}</span>}
        {node?.startedAt !== undefined && <span>up {duration(now / 1000 - node.startedAt)}</span>}
      </p>
      <p class={`link is-${link}`} role="status">
        {LINKS[link]}
      </p>
    </header>
  );
}
