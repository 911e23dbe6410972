import { isLoopback, unbracketed } from '@monero-node/p2p/hosts';
import type { WebhookSettings } from '../alerts/post-alert.ts';
import type { OptionReader } from './given-options.ts';
import { readSecretFile } from './rpc-login.ts';
import { UsageError } from './usage-error.ts';

/** Who is told of alerts. */
export interface AlertSettings {
  /** Command line to run for each, split as NotifyProgram says. */
  readonly command: string | undefined;
  readonly webhook: WebhookSettings | undefined;
  /** Blocks that a reorganization must remove to be told of. */
  readonly reorgDepth: number;
}

/** Characters of the shortest secret that signs alerts. */
const SHORTEST_SECRET = 16;

/** Reads the options about alerts. Throws UsageError, which tells nothing of the URL but its origin, when one is invalid. */
export function alertSettings(values: OptionReader): AlertSettings {
  const command = values.get('alert-command');
  return {
    command: command === '' ? undefined : command,
    webhook: webhookOf(values),
    reorgDepth: values.get('alert-reorg-depth'),
  };
}

function webhookOf(values: OptionReader): WebhookSettings | undefined {
  const text = values.get('alert-webhook');
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('Invalid alert-webhook: http://HOST/PATH or https://HOST/PATH expected');
  if (!isEncoded(url.username) || !isEncoded(url.password))
    throw new UsageError('Invalid alert-webhook: a percent sign in its login must be %25');
  url.hash = '';
  return { url, secret: secretOf(values), isLocal: isLoopback(unbracketed(url.hostname)) };
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function secretOf(values: OptionReader): string | undefined {
  const path = values.get('alert-secret-file');
  if (path === undefined) return undefined;
  const refuse = (why: string): never => {
    throw new UsageError(`--alert-secret-file ${path}: ${why}`);
  };
  const secret = readSecretFile(path, refuse).replace(/\r?\n$/, '');
  if (/[\r\n]/.test(secret)) refuse('must hold one line');
  if (secret.length < SHORTEST_SECRET)
    refuse(
      `must hold at least ${SHORTEST_SECRET} characters, such as those of openssl rand -hex 32`,
    );
  return secret;
}

/** Returns a sentence for each option about alerts that has no effect. */
export function alertWarnings(values: OptionReader): string[] {
  const hasWebhook = values.has('alert-webhook');
  const inVain: string[] = [];
  if (values.has('alert-secret-file') && !hasWebhook)
    inVain.push('--alert-secret-file has no effect without --alert-webhook');
  if (values.has('alert-reorg-depth') && !hasWebhook && !values.has('alert-command'))
    inVain.push('--alert-reorg-depth has no effect without --alert-command or --alert-webhook');
  if (hasWebhook && values.get('offline') && webhookOf(values)?.isLocal === false)
    inVain.push('--alert-webhook: with --offline only a server on this machine is told');
  return inVain;
}
