export { isAllowedPeer, parseCertificates, type CertificateRules } from './certificates.ts';
export { openSocket, type Dial, type ServerEndpoint, type ServerTls } from './connect.ts';
export { createNodeTransport, type NodeTransportOptions } from './node-transport.ts';
