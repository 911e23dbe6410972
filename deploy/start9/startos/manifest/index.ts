import { setupManifest } from '@start9labs/start-sdk';

export const manifest = setupManifest({
  id: 'monero-node-ts',
  title: 'Monero Node TS',
  license: 'BSD-3-Clause',
  packageRepo: 'https://github.com/monero-node/monero-node',
  upstreamRepo: 'https://github.com/monero-node/monero-node',
  marketingUrl: 'https://github.com/monero-node/monero-node',
  donationUrl: null,
  description: {
    short: 'A second opinion on the chain of Monero',
    long: 'A full node of Monero, written in TypeScript, that verifies every block and transaction by itself. Run it beside monerod, not instead of it: nobody has audited it.',
  },
  volumes: ['main', 'chain'],
  images: {
    node: {
      // Not published yet: ../../README.md
      source: { dockerTag: 'ghcr.io/monero-node/monero-node:0.2.0' },
      arch: ['x86_64', 'aarch64'],
    },
  },
  alerts: {
    install:
      'The chain needs an SSD with 220 GB, or 110 GB when pruned. Choose before the first start, in the action "Options": a pruned chain becomes whole only by downloading all of it again.',
    update: null,
    uninstall: 'The chain is deleted. To have it again takes days.',
    restore: 'The chain is not part of a backup. It is downloaded again.',
    start: null,
    stop: null,
  },
  dependencies: {
    tor: {
      description: 'An address of the node on Tor, and a way out for your own transactions.',
      optional: true,
      metadata: {
        title: 'Tor',
        icon: 'https://raw.githubusercontent.com/Start9Labs/tor-startos/master/icon.svg',
      },
    },
  },
});
