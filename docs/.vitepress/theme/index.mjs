import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

// VitePress loads the default export.
export default DefaultTheme;
