import { pages } from '@starside/contract/pages.ts'
import { useMessages } from './language.tsx'

const link = { target: '_blank', rel: 'noopener', className: 'text-link tall' }

/** Links to the terms and the privacy page where something is agreed to, beside what was filled in. */
export function LegalLinks() {
  const m = useMessages('shell')
  return (
    <p className="flex flex-wrap gap-x-5">
      {(['terms', 'privacy'] as const).map((page) => (
        <a key={page} href={pages[page].path} {...link}>
          {m[page]}
        </a>
      ))}
    </p>
  )
}
