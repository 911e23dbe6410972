import { serveJobs } from '@monero-node/base/workers';
import { answerJobs } from './messages.ts';

// Entry point of a thread that outlines transactions. An error thrown here is a defect, not bad data.
serveJobs(answerJobs);
