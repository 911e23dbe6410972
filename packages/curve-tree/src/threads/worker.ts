import { serveJobs } from '@monero-node/base/workers';
import { answerTreeJobs } from './tree-jobs.ts';

// Entry point of a thread that grows the lowest layer of a tree. An error thrown here is a defect, not bad data.
serveJobs(answerTreeJobs);
