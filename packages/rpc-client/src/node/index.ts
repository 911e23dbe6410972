export { isAllowedPeer, parseCertificates, type CertificateRules } from './certificates.ts';
export type { Dial, ServerTls } from './connect.ts';
export { createNodeTransport, type NodeTransportOptions } from './node-transport.ts';
