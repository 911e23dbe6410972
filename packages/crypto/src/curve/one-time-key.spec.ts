import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import {
  areAddressKeys,
  createTransactionKey,
  keyDerivation,
  oneTimeKey,
  oneTimeOutput,
  viewTag,
} from './one-time-key.ts';
import { decodeScalar } from './scalar.ts';

// Lines of monerod's own tests, tests/crypto/tests.txt.
const DERIVATIONS: [string, string, string | undefined][] = [
  [
    'fdfd97d2ea9f1c25df773ff2c973d885653a3ee643157eb0ae2b6dd98f0b6984',
    'eb2bd1cf0c5e074f9dbf38ebbc99c316f54e21803048c687a3bb359f7a713b02',
    '4e0bd2c41325a1b89a9f7413d4d05e0a5a4936f241dccc3c7d0c539ffe00ef67',
  ],
  [
    '1ebf8c3c296bb91708b09d9a8e0639ccfd72556976419c7dc7e6dfd7599218b9',
    'e49f363fd5c8fc1f8645983647ca33d7ec9db2d255d94cd538a3cc83153c5f04',
    '72903ec8f9919dfcec6efb5535490527b573b3d77f9890386d373c02bf368934',
  ],
  [
    '3e3047a633b1f84250ae11b5c8e8825a3df4729f6cbe4713b887db62f268187d',
    '6df324e24178d91c640b75ab1c6905f8e6bb275bc2c2a5d9b9ecf446765a5a05',
    '9dcac9c9e87dd96a4115d84d587218d8bf165a0527153b1c306e562fe39a46ab',
  ],
  [
    'd875a37d7ffe687d74dcbcfb1d7b48812c49505e322a43568605b2219a8047b2',
    '869be2bc50c3f12a5c83f0d581e6d5585391daed3c651e81f69868d55e6d280d',
    undefined,
  ],
  [
    'e667e7a144d40b9280026dadefe7bda1fa6f897a03650b2ad842ec2c3e30c782',
    '4603512009eadb28bc4ab49ee9693179b81d0fc10af3d11ea7a1b3e8aceb6b0f',
    undefined,
  ],
  [
    '570d215a4095e43440c21373afa30ca5c9b420bbc1530ef029bc6225944df7cd',
    '8a2bdda64e82f5e2844dcfa8152a9afcf8a7839d845de8b0bed61d5475d8fd09',
    undefined,
  ],
];
const KEYS: [string, number, string, string | undefined][] = [
  [
    'ca780b065e48091d910de90bcab2411db3d1a845e6d95cfd556af4138504c737',
    217407,
    '6d9dd2068b9d6d643b407e360dfc5eb7a1f628fe2de8112a9e5731e8b3680c39',
    'd48008aff5f27d8fcdc2a3bf814ed3505530f598075f3bf7e868fea696b109f6',
  ],
  [
    '13bb0039172efee53059c7a973dc5f6f3c0a07611ebb0f5609cd833d5d25846c',
    1,
    '5ca5429e836cd4172b7427ca8dc639f39c299f1b8e0d00f9d3f9a5bb2e49251a',
    '52e0a76a5785d12737dba717fd6c90e0e7d7a1a6c758543758abe578793c7a52',
  ],
  [
    'fc9f87293569070b7e2e1be48e6ffcdfef370a728d4c01159b5b7b9783e0fa0f',
    1499890121,
    '2c887eb3a891f60d9382b9a368f7d8bbd91fc8742dfe1054d1999e9f928e399b',
    '678c62af985543c426e90db94de447219ac24d8f3f44652003fe2b70bef54092',
  ],
  [
    'b7884ba954056a2c33f2da970e4b14de9a9fee254d569e34c68c43a1835234c1',
    771,
    'fd90bc87b73dfcc94ddd5e1b5090ee6537b4ccbe1fade2b542d9073f980a1db4',
    'dc9700bfa55175403c5c2db22d2685252504e4379e4fc169fe52e1bb8b65e869',
  ],
  [
    '75c4b56550636fa58f837511c8054106633b577654e80f766cc608aaefb67dd4',
    7040,
    '6b7a50dc0993b9d7c96fd028153cf9e8abb150e461b25c15ba2c437e52aefcbe',
    'ff8bc368609807c9d3da866ac660d8f051b6f93b2709fb5dc303e5eeca4300bd',
  ],
  [
    'ce07639dd9afda564b2e6322c32660e53b699ee67d54ebc223d49eb424f8d2ab',
    20,
    'b4e4ca4f5c43f50487dbc6920e9928ae5d03963f436c7079e0d9d2eb0b9485f6',
    '7aa03cda46c000b1ef3ab295cbebc9fa810ff61a1d6ea047e66269fefda6dd94',
  ],
  [
    '08a13acd109cc08e6a825cc6d50b5d9c56c41540f677a2323dad18931e93cc10',
    10,
    'a6482d5a66612a7d977d0f472e51e6ec30333b21d6bacfdbfa63be9d23d0baea',
    undefined,
  ],
  [
    '9254ef2641a0098c98118803afdb2f4c85925f3c325cfdfc6916ee45e47ecede',
    56,
    '4211b3cb9672abbd3dc1a6b86b298bee9d9fd68ef2b5f03f21891d0d3be31465',
    undefined,
  ],
  [
    '54d5afb8b78aa1a5172c44d9e2ce9bd46e48fc3671944be0cadd0b5d3153b31f',
    1,
    'a4c8d5817609c90efe6d21893103a5fbf186061292931e0b385edce7d3e5ba55',
    undefined,
  ],
  [
    'e05389e5fc902255ae0aa7b8269759b94a62bc3ca46d6e292abe0e828019dfa3',
    13654084,
    '5b3a284d616e2c20041e022fa0ca4d444fd12a2b954cd65725cb0e92ee263c0d',
    undefined,
  ],
  [
    '13aec37cab06e7962ea7dd36bf7466fe18c41b2c40d27aa7d5bf53dd2addf215',
    69038,
    'eefedd9223698aad67c0c02e90022110d5a36c4c10a195068da378a44faa6d82',
    undefined,
  ],
  [
    'bec042688e08986a1a0a4cd40c6d648324a873214f2ed7419d1baa0e54239350',
    150564,
    'd3625ff787c8c54dddc250ea9164e4d20ace3c08b9bd3fa0b9d1e2b710951ecc',
    undefined,
  ],
];
const TAGS: [string, number, string][] = [
  ['0fc47054f355ced4d67de73bfa12e4c78ff19089548fffa7d07a674741860f97', 0, '76'],
  ['0fc47054f355ced4d67de73bfa12e4c78ff19089548fffa7d07a674741860f97', 1, 'd6'],
  ['0fc47054f355ced4d67de73bfa12e4c78ff19089548fffa7d07a674741860f97', 2, '87'],
];

