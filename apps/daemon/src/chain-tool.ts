#!/usr/bin/env node
import { runChainTool } from './bootstrap-file/chain-tool.ts';

process.exit(await runChainTool(process.argv.slice(2)));
