import { storageKeys } from '@starside/contract/api.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The chosen theme; `system` when nothing was chosen. */
export function readTheme(): Theme {
  const stored = localStorage.getItem(storageKeys.theme)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Shows and remembers a theme; `system` forgets the choice and follows the device. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(storageKeys.theme)
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem(storageKeys.theme, theme)
    document.documentElement.dataset['theme'] = theme
  }
}
