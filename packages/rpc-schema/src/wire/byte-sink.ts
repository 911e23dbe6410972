export { ByteSink, DocumentTooLargeError } from '@monero-node/codec/portable-storage';
