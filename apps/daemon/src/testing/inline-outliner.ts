import {
  outlinedPackages,
  OutlinedTransactions,
  outlinePackages,
  outlineTransactions,
  type TransactionOutliner,
} from '@monero-node/codec';

/** Outlines on the calling thread. */
export const inlineOutliner: TransactionOutliner = {
  outline: async (txs) => new OutlinedTransactions(outlineTransactions(txs)),
  outlinePackages: async (packages) => outlinedPackages(outlinePackages(packages)),
};
