import { hostname } from 'node:os';
import { silentLogger } from '@monero-node/base';
import { NETWORKS } from '@monero-node/consensus';
import type { NotifyProgram } from '../notify/notify-program.ts';
import type { Webhook, WebhookDependencies, WebhookMessage } from '../alerts/webhook.ts';
import { VERSION } from '../version.ts';
import { createAlerts, toldByDesk, type AlertDesk } from './alert-desk.ts';

const PROXY = { host: '127.0.0.1', port: 9050, version: '5' } as const;
const SECRET_URL = new URL('https://hooks.example/token');

let made: WebhookDependencies[];
let sent: WebhookMessage[];
let run: Readonly<Record<string, string>>[];
let stops: string[];
beforeEach(() => {
  [made, sent, run, stops] = [[], [], [], []];
});

class FakeWebhook {
  constructor(_settings: unknown, dependencies: WebhookDependencies) {
    made.push(dependencies);
  }

  send(message: WebhookMessage): void {
    sent.push(message);
  }

  stop(): Promise<void> {
    stops.push('webhook');
    return Promise.resolve();
  }
}

interface Setting {
  readonly isLocal?: boolean;
  readonly offline?: boolean;
  readonly proxy?: typeof PROXY;
}

function deskOf({ isLocal = false, offline = false, proxy }: Setting = {}): AlertDesk {
  const program: Pick<NotifyProgram, 'run' | 'finish'> = {
    run: (values) => void run.push(values),
    finish: (ms) => {
      stops.push(`program within ${ms} ms`);
      return Promise.resolve();
    },
  };
  return createAlerts(
    {
      alerts: {
        command: '/bin/x',
        webhook: { url: SECRET_URL, secret: undefined, isLocal },
        reorgDepth: 3,
      },
      network: NETWORKS.mainnet,
      p2p: { offline, proxy } as never,
    },
    { program: program as NotifyProgram, Webhook: FakeWebhook as unknown as typeof Webhook },
    silentLogger,
  );
}

test('the program and the webhook are told the same of an alert', async () => {
  const { alerts, part } = deskOf();
  alerts.tell('block-found', 'Block 7 found by rig1', { height: 7 });
  const [{ id, body } = { id: '', body: '' }] = sent;
  expect(JSON.parse(body)).toMatchObject({
    id,
    message: 'Block 7 found by rig1',
    host: hostname(),
    network: 'mainnet',
    version: VERSION,
  });
  expect(run).toEqual([
    {
      s: 'Block 7 found by rig1',
      k: 'block-found',
      v: 'info',
      t: 'once',
      i: id,
      j: body,
    },
  ]);
  await part.stop();
  expect(stops).toEqual(['program within 3000 ms', 'webhook']);
  alerts.tell('block-found', 'too late');
  expect([sent.length, run.length]).toEqual([1, 1]);
});

test('each message of an alert has an id of its own', () => {
  const alarm = deskOf().alerts.alarm('disk');
  alarm.update('full', 'not full');
  alarm.update(undefined, 'not full');
  const ids = sent.map(({ id, messageId }) => [id, messageId.replace(/\d+$/, 'TIME')]);
  expect(ids).toEqual([
    [sent[0]?.id, `${sent[0]?.id}-begins-TIME`],
    [sent[0]?.id, `${sent[0]?.id}-ended-TIME`],
  ]);
});

test('what was raised before a node could not be opened is told', async () => {
  const desk = deskOf();
  expect(await toldByDesk(desk, () => Promise.resolve(7))).toBe(7);
  expect(stops).toEqual([]);
  const failed = toldByDesk(desk, () => Promise.reject(new Error('no store')));
  await expect(failed).rejects.toThrow('no store');
  expect(stops).toEqual(['program within 3000 ms', 'webhook']);
});

test.each([
  [{}, 'directly'],
  [{ proxy: PROXY }, 'through the proxy'],
  [{ proxy: PROXY, isLocal: true }, 'directly'],
  [{ offline: true, isLocal: true }, 'directly'],
  [{ offline: true }, 'not at all'],
])('with %j the webhook is told %s', (setting, way) => {
  deskOf(setting);
  const ways = made.map(({ dial }) => (dial === undefined ? 'directly' : 'through the proxy'));
  expect(ways).toEqual(way === 'not at all' ? [] : [way]);
});
