import { codeOf, Failure } from './failure.ts';

const coded = (code: string): Error => Object.assign(new Error('of the platform'), { code });

test.each([
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', 'timeout'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
  ['ECONNRESET', 'closed'],
  ['EMFILE', 'failed'],
])('%s is %s, also as the cause of the error of fetch', (code, expected) => {
  expect(codeOf(coded(code))).toBe(expected);
  expect(codeOf(new TypeError('fetch failed', { cause: coded(code) }))).toBe(expected);
});

test('a failure of this package says it itself, and what is no error is unknown', () => {
  expect(codeOf(new Failure('too-large', 'much'))).toBe('too-large');
  expect(codeOf('nonsense')).toBe('failed');
});
