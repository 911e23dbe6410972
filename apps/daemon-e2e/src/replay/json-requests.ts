import { BOTH, envelope, post, type ReplayRequest } from './request.ts';

const COUNT = '"method":"get_block_count"';
const deep = (open: string, close: string, depth: number): string =>
  open.repeat(depth) + close.repeat(depth);

/** Valid and invalid bodies of `/json_rpc`. */
const ENVELOPES: readonly string[] = [
  ...['', ' ', '{', '}', '[]', '{}', 'null', '"text"', '5', 'nonsense', '\0', '{"', '{"a', '{"a":'],
  ...['{"method":""}', '{"method":null}', '{"method":5}', '{"method":["a"]}', '{"method":{}}'],
  ...['{"method":true}', '{"method":"no_such_method"}', '{"method":"GET_BLOCK_COUNT"}'],
  ...['{"method":"getblockcount "}', '{"method":"/get_info"}', '{"id":1}', '{"jsonrpc":"2.0"}'],
  ...[`{${COUNT}}`, `{"jsonrpc":"1.0",${COUNT}}`, `{"jsonrpc":2,${COUNT}}`],
  ...[`{"jsonrpc":"",${COUNT}}`, `{"jsonrpc":null,${COUNT}}`, `{"jsonrpc":["2.0"],${COUNT}}`],
  ...[
    '0',
    '1',
    '-1',
    '18446744073709551615',
    '1.5',
    '-0.25',
    '1e3',
    '123456789.5',
    'true',
    'false',
  ].map((id) => `{"id":${id},${COUNT}}`),
  ...[
    'null',
    '""',
    '"a\\"b"',
    '"\\u00e9\\n"',
    '"é"',
    '[]',
    '[1,2]',
    '["a","b"]',
    '{}',
    '{"b":1,"a":"x"}',
  ].map((id) => `{"id":${id},${COUNT}}`),
  `{"id":[{"a":1},{"b":2}],${COUNT}}`,
  `{"id":"${'x'.repeat(5000)}",${COUNT}}`,
  ...['null', '[]', '{}', '"text"', '5', 'true', '[1]', '[{}]', '{"height":1}'].map(
    (params) => `{"id":"0",${COUNT},"params":${params}}`,
  ),
  `[{"id":"0",${COUNT}},{"id":"1",${COUNT}}]`,
  `{"id":"0",${COUNT}} trailing`,
  `{"id":"0",${COUNT},}`,
  `{"id":"0",${COUNT}`,
  `{"id":"0",${COUNT},"method":"get_version"}`,
  `{"id":"0",${COUNT},"more":{"a":[1,2],"b":null}}`,
  `  {"id" : "0" , ${COUNT} }  `,
  `\t{\r\n"id":\t"0",\n${COUNT}}\n`,
  `{"id":TRUE,${COUNT}}`,
  `{'id':'0',${COUNT}}`,
  `{id:"0",${COUNT}}`,
  `\ufeff{"id":"0",${COUNT}}`,
  `{"id":99999999999999999999999,${COUNT}}`,
  `{"id":-99999999999999999999999,${COUNT}}`,
  `{"id":01,${COUNT}}`,
  `{"id":+1,${COUNT}}`,
  `{"id":.5,${COUNT}}`,
  `{"id":0x10,${COUNT}}`,
  `{"id":"\\x41",${COUNT}}`,
  `{"id":"\\u0041\\ud83d\\ude00",${COUNT}}`,
  `{"id":"\\u00",${COUNT}}`,
  `{"id":"a\u0001b",${COUNT}}`,
  `{"id":"a\\/b\\b\\f",${COUNT}}`,
  `{"id":"0",${COUNT},"params":${deep('[', ']', 50)}}`,
  `{"id":"0",${COUNT},"params":${deep('{"a":', '}', 50).replace(':}', ':1}')}}`,
  `{"id":"0",${COUNT},"params":${deep('{"a":', '}', 150).replace(':}', ':1}')}}`,
  `{"id":"0",${COUNT},"params":{"a":[1,"b"]}}`,
  `{"id":"0",${COUNT},"params":{"a":[[1],[2]]}}`,
  `{"id":"0","method":"get_block_count\\u0000"}`,
];

const PATH_BODIES: readonly string[] = [
  ...['', ' ', '{', '}', '[]', '[1]', 'null', '"text"', '5', 'nonsense', '{"a"', '{"a":}', '{,}'],
  ...['{"txs_hashes":', '{"txs_hashes":["ab","cd"', '{"txs_hashes":[1,"a"]}', '{"x":1}trailing'],
  ...['{"decode_as_json":tru}', '{"decode_as_json":TRUE}', '{"decode_as_json":yes}', '\0\0\0'],
];

/** Requests with valid, borderline and broken JSON. */
export const JSON_REQUESTS: readonly ReplayRequest[] = [
  ...ENVELOPES.map((body, i) => ({ ...envelope(body), name: `${i} ${envelope(body).name}` })),
  ...PATH_BODIES.map((body) => post('/get_transactions', body, BOTH)),
];
