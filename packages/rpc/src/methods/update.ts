import type { HandlerOf } from '../method.ts';
import { RpcStatus } from '../errors.ts';

const COMMANDS: readonly string[] = ['check', 'download', 'update'];

/**
 * Looks for a newer version of this program, and downloads it when told to. Throws RpcStatus when that fails, and for
 * `update` always: nothing is ever installed. Source: on_update in src/rpc/core_rpc_server.cpp.
 */
export const update: HandlerOf<'update'> = async ({ command, path }, { node, resting }) => {
  if (node.offline) throw new RpcStatus('Daemon is running offline');
  if (!COMMANDS.includes(command)) throw new RpcStatus(`unknown command: '${command}'`);
  const { updates } = node;
  if (updates === undefined) throw new RpcStatus('Error checking for updates');
  const newer = await resting(updates.check()).catch((error: unknown) => {
    throw new RpcStatus(`Error checking for updates: ${(error as Error).message}`);
  });
  if (newer === undefined) return noUpdate;
  const { version, uri, hash } = newer;
  const found = { ...noUpdate, update: true, version, user_uri: uri, auto_uri: uri, hash };
  if (command === 'check') return found;
  const kept = updates.download(newer, path === '' ? undefined : path);
  // In monerod the status of a download that failed is empty.
  const downloaded = await resting(kept).catch((error: unknown) => {
    throw new RpcStatus(`Failed to download: ${(error as Error).message}`, found);
  });
  const answer = { ...found, path: downloaded };
  if (command === 'download') return answer;
  // monerod cannot either; these are its words.
  throw new RpcStatus("'update' not implemented yet", answer);
};

const noUpdate = { auto_uri: '', hash: '', path: '', update: false, user_uri: '', version: '' };
