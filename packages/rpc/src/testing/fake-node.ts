import type { P2pNodeInfo } from '@monero-node/p2p';
import type { LogControl, NodeControl } from '../node-process.ts';

/** Whether a text looks like an address or subnet; packages/p2p reads them. */
const isHost = (text: string): boolean => /^[0-9a-f.:/]+$/i.test(text);

/** A peer-to-peer part without peers that remembers what it was told. */
export function fakeP2p(): P2pNodeInfo & { synchronized: boolean; readonly relayed: number[] } {
  const banned = new Map<string, number>();
  const relayed: number[] = [];
  const limits = { up: 2048, down: 8192 };
  const node = {
    listenPort: 0,
    targetHeight: 0,
    synchronized: true,
    incomingCount: 0,
    outgoingCount: 0,
    whiteCount: 0,
    grayCount: 0,
    netStats: { startTime: 0, bytesIn: 0, bytesOut: 0, packetsIn: 0, packetsOut: 0 },
    limits,
    outPeers: 12,
    inPeers: -1,
    relayed,
    connections: () => [],
    fixedPeers: () => [],
    syncInfo: () => ({
      height: 0,
      targetHeight: 0,
      nextNeededPruningStripe: 1,
      overview: '[]',
      peers: [],
      spans: [],
    }),
    reachability: () => ({
      closedBy: undefined,
      port: 18080,
      networks: [
        { zone: 'public' as const, connected: 0, first: 1_600_000_000, last: 1_700_000_000 },
        { zone: 'tor' as const, connected: 0, first: undefined, last: undefined },
      ],
      ownAddresses: [{ address: '192.0.2.1:18080', hosts: 3 }],
      mapping: { kind: 'mapped' as const, protocol: 'upnp' as const, externalHost: '192.0.2.1' },
    }),
    peerLists: () => ({ white: [], gray: [] }),
    bans: () => [...banned].map(([host, seconds]) => ({ host, ip: 0, seconds })),
    banKind: (text: string) => (text.includes('/') ? 'subnet' : isHost(text) ? 'host' : undefined),
    banned: (host: string) => banned.get(host),
    banNotice: (host: string) => `banned for ${banned.get(host)} more seconds (a way to lift it)`,
    ban: (host: string, seconds: number) => {
      if (!isHost(host)) return false;
      banned.set(host, seconds);
      return true;
    },
    unban: (host: string) => banned.delete(host),
    setLimits: (changed: { up?: number; down?: number }) => {
      Object.assign(limits, changed);
    },
    setOutPeers: (count: number) => {
      node.outPeers = count;
    },
    setInPeers: (count: number) => {
      node.inPeers = count;
    },
    relayBlock: (height: number) => {
      relayed.push(height);
    },
  };
  return node;
}

/** A process that remembers what was asked of it. */
export function fakeControl(): NodeControl & { log: LogControl; stops: number; flushes: number } {
  const control = {
    startTime: 1_700_000_000,
    version: '0.18.0.0-test',
    offline: true,
    dataDir: '/nowhere',
    stops: 0,
    flushes: 0,
    log: {
      categories: '',
      set: (spec: string) => {
        control.log.categories = `<${spec}>`;
      },
    },
    requestStop: () => {
      control.stops++;
    },
    freeSpace: () => Promise.resolve(123_456_789),
    flush: () => {
      control.flushes++;
      return Promise.resolve();
    },
  };
  return control;
}
