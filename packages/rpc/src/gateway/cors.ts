const NONE: readonly string[] = [];

/** Returns the CORS headers for a request's `Origin`; none unless the origin is allowed. Name and value alternate. */
export function corsHeaders(
  origin: string | undefined,
  allowed: readonly string[],
  isOptions: boolean,
): readonly string[] {
  if (origin === undefined || !(allowed.includes('*') || allowed.includes(origin))) return NONE;
  const headers = [
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Expose-Headers',
    'www-authenticate',
  ];
  if (isOptions) {
    headers.push('Access-Control-Allow-Headers', 'Content-Type, Authorization, X-Requested-With');
  }
  headers.push('Access-Control-Allow-Methods', 'POST, PUT, GET, OPTIONS');
  return headers;
}
