/**
 * Frames, commands and messages for programs that speak Levin over a stream of their own. Everything here runs in
 * Node.js and in browsers.
 */
export {
  decodeHeader,
  encodeInvoke,
  encodeNotify,
  encodePaddedNotify,
  encodeResponse,
  LevinError,
} from './frame.ts';
export type { FrameHeader, LevinMessage } from './frame.ts';
export { FrameReader } from './frame-reader.ts';
export * from '../messages/admin.ts';
export * from '../messages/blocks.ts';
export * from '../messages/chain.ts';
export { COMMANDS } from '../messages/commands.ts';
export { NET_ADDRESS, PEER_LIST_ENTRY } from '../messages/peer-entries.ts';
export type { PeerListEntry } from '../messages/peer-entries.ts';
export * from '../messages/transactions.ts';
