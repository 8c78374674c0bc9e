import { fill } from '@starside/contract/fill.ts'
import { languageNames } from '@starside/contract/languages.ts'
import { usePublicSettings } from '../api/use-public-settings.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'

/** To whom photos are sent too, in words: empty where they stay, undefined before that is known. */
function usePhotoRecipients(): string | undefined {
  const { language } = useLanguage()
  const recipients = usePublicSettings()?.photoRecipients
  // The browser takes tens of milliseconds to get ready to list, and most sites have nobody to name.
  if (recipients?.length === 0) return ''
  return recipients && new Intl.ListFormat(languageNames[language].tag).format(recipients)
}

/** Says that photos go to others, where they do. */
export function PhotoRecipients() {
  const m = useMessages('dashboard')
  const services = usePhotoRecipients()
  if (!services) return null
  return (
    <p className="border-l-4 border-amber pl-3 text-bone">{fill(m.privacyOutside, { services })}</p>
  )
}

/** What happens to the photo, said where it is chosen; first of all, whether it goes to others. */
export function PrivacyNote() {
  const m = useMessages('dashboard')
  const services = usePhotoRecipients()
  return (
    <div className="privacy-note grid gap-2 text-[0.9rem] text-ash">
      <PhotoRecipients />
      <details>
        <summary className="cursor-pointer py-0.5 max-md:py-1">{m.privacyShort}</summary>
        <p className="mt-1 font-semibold text-bone">{m.privacyTitle}</p>
        <p>{m.privacyText}</p>
        {/* What others do is theirs to promise, and is not promised before it is known who they are. */}
        {services === undefined ? null : (
          <p>{services ? fill(m.privacyOutsideMore, { services }) : m.privacyPromise}</p>
        )}
      </details>
    </div>
  )
}
