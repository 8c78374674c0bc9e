import { pages } from '@starside/contract/pages.ts'
import { usePublicSettings } from '../api/use-public-settings.ts'
import { Link } from './link.tsx'
import { useMessages } from './language.tsx'
import { Preferences } from './preferences.tsx'
import { Sprockets } from './sprockets.tsx'
import { Wordmark } from './wordmark.tsx'

/** Social link, contact address, community chat, language and theme. */
export function SiteFooter() {
  const m = useMessages('shell')
  const settings = usePublicSettings()
  const links = [
    { text: m.footerSocial, href: settings?.socialUrl },
    {
      text: m.footerContact,
      href: settings?.contactEmail ? `mailto:${settings.contactEmail}` : undefined,
    },
    { text: m.footerCommunity, href: settings?.communityUrl },
  ]
  return (
    <footer className="mt-auto">
      <div className="bg-film py-1">
        <Sprockets />
      </div>
      <div className="page-width grid gap-x-12 gap-y-4 py-6 lg:grid-cols-[minmax(15rem,1fr)_auto_auto] md:gap-y-6 md:py-10">
        <div>
          <Wordmark />
          <p className="mt-1 max-w-sm md:mt-3 text-[0.95rem] text-grey">{m.footerLine}</p>
        </div>
        <ul className="grid grid-cols-2 content-start gap-x-10">
          {links.map((link) => (
            <li key={link.text}>
              {link.href ? (
                <a className="text-link tall" href={link.href} rel="noopener">
                  {link.text}
                </a>
              ) : (
                <span className="tall">{link.text}</span>
              )}
            </li>
          ))}
          {[
            { to: '/?verify', text: m.verifyPicture },
            { to: '/?report', text: m.reportPicture },
            { to: pages.terms.path, text: m.terms },
            { to: pages.privacy.path, text: m.privacy },
            { to: pages.imprint.path, text: m.imprint },
          ].map(({ to, text }) => (
            <li key={to}>
              <Link to={to} className="text-link tall">
                {text}
              </Link>
            </li>
          ))}
        </ul>
        <div className="lg:justify-self-end">
          <Preferences />
        </div>
      </div>
    </footer>
  )
}