const hex = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? undefined : bytesToHex(bytes);

test.each(DERIVATIONS)('derivation of %s', (publicKey, secret, expected) => {
  const scalar = decodeScalar(hexToBytes(secret)) ?? 0n;
  expect(hex(keyDerivation(hexToBytes(publicKey), scalar))).toBe(expected);
});

test.each(KEYS)('one-time key of %s %i', (derivation, index, spendKey, expected) => {
  expect(hex(oneTimeKey(hexToBytes(derivation), index, hexToBytes(spendKey)))).toBe(expected);
});

test.each(TAGS)('view tag of %s %i', (derivation, index, expected) => {
  expect(viewTag(hexToBytes(derivation), index)).toBe(Number.parseInt(expected, 16));
});

test('the owner of the view key finds the output with the public key of the transaction', () => {
  const view = createTransactionKey(77n);
  const spend = createTransactionKey(99n);
  const address = { viewKey: view.publicKey, spendKey: spend.publicKey };
  const transaction = createTransactionKey();
  const output = oneTimeOutput(transaction, address, 3);
  const derivation = keyDerivation(transaction.publicKey, view.secret) ?? new Uint8Array(32);
  expect(output?.key).toEqual(oneTimeKey(derivation, 3, spend.publicKey));
  expect(output?.viewTag).toBe(viewTag(derivation, 3));
});

test('returns undefined for keys that are not points, and accepts the identity', () => {
  const point = createTransactionKey(5n).publicKey;
  const notPoint = new Uint8Array(32).fill(0xff);
  const identity = Uint8Array.of(1, ...new Uint8Array(31));
  const key = createTransactionKey();
  expect(areAddressKeys({ viewKey: point, spendKey: point })).toBe(true);
  expect(areAddressKeys({ viewKey: notPoint, spendKey: point })).toBe(false);
  expect(areAddressKeys({ viewKey: point, spendKey: notPoint })).toBe(false);
  expect(oneTimeOutput(key, { viewKey: notPoint, spendKey: point }, 0)).toBeUndefined();
  expect(oneTimeOutput(key, { viewKey: point, spendKey: notPoint }, 0)).toBeUndefined();
  expect(hex(keyDerivation(identity, key.secret))).toBe(hex(identity));
});
