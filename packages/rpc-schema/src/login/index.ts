export { parseAuthorization, type DigestFields } from './authorization.ts';
export { asBytes, digestResponse, REALM, type DigestInput, type Login } from './digest.ts';
