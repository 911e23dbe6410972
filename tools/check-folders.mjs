// Finds cycles of imports: node tools/check-folders.mjs [CHECKOUT]
//
// In every folder of packages/*/src and apps/*/src, its files and its subfolders are the nodes, and
// every import between two of them (or their contents) is an edge. Imports of types and helpers of tests
// count; specs, fuzz targets and e2e suites do not. No cycle may exist, neither between files nor between folders.
import { importsOf } from './checks/imports.mjs';
import { isTestSuite, listFiles, readSource, workspaceFolders } from './checks/source-files.mjs';

/** Returns the strongly connected components with more than one node (Tarjan's algorithm). */
function cycles(edges) {
  const found = [];
  const state = new Map();
  const stack = [];
  const visit = (node) => {
    const own = { index: state.size, low: state.size, open: true };
    state.set(node, own);
    stack.push(node);
    for (const next of edges.get(node)?.keys() ?? []) {
      const seen = state.get(next);
      if (seen === undefined) own.low = Math.min(own.low, visit(next).low);
      else if (seen.open) own.low = Math.min(own.low, seen.index);
    }
    if (own.low === own.index) {
      const component = stack.splice(stack.indexOf(node));
      for (const member of component) state.get(member).open = false;
      if (component.length > 1) found.push(component.sort());
    }
    return own;
  };
  for (const node of edges.keys()) if (!state.has(node)) visit(node);
  return found;
}

/** Splits an import into the folder both files share and their next path segments there. */
function level(from, to) {
  const [a, b] = [from.split('/'), to.split('/')];
  let depth = 0;
  while (a[depth] === b[depth]) depth += 1;
  return { folder: a.slice(0, depth).join('/'), source: a[depth], target: b[depth] };
}

/** Folder → node → node → the imports between them. */
function graphsOf(files) {
  const known = new Set(files);
  const graphs = new Map();
  const child = (map, key) => map.get(key) ?? map.set(key, new Map()).get(key);
  for (const from of files) {
    for (const to of importsOf(from, readSource(from))) {
      if (!known.has(to) || to === from) continue;
      const { folder, source, target } = level(from, to);
      const targets = child(child(graphs, folder), source);
      targets.set(target, [...(targets.get(target) ?? []), [from, to]]);
    }
  }
  return graphs;
}

let count = 0;
let files = 0;
for (const workspace of workspaceFolders()) {
  const own = listFiles(workspace, (path) => /\/src\/.*\.ts$/.test(path) && !isTestSuite(path));
  files += own.length;
  for (const [folder, edges] of graphsOf(own)) {
    for (const members of cycles(edges)) {
      count += 1;
      console.error(`cycle in ${folder}: ${members.join(', ')}`);
      const within = new Set(members);
      for (const member of members) {
        for (const [target, imports] of edges.get(member)) {
          if (!within.has(target)) continue;
          console.error(`  ${member} -> ${target}`);
          for (const [from, to] of imports) {
            console.error(
              `    ${from.slice(folder.length + 1)} imports ${to.slice(folder.length + 1)}`,
            );
          }
        }
      }
    }
  }
}
console.log(`${files} files, ${count} import cycles between files or folders`);
if (count > 0) process.exitCode = 1;
