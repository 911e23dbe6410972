import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineAsyncComponent } from 'vue';
import './style.css';

/** Of one page, and loaded with it. */
const Playground = defineAsyncComponent(async () => (await import('./playground.mjs')).Playground);

// VitePress loads the default export.
export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('Playground', Playground),
};
