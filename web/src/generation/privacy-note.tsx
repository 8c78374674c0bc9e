import { usePublicSettings } from '../api/use-public-settings.ts'
import { fill } from '@starside/contract/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { languageNames } from '@starside/contract/languages.ts'

/** What happens to the photo, said where it is chosen; first of all, whether it goes to others. */
export function PrivacyNote() {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const recipients = usePublicSettings()?.photoRecipients
  const outside = recipients !== undefined && recipients.length > 0
  const services = new Intl.ListFormat(languageNames[language].tag).format(recipients ?? [])
  return (
    <div className="privacy-note grid gap-2 text-[0.9rem] text-ash">
      {outside ? (
        <p className="border-l-4 border-amber pl-3 text-bone">
          {fill(m.privacyOutside, { services })}
        </p>
      ) : null}
      <details>
        <summary className="cursor-pointer max-md:py-1">{m.privacyShort}</summary>
        <p className="mt-1 font-semibold text-bone">{m.privacyTitle}</p>
        <p>{m.privacyText}</p>
        {/* What others do is theirs to promise, and is not promised before it is known who they are. */}
        {recipients === undefined ? null : (
          <p>{outside ? fill(m.privacyOutsideMore, { services }) : m.privacyPromise}</p>
        )}
      </details>
    </div>
  )
}
