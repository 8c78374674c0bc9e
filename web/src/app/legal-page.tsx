import { termsVersion } from '@starside/contract/terms.ts'
import { languageNames } from '@starside/contract/languages.ts'
import { usePublicSettings } from '../api/use-public-settings.ts'
import { fill } from '../ui/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { PageFrame } from '../ui/page-frame.tsx'

/** The terms of use. */
export function TermsPage() {
  const shell = useMessages('shell')
  const m = useMessages('legal')
  return <LegalPage title={shell.terms} lead={m.termsLead} sections={m.terms} />
}

/** What happens to people's photos and data, and on this installation in particular. */
export function PrivacyPage() {
  const shell = useMessages('shell')
  const m = useMessages('legal')
  const { language } = useLanguage()
  const recipients = usePublicSettings()?.photoRecipients
  const services = new Intl.ListFormat(languageNames[language].tag).format(recipients ?? [])
  const [photos, ...rest] = m.privacy
  // Nothing is promised for others before it is known who they are.
  const here = recipients
    ? [recipients.length > 0 ? fill(m.photosOutside, { services }) : m.photosInside]
    : []
  const sections = photos
    ? [{ ...photos, paragraphs: [...photos.paragraphs, ...here] }, ...rest]
    : rest
  return <LegalPage title={shell.privacy} lead={m.privacyLead} sections={sections} />
}

interface LegalPageProps {
  title: string
  lead: string
  sections: readonly { heading: string; paragraphs: readonly string[] }[]
}

function LegalPage({ title, lead, sections }: LegalPageProps) {
  const m = useMessages('legal')
  return (
    <PageFrame>
      <h1 className="display narrow text-[clamp(2.6rem,7vw,5rem)]">{title}</h1>
      <p className="mt-4 text-xl">{lead}</p>
      <p className="edge-print mt-2 text-grey">{fill(m.version, { version: termsVersion })}</p>
      <div className="mt-10 grid max-w-3xl gap-8">
        {sections.map(({ heading, paragraphs }) => (
          <section key={heading} className="rule pt-3">
            <h2 className="text-2xl font-bold">{heading}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-3">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
      </div>
    </PageFrame>
  )
}
