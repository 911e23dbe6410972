export { ByteSink } from '@monero-node/codec/portable-storage';
