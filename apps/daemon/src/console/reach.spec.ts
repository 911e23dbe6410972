import { FakeDaemon } from '../testing/fake-daemon.ts';
import { runCommand } from './commands.ts';

const NOW = 1_795_225_609;
const CHAIN = { '/get_info': { height: 1, target: 120, free_space: 5e10 }, hard_fork_info: {} };

/** Returns the lines of `status` after the first one. */
async function lines(answer?: object): Promise<string[]> {
  const more =
    answer === undefined ? {} : { get_reachability: answer as { [name: string]: never } };
  const daemon = new FakeDaemon({ ...CHAIN, ...more });
  const text = await runCommand(['status'], { daemon, remote: true, now: () => NOW });
  return text.split('\n').slice(1);
}

const answer = (open: object, more: object = {}): object => ({
  port: 18080,
  networks: [
    { network: 'tor', connected: 9 },
    { network: 'public', connected: 0, ...open },
  ],
  ...more,
});

test('status says who comes in from outside', async () => {
  expect(await lines(answer({}))).toEqual([
    'Incoming: nobody from outside on record, at TCP port 18080',
  ]);
  expect(await lines(answer({ first: 5, last: NOW - 7200 }))).toEqual([
    'Incoming: nobody from outside is connected, the last one was there 2 h 0 min ago',
  ]);
  const addresses = [{ address: '192.0.2.1:18080', hosts: 3 }];
  expect(await lines(answer({ connected: 1, last: NOW }, { addresses }))).toEqual([
    'Incoming: 1 peer from outside is connected, others reach this node at 192.0.2.1:18080',
  ]);
  const router = async (state: string): Promise<string | undefined> =>
    (await lines(answer({ connected: 2 }, { mapping: { state } })))[0];
  expect(await router('trying')).toBe('Incoming: 2 peers from outside are connected');
  expect(await router('mapped')).toBe(
    'Incoming: 2 peers from outside are connected, the router forwards the port',
  );
  expect(await router('failed')).toMatch(
    /, the router does not forward the port \(--port-mapping\)$/,
  );
  expect(await lines(answer({ connected: 12, last: NOW }))).toEqual([
    'Incoming: 12 peers from outside are connected',
  ]);
});

test('status says nothing of it when nobody is to come, or the daemon does not tell', async () => {
  expect(await lines(answer({}, { closed_by: '--proxy' }))).toEqual([]);
  expect(await lines()).toEqual([]);
});
