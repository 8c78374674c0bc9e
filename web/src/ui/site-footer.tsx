import { pages } from '@starside/contract/pages.ts'
import { usePublicSettings } from '../api/use-public-settings.ts'
import { TextLink, useInBrowser } from './router.tsx'
import { useMessages, useLanguage } from './language.tsx'
import { Wordmark } from './wordmark.tsx'
import { useState } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import { inEveryLanguage, languageNames } from '@starside/contract/languages.ts'
import { Choice, FormError, useSubmission } from './form.tsx'

/** Social link, contact address, community chat, language and theme. */
export function SiteFooter() {
  const m = useMessages('shell')
  const settings = usePublicSettings()
  const links = [
    { text: m.footerSocial, href: settings?.socialUrl },
    { text: m.footerContact, href: settings?.contactEmail && `mailto:${settings.contactEmail}` },
    { text: m.footerCommunity, href: settings?.communityUrl },
    { text: m.verifyPicture, href: '/?verify' },
    { text: m.reportPicture, href: '/?report' },
    { text: m.terms, href: pages.terms.path },
    { text: m.privacy, href: pages.privacy.path },
    { text: m.imprint, href: pages.imprint.path },
  ]
  return (
    <footer className="mt-auto">
      <div className="bg-film py-1">
        <div className="sprockets" />
      </div>
      <div className="page-width grid gap-x-12 gap-y-4 py-6 lg:grid-cols-[minmax(15rem,1fr)_auto_auto] md:gap-y-6 md:py-10">
        <div>
          <Wordmark />
          <p className="mt-1 max-w-sm md:mt-3 text-[0.95rem] text-grey">{m.footerLine}</p>
        </div>
        <ul className="grid grid-cols-2 content-start gap-x-10">
          {links.map(({ text, href }) => (
            <li key={text}>
              {href?.startsWith('/') ? (
                <TextLink to={href}>{text}</TextLink>
              ) : href ? (
                <a className="text-link tall" href={href} rel="noopener">
                  {text}
                </a>
              ) : (
                <span className="tall">{text}</span>
              )}
            </li>
          ))}
        </ul>
        <Preferences />
      </div>
    </footer>
  )
}

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const readTheme = (): Theme =>
  themes.find((theme) => theme === localStorage.getItem(storageKeys.theme)) ?? 'system'

/** Shows and remembers a theme; `system` forgets the choice and follows the device. */
function chooseTheme(theme: Theme): Theme {
  if (theme === 'system') {
    localStorage.removeItem(storageKeys.theme)
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem(storageKeys.theme, theme)
    document.documentElement.dataset['theme'] = theme
  }
  return theme
}

/** Language and theme, side by side, as two native selects. */
export function Preferences() {
  const { language, setLanguage } = useLanguage()
  const m = useMessages('shell')
  const { error, submit } = useSubmission(m.languageNotLoaded)
  const [chosenNow, setChosen] = useState<Theme | null>(null)
  const theme = useInBrowser<Theme>(() => chosenNow ?? readTheme(), 'system')
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-2 self-start lg:justify-self-end">
      <Choice
        label={m.language}
        value={language}
        names={inEveryLanguage((code) => languageNames[code].name)}
        choose={(chosen) => void submit(() => setLanguage(chosen))}
      />
      <Choice
        label={m.theme}
        value={theme}
        names={{ system: m.themeSystem, light: m.themeLight, dark: m.themeDark }}
        choose={(chosen) => setChosen(chooseTheme(chosen))}
      />
      {error === null ? null : <FormError message={error} />}
    </div>
  )
}
