import type { ChainSample } from './chain-sample.ts';
import { blockRequests } from './method-requests/blocks.ts';
import { miningRequests } from './method-requests/mining.ts';
import { outputRequests } from './method-requests/outputs.ts';
import { PLAIN_REQUESTS } from './method-requests/plain.ts';
import { SETTINGS_REQUESTS } from './method-requests/settings.ts';
import { transactionRequests } from './method-requests/transactions.ts';
import { alone, json, RESTRICTED, type ReplayRequest } from './request.ts';

/** Returns requests for every method, with right and wrong arguments. */
export function methodRequests(sample: ChainSample, address: string): readonly ReplayRequest[] {
  return [
    ...PLAIN_REQUESTS,
    ...blockRequests(sample),
    ...transactionRequests(sample),
    ...outputRequests(sample),
    ...miningRequests(sample, address),
    ...SETTINGS_REQUESTS.map(alone),
    json('/get_transaction_pool', {}, RESTRICTED),
  ];
}
