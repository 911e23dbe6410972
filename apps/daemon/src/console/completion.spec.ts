import { completeLine } from './completion.ts';

test.each<[line: string, candidates: string[], end: string]>([
  ['print_pool', ['print_pool', 'print_pool_sh', 'print_pool_stats'], 'print_pool'],
  ['  pop_b', ['pop_blocks '], 'pop_b'],
  ['nonsense', [], 'nonsense'],
  ['nonsense ', [], ''],
  ['status ', [], ''],
  ['unban a', ['all'], 'a'],
  ['update ', ['check', 'download'], ''],
  ['pop_blocks ', [], ''],
  ['pop_blocks 5 k', ['keep-txs'], 'k'],
  ['print_block ', [], ''],
  ['print_block 5 ', ['+hex'], ''],
  ['print_tx x +hex +', ['+json'], '+'],
  ['print_pl white ', ['gray', 'pruned', 'publicrpc'], ''],
  ['flush_cache bad-b', ['bad-blocks'], 'bad-b'],
  ['set_bootstrap_daemon ', ['auto', 'none'], ''],
  ['start_mining 4A ', ['auto'], ''],
  ['start_mining 4A auto t', ['true'], 't'],
  ['help min', ['mining', 'mining_ledger', 'mining_status'], 'min'],
  ['set_log ', expect.arrayContaining(['0', '4', '*:', 'net.http:']) as string[], ''],
  ['set_log net.h', ['net.http:'], 'net.h'],
  ['set_log +net.http:I', ['+net.http:INFO'], '+net.http:I'],
  ['set_log *:INFO,tx', ['*:INFO,txpool:'], '*:INFO,tx'],
  ['set_log *:INFO,txpool:D', ['*:INFO,txpool:DEBUG'], '*:INFO,txpool:D'],
])('%j', (line, candidates, end) => {
  const [found, replaced] = completeLine(line);
  expect([[...found].sort(), replaced]).toEqual([
    Array.isArray(candidates) ? [...candidates].sort() : candidates,
    end,
  ]);
});
