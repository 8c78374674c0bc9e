import { useMessages } from '../ui/language.tsx'

/** What happens to the photo, said where it is chosen. */
export function PrivacyNote() {
  const m = useMessages('dashboard')
  return (
    <details className="text-[0.95rem] text-ash">
      <summary className="cursor-pointer py-1">{m.privacyShort}</summary>
      <p className="mt-1 font-semibold text-bone">{m.privacyTitle}</p>
      <p>{m.privacyText}</p>
    </details>
  )
}
