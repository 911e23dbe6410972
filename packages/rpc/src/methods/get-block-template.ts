import type { HandlerOf } from '../method.ts';
import { makeTemplate, templateAnswer } from '../mining/block-template.ts';

export const getBlockTemplate: HandlerOf<'getBlockTemplate'> = async (request, context) =>
  templateAnswer(await makeTemplate(request, context));
