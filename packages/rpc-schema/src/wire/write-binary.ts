export {
  RenderedObject,
  renderObject,
  writeStorage as writeBinary,
} from '@monero-node/codec/portable-storage';
