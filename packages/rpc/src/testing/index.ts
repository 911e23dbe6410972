export { issue, type TestCertificate } from './certificates.ts';
export { recordedChain, recordedPool } from './recorded.ts';
export { recordedServer, type RecordedServer } from './recorded-server.ts';
