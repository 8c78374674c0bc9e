import { useState, useSyncExternalStore } from 'react'
import { languageNames, languages, type Language } from '@starside/contract/languages.ts'
import { FormError } from './form-error.tsx'
import { useLanguage, useMessages } from './language.tsx'
import { chooseTheme, readTheme, themes, type Theme } from './theme.ts'

const listeners = new Set<() => void>()
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Language and theme, side by side, as two native selects. */
export function Preferences() {
  const { language, setLanguage } = useLanguage()
  const m = useMessages('shell')
  const [failure, setFailure] = useState<string | null>(null)
  const choose = async (chosen: Language): Promise<void> => {
    setFailure(null)
    try {
      await setLanguage(chosen)
    } catch {
      setFailure(m.languageNotLoaded)
    }
  }
  const theme = useSyncExternalStore<Theme>(subscribe, readTheme, () => 'system')
  const themeNames: Record<Theme, string> = {
    system: m.themeSystem,
    light: m.themeLight,
    dark: m.themeDark,
  }
  const select = 'edge-print min-h-11 max-w-full border-b border-line bg-paper py-1 pr-1 text-ink'
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-2">
      <label className="edge-print flex items-center gap-2 text-grey">
        {m.language}
        <select
          className={select}
          value={language}
          onChange={(event) => {
            const chosen = languages.find((code) => code === event.target.value)
            if (chosen) void choose(chosen)
          }}
        >
          {languages.map((code) => (
            <option key={code} value={code} lang={languageNames[code].tag}>
              {languageNames[code].name}
            </option>
          ))}
        </select>
      </label>
      <label className="edge-print flex items-center gap-2 text-grey">
        {m.theme}
        <select
          className={select}
          value={theme}
          onChange={(event) => {
            const chosen = themes.find((name) => name === event.target.value)
            if (chosen) chooseTheme(chosen)
            for (const listener of listeners) listener()
          }}
        >
          {themes.map((name) => (
            <option key={name} value={name}>
              {themeNames[name]}
            </option>
          ))}
        </select>
      </label>
      {failure === null ? null : <FormError message={failure} />}
    </div>
  )
}
