import { shareDestinations } from '@starside/contract/sharing.ts'
import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../ui/language.tsx'

/** Chats, networks and mail that a link is passed on with; each opens beside this page. */
export function ShareDestinations({ text, link }: { text: string; link: string }) {
  const m = useMessages('dashboard')
  return (
    <ul aria-label={m.shareElsewhere} className="flex flex-wrap gap-x-4">
      {shareDestinations.map(({ id, name, address }) => (
        <li key={id}>
          <a
            href={address(text, link)}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={fill(m.shareOn, { host: id === 'mail' ? m.byMail : name })}
            className="text-link inline-flex min-h-11 items-center"
          >
            {id === 'mail' ? m.byMail : name}
          </a>
        </li>
      ))}
    </ul>
  )
}
