/**
 * The colours of the web app's two themes, as `web/src/ui/styles.css` has them: of a page, of text on
 * the accent colour, and of the accent.
 */
export const themes = {
  light: { background: '#f4efe4', onAccent: '#fffaf0', accent: '#c8271a' },
  dark: { background: '#17090a', onAccent: '#15110f', accent: '#ff5b45' },
} as const
export type ThemeName = keyof typeof themes
