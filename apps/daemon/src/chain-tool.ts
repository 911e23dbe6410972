#!/usr/bin/env node
import { runChainTool } from './chain-tool/run-chain-tool.ts';

process.exit(await runChainTool(process.argv.slice(2)));
