#!/usr/bin/env node
import './ending/keep-debugger-shut.ts';
import { requireFiles } from './ending/descriptor-limit.ts';

requireFiles();
const { runChainTool } = await import('./chain-tool/run-chain-tool.ts');
process.exit(await runChainTool(process.argv.slice(2)));
