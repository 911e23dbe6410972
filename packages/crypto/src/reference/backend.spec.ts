import { describeCryptoBackend } from '../testing/compliance.ts';
import { createReferenceBackend } from './backend.ts';

const STEP = 17;

describeCryptoBackend('reference', createReferenceBackend, STEP);
