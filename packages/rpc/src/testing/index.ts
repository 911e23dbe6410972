export { issue, type TestCertificate } from './certificates.ts';
export { fakeControl, fakeP2p } from './fake-node.ts';
export { recordedBundles, recordedChain, recordedPool } from './recorded.ts';
export { recordedServer, type RecordedServer } from './recorded-server.ts';
