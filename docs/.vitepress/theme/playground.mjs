// The playground: a program, what it prints, and the recipes to begin with. Programs run in a frame without an origin.
import { defineComponent, h, onBeforeUnmount, onMounted, ref, shallowRef } from 'vue';
import { withBase } from 'vitepress';

/** Returns the document of a frame that loads the packages and waits for a program. */
const frameOf = (script) =>
  `<!doctype html><meta charset="utf-8"><script src="${script}"></script>`;

/** Makes an editor in an element. Loaded with the page that has one. */
async function openEditor(parent, doc, run) {
  const [{ basicSetup, EditorView }, { javascript }, { keymap }, { Prec }] = await Promise.all([
    import('codemirror'),
    import('@codemirror/lang-javascript'),
    import('@codemirror/view'),
    import('@codemirror/state'),
  ]);
  const label = EditorView.contentAttributes.of({ 'aria-label': 'Program' });
  const keys = Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (run(), true) }]));
  return new EditorView({ parent, doc, extensions: [keys, basicSetup, javascript(), label] });
}

/** Runs a program in a new frame. Returns what ends it. */
function runInFrame(program, { place, onLine, onEnd }) {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.hidden = true;
  frame.title = 'The program';
  const listen = ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    if (data.kind === 'ready') frame.contentWindow.postMessage({ program }, '*');
    if (data.kind === 'line') onLine(data.text);
    if (data.kind === 'end') onEnd(data.error);
  };
  addEventListener('message', listen);
  frame.srcdoc = frameOf(new URL(withBase('/playground/packages.js'), location.href).href);
  place.append(frame);
  return () => {
    removeEventListener('message', listen);
    frame.remove();
  };
}

/** The page's part that edits and runs a program. */
export const Playground = defineComponent({
  name: 'Playground',
  setup() {
    const recipes = shallowRef([]);
    const chosen = ref('');
    const lines = ref([]);
    const state = ref('');
    const editing = ref();
    const place = ref();
    let editor;
    let end = () => undefined;
    const run = () => {
      end();
      lines.value = [];
      state.value = 'running';
      end = runInFrame(editor.state.doc.toString(), {
        place: place.value,
        onLine: (text) => lines.value.push(text),
        onEnd: (error) => {
          if (error !== undefined) lines.value.push(error);
          state.value = error === undefined ? 'ended' : 'failed';
        },
      });
    };
    const stop = () => {
      end();
      state.value = 'stopped';
    };
    const choose = (name) => {
      const recipe = recipes.value.find((each) => each.name === name) ?? recipes.value[0];
      if (recipe === undefined) return;
      chosen.value = recipe.name;
      const { length } = editor.state.doc;
      editor.dispatch({ changes: { from: 0, to: length, insert: recipe.program } });
    };
    const named = () => decodeURIComponent(location.hash.slice(1));
    // Other links lead to headings, and leave the program as it is.
    const chooseNamed = () => {
      if (recipes.value.some(({ name }) => name === named())) choose(named());
    };
    onMounted(async () => {
      const answer = await fetch(withBase('/playground/recipes.json'));
      recipes.value = await answer.json();
      editor = await openEditor(editing.value, '', run);
      choose(named());
      addEventListener('hashchange', chooseNamed);
      state.value = 'ready';
    });
    onBeforeUnmount(() => {
      removeEventListener('hashchange', chooseNamed);
      end();
      editor?.destroy();
    });
    const button = (text, onClick, disabled) =>
      h('button', { type: 'button', onClick, disabled }, text);
    const options = () =>
      recipes.value.map(({ name, title }) => h('option', { value: name }, title));
    return () =>
      h('div', { class: 'playground' }, [
        h('div', { class: 'playground-bar' }, [
          h(
            'select',
            {
              'aria-label': 'Recipe',
              value: chosen.value,
              onChange: ({ target }) => choose(target.value),
            },
            options(),
          ),
          button('Run', run, state.value === ''),
          button('Stop', stop, state.value !== 'running'),
          h('span', { role: 'status' }, state.value),
        ]),
        h('div', { ref: editing, class: 'playground-editor' }),
        h(
          'pre',
          { class: 'playground-output', 'aria-label': 'Output', tabindex: 0 },
          lines.value.join('\n'),
        ),
        h('div', { ref: place }),
      ]);
  },
});
