import { DigestLogin } from './digest-login.ts';

const LOGIN = { username: 'usér', password: 'pass' };

describe('a digest login', () => {
  test('a wrong login is tried once per challenge, a stale nonce leads to another try', () => {
    const client = new DigestLogin(LOGIN);
    const challenge = (nonce: string, stale: boolean): string =>
      `Digest qop="auth",algorithm=MD5,realm="monero-rpc",nonce="${nonce}",stale=${String(stale)}`;
    expect(client.authorization('POST', '/')).toBeUndefined();
    expect(client.challenged([challenge('a', false)])).toBe(true);
    expect(client.authorization('POST', '/')).toContain('nonce="a"');
    expect(client.challenged([challenge('b', false)])).toBe(false);
    expect(client.challenged([challenge('c', true)])).toBe(true);
    expect(client.authorization('POST', '/')).toContain('nc=00000001');
    expect(client.authorization('POST', '/')).toContain('nc=00000002');
  });

  test.each([
    'Basic realm="x"',
    'Digest qop="auth",algorithm=SHA-256,nonce="a"',
    'Digest nonce="a"',
  ])('a challenge that is not understood: %s', (header) => {
    expect(new DigestLogin(LOGIN).challenged([header])).toBe(false);
  });
});
