import type { HandlerOf } from '../method.ts';
import { makeTemplate, templateAnswer } from '../mining/block-template.ts';

/** Returns a template for the next block. Throws JsonRpcError as `makeTemplate` does. */
export const getBlockTemplate: HandlerOf<'getBlockTemplate'> = async (request, context) =>
  templateAnswer(await makeTemplate(request, context));
