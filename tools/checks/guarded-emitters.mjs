// An ESLint rule: whatever emits 'error' is created inside guardEmitter(…) or guardServer(…) of packages/base, because an
// emitter without an error listener ends the process.

/** Creators, by module. */
const CREATORS = {
  net: ['Socket', 'Server', 'connect', 'createConnection', 'createServer'],
  tls: ['TLSSocket', 'connect', 'createServer'],
  http: ['createServer', 'get', 'request'],
  https: ['createServer', 'get', 'request'],
  dgram: ['createSocket'],
  child_process: ['exec', 'execFile', 'fork', 'spawn'],
  worker_threads: ['Worker'],
  fs: ['createReadStream', 'createWriteStream', 'watch'],
  socks: ['SocksClient'],
  ws: ['WebSocket', 'WebSocketServer'],
};
const GUARDS = ['guardEmitter', 'guardServer'];

function creatorsOf({ source, specifiers }) {
  const names = CREATORS[source.value.replace(/^node:/, '')] ?? [];
  return specifiers.flatMap((specifier) => {
    if (specifier.type !== 'ImportSpecifier')
      return names.map((name) => [specifier.local.name, name]);
    return names.includes(specifier.imported.name) ? [[specifier.local.name, undefined]] : [];
  });
}

const guardedEmitters = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { bare: 'Wrap {{name}} in guardEmitter or guardServer (@monero-node/base).' },
  },
  create(context) {
    /** Local name of a creator, or of a module with the names of its creators. */
    const creators = new Map();

    function check(node) {
      const { callee, parent } = node;
      const isMember = callee.type === 'MemberExpression';
      const local = isMember ? callee.object.name : callee.name;
      const members = creators.get(local);
      if (members === undefined) return;
      if (isMember ? !members.includes(callee.property.name) : members.length > 0) return;
      if (parent.type === 'CallExpression' && GUARDS.includes(parent.callee.name)) return;
      context.report({
        node,
        messageId: 'bare',
        data: { name: context.sourceCode.getText(callee) },
      });
    }

    return {
      ImportDeclaration(node) {
        if (node.importKind === 'type') return;
        for (const [local, member] of creatorsOf(node)) {
          const known = creators.get(local) ?? [];
          creators.set(local, member === undefined ? known : [...known, member]);
        }
      },
      CallExpression: check,
      NewExpression: check,
    };
  },
};

export const guardedEmittersPlugin = { rules: { 'guarded-emitters': guardedEmitters } };
