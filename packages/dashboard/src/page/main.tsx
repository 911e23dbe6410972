import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './style/base.css';
import './style/layout.css';
import './style/sections.css';
import './style/tools.css';
import { App } from './components/app.tsx';
import { Connection } from './state/connect.ts';
import { Store } from './state/store.ts';

const EVENTS_PATH = '/page/events';

const store = new Store();
const root = document.getElementById('page');
if (root !== null) render(<App store={store} />, root);
new Connection(EVENTS_PATH, store).open();
