import { pages } from '@starside/contract/pages.ts'
import { useMessages } from './language.tsx'

/** Links to the terms and the privacy page where something is agreed to, beside what was filled in. */
export function LegalLinks() {
  const m = useMessages('shell')
  const links = [
    { path: pages.terms.path, text: m.terms },
    { path: pages.privacy.path, text: m.privacy },
  ]
  return (
    <p className="flex flex-wrap gap-x-5">
      {links.map(({ path, text }) => (
        <a key={path} href={path} target="_blank" rel="noopener" className="text-link tall">
          {text}
        </a>
      ))}
    </p>
  )
}
