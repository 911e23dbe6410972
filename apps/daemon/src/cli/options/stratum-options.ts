import { defineOptions, flag, integer, PORT, text } from './define-options.ts';

/** Options of the server for rigs, which monerod does not have. */
export const STRATUM_OPTIONS = defineOptions({
  'stratum-bind-port': integer('Port at which rigs mine for this node (docs/guides/mine.md)', {
    topic: 'mining',
    range: PORT,
  }),
  'stratum-bind-ip': text('Address at which rigs mine for this node', {
    topic: 'mining',
    value: 'IP',
    default: '127.0.0.1',
  }),
  'stratum-address': text('Address that blocks of rigs pay', { topic: 'mining', value: 'ADDRESS' }),
  'stratum-any-address': flag('Blocks of a rig whose login is an address pay that address', {
    topic: 'mining',
  }),
  'stratum-password': text('Password of all rigs; any is taken without it', {
    topic: 'mining',
    value: 'PASSWORD',
  }),
  'stratum-password-file': text('File with the password of all rigs in one line', {
    topic: 'mining',
    value: 'FILE',
  }),
  'stratum-tls': flag('Rigs may use TLS, with the certificate of the RPC', { topic: 'mining' }),
});
