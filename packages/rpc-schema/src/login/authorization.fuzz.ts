import { parseAuthorization } from './authorization.ts';
import { digestResponse } from './digest.ts';

const header =
  'Digest username="user", realm="monero-rpc", nonce="abc==", uri="/json_rpc", ' +
  'algorithm=MD5, qop=auth, nc=00000001, cnonce="0a4f", response="6629fae49393a05397450978507c4ef1"';
export const seeds = [header, 'Digest', 'Basic dXNlcjpwYXNz', header.replaceAll('"', '\\"')].map(
  (text) => new TextEncoder().encode(text),
);
export const tokens = ['Digest ', 'username=', 'nc=', 'response="', '"', '\\"', '\\', ', ', 'qop='];

/** Any header is a login or none, and every login has a response to compare with. */
export function fuzz(input: Uint8Array): void {
  const fields = parseAuthorization(Buffer.from(input).toString('latin1'));
  if (fields === undefined) return;
  digestResponse({ username: 'user', password: 'secret' }, 'POST', fields as never);
}
