import { PermissionViolationError, RequestError } from '@nats-io/transport-node';

/** Subjects of which a part is another one each time, and what a permission for all of them is called. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^_INBOX\..*$/, '_INBOX.>'],
  [/^\$JS\.API\.CONSUMER\.MSG\.NEXT\.([^.]+)\..*$/, '$$JS.API.CONSUMER.MSG.NEXT.$1.>'],
  [/^\$JS\.API\.CONSUMER\.[A-Z]+\.([^.]+)\..*$/, '$$JS.API.CONSUMER.*.$1.>'],
  [/^\$JS\.ACK\.([^.]+)\..*$/, '$$JS.ACK.$1.>'],
  [/^(.+\.pool)\.[0-9a-f]{64}$/, '$1.*'],
];

/**
 * Returns an error as an operator can use it: a permission that is missing has the subject that docs/operating/events.md lists, in place
 * of that of one request, which is another one each time. Any other error is returned as it is.
 */
export function plainRefusal(error: unknown): unknown {
  // The client library wraps the reason why a request failed.
  const cause = error instanceof RequestError && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof PermissionViolationError)) return error;
  const { operation, subject } = cause;
  const [pattern, name = ''] = PATTERNS.find(([known]) => known.test(subject)) ?? [];
  const plain = pattern === undefined ? subject : subject.replace(pattern, name);
  const verb = operation === 'publish' ? 'Publish' : 'Subscription';
  const message = `Permissions Violation for ${verb} to "${plain}"`;
  return new PermissionViolationError(message, operation, plain, undefined, { cause });
}
