/** @jest-environment node */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseConfig } from '../cli/config-file.ts';
import { makeDaemonSettings, type DaemonSettings } from '../cli/daemon-settings.ts';
import { optionNamed } from '../cli/options/options.ts';
import { parseArguments } from '../cli/parse-arguments.ts';
import { runProgram, testWith } from '../testing/programs.ts';

/** A Tor address with a right checksum. */
const ONION = 'vww6ybal4bd7szmgncyruucpgfkqahzddi37ktceo3ah7ngmcopnpyyd.onion';

const pathOf = (path: string): string =>
  fileURLToPath(new URL(`../../../../deploy/${path}`, import.meta.url));

/** Returns the settings for the options of a recipe; each must work here, and no other word may follow. */
function settingsOf(args: readonly string[]): DaemonSettings {
  const { values, words } = parseArguments(args);
  expect(words).toEqual([]);
  for (const name of values.keys()) {
    expect([name, optionNamed(name)?.support]).toEqual([name, 'works']);
  }
  return makeDaemonSettings(new Map([['data-dir', '/nowhere'], ...values]));
}

describe('the app for Umbrel', () => {
  const SCRIPT = `
    set -euo pipefail
    exports="$1"
    export EXPORTS_TOR_DATA_DIR="$2" EXPORTS_APP_ID=monero-node-ts DEVICE_DOMAIN_NAME=umbrel.local
    . "$exports"
    printf '%s\\n' "$APP_MONERO_NODE_TS_COMMAND"`;
  const optionsWith = (torFolder: string): string[] => {
    const path = pathOf('umbrel/monero-node-ts/exports.sh');
    const { status, output } = runProgram('bash', ['-c', SCRIPT, 'bash', path, torFolder]);
    expect(status).toBe(0);
    return output.trim().split(' ');
  };

  testWith('bash', 'starts without a Tor address: restricted port, ZeroMQ and Tor proxy', () => {
    const { rpc, zmq, p2p } = settingsOf(optionsWith('/nowhere'));
    expect(rpc).toMatchObject({ restrictedBindIp: '0.0.0.0', restrictedBindPort: 18089 });
    expect(rpc.allowedHosts).toEqual(['umbrel.local']);
    expect(zmq?.publishAt).toEqual(['tcp://0.0.0.0:18083']);
    expect(p2p).toMatchObject({ externalPort: 18180 });
    expect(p2p.anonymityZones).toHaveLength(1);
  });

  testWith('bash', 'serves peers at its Tor address once Tor has made one', () => {
    const torFolder = mkdtempSync(join(tmpdir(), 'shelves-'));
    const service = join(torFolder, 'app-monero-node-ts-p2p');
    mkdirSync(service);
    writeFileSync(join(service, 'hostname'), `${ONION}\n`);
    const options = optionsWith(torFolder);
    rmSync(torFolder, { recursive: true });
    expect(options.at(-1)).toBe(`--anonymous-inbound=${ONION}:18084,0.0.0.0:18084,16`);
    settingsOf(options);
  });

  test('the config file that the owner changes holds options that work', () => {
    const content = readFileSync(pathOf('umbrel/monero-node-ts/data/node/bitmonero.conf'), 'utf8');
    expect([...parseConfig(content).keys()]).toEqual(['prune-blockchain']);
    const uncommented = content.replace(/^#(?=[a-z])/gm, '');
    const names = [...parseConfig(uncommented).keys()];
    expect(names).toContain('limit-rate-up');
    for (const name of names) expect(optionNamed(name)?.support).toBe('works');
  });
});

describe('the service for StartOS', () => {
  /** What deploy/start9/startos/daemonArguments.ts exports; it imports nothing of the SDK. */
  interface Start9 {
    daemonArguments(settings: object, surroundings: object): string[];
  }
  const surroundings = {
    torProxy: '10.0.3.1:9050',
    onion: ONION,
    hostNames: ['start9.local', '192.168.1.2', '[fe80::1]'],
  };
  const most = {
    login: null,
    pruned: true,
    zmq: true,
    tor: true,
    outPeers: 16,
    inPeers: 32,
    limitRateUp: 2048,
    limitRateDown: 8192,
  };
  const least = {
    login: null,
    pruned: false,
    zmq: false,
    tor: false,
    outPeers: null,
    inPeers: null,
    limitRateUp: null,
    limitRateDown: null,
  };
  let start9: Start9;
  beforeAll(async () => {
    start9 = (await import(pathOf('start9/startos/daemonArguments.ts'))) as Start9;
  });

  test('everything on: pruning, ZeroMQ, restricted port, Tor both ways, limits', () => {
    const { rpc, zmq, p2p, prune } = settingsOf(start9.daemonArguments(most, surroundings));
    expect(rpc).toMatchObject({ restrictedBindPort: 18089, allowedHosts: ['start9.local'] });
    expect(zmq?.publishAt).toEqual(['tcp://0.0.0.0:18083']);
    expect(p2p).toMatchObject({ outPeers: 16, inPeers: 32, limitRateUp: 2048 });
    expect(p2p.anonymityZones).toHaveLength(1);
    expect(prune).toBe(true);
  });

  test('everything off: the restricted port is left', () => {
    const args = start9.daemonArguments(least, {
      ...surroundings,
      onion: undefined,
      hostNames: [],
    });
    expect(
      args.filter((arg) => /prune|zmq|tx-proxy|anonymous|peers|limit|hosts/.test(arg)),
    ).toEqual([]);
    expect(settingsOf(args).rpc.restrictedBindPort).toBe(18089);
  });

  test('without a Tor address of its own the node still sends over Tor', () => {
    const args = start9.daemonArguments(most, { ...surroundings, onion: undefined });
    expect(args).toContain('--tx-proxy=tor,10.0.3.1:9050,16');
    expect(args.join(' ')).not.toContain('anonymous-inbound');
    settingsOf(args);
  });
});
