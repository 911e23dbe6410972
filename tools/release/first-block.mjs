// Asks a regtest node on this machine for one block, and prints the height. For checks of releases, which run it by their own Node:
//
//   node first-block.mjs [PORT]
const [port = '18081'] = process.argv.slice(2);
const ADDRESS =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';

/** Returns the result of a method. Throws Error when the node answers with another one. */
async function call(method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: '0', method, params });
  const response = await fetch(`http://127.0.0.1:${port}/json_rpc`, { method: 'POST', body });
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

const { height } = await call('generateblocks', { amount_of_blocks: 1, wallet_address: ADDRESS });
const info = await call('get_info');
if (info.height !== height + 1)
  throw new Error(`a block of height ${height}, but ${info.height} blocks`);
console.log(`first block: height ${height}, ${info.top_block_hash}`);
