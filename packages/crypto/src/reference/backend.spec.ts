import { describeCryptoBackend } from '../testing/compliance.ts';
import { createReferenceBackend } from './backend.ts';

describeCryptoBackend('reference', createReferenceBackend);
