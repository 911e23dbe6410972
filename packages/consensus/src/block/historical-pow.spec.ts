import { fromHex, parseBlock, toHex } from '@monero-node/codec';
import { historicalPowHash } from './historical-pow.ts';
import { NETWORKS } from '../network/networks.ts';

/** Hashing blobs of the blocks at height 202612 on the public networks. */
const HASHING_BLOBS = {
  mainnet:
    '01009ad29fa0055da0a3d004c352a90cc86b00fab676695d76a4d1de16036c41ba4dd188c4d76f46090040f353c96de74c53f87389b66fa625ed1f8676beeb5d47b4f0193bd16b584933be8204',
  testnet:
    '0100c2e8a7a605f7b056b0dbf9a4781b6f3702fa6160c0c118cedabb82327506f79101773e58d604b480ce4fc136a7df3e12eb2225cbea66e386e4881feb374493424c364cb56b4d944b4801',
  stagenet:
    '0909d4809fdf05d5df6c3eb5891d81c51c6f9fe4c3ae388889dfaf421b689ee8fe94b01d53d120cc4a87f65094a615fc1224f35b15285bb2bf91e3aa21182254963388e29e6c5118a310bd01',
};

test.each(Object.entries(HASHING_BLOBS))(
  'returns the recorded hash for %s block 202612',
  (_name, blob) => {
    const bytes = fromHex(blob);
    expect(toHex(historicalPowHash(bytes) ?? new Uint8Array())).toBe(
      '84f64766475d51837ac9efbef1926486e58563c95a19fef4aec3254f03000000',
    );
    bytes[bytes.length - 1] = 0;
    expect(historicalPowHash(bytes)).toBeUndefined();
  },
);

test('returns undefined for other blocks', () => {
  expect(historicalPowHash(parseBlock(NETWORKS.mainnet.genesisBlob).hashingBlob)).toBeUndefined();
  expect(historicalPowHash(new Uint8Array(76))).toBeUndefined();
});
