import { useRef, useState } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { copiedStateMs } from '@starside/contract/limits.ts'
import { linkInLanguage, shareDestinations } from '@starside/contract/sharing.ts'
import { call } from '../api/call.ts'
import { useAlert } from '../ui/alerts.tsx'
import { copyText } from '../ui/copy-text.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { useNotice } from '../ui/use-notice.ts'
import { useSubmission } from '../ui/use-submission.ts'
import { fill } from '@starside/contract/fill.ts'

interface PublicLinkProps {
  item: GenerationItem
  /** Classes of the buttons. */
  buttonClass: string
  onItem: (item: GenerationItem) => void
}

/** Makes, shows, copies and takes back the public link of one picture. */
export function PublicLink({ item, buttonClass, onItem }: PublicLinkProps) {
  const m = useMessages('dashboard')
  const [open, setOpen] = useState(item.shareUrl !== null)
  const button = useRef<HTMLButtonElement>(null)
  const { link, busy, error, copied, notice, make, remove, copy } = usePublicLink(item, onItem)
  return (
    <details
      className="border-t border-current/25 pt-2"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer py-2.5 font-semibold">{m.publicLink}</summary>
      <p className="mt-1 text-[0.95rem]">{m.publicLinkText}</p>
      {link ? (
        <p className="mt-2 border-b border-current/40 py-1 font-mono text-sm break-all">{link}</p>
      ) : null}
      <div className="mt-2 flex flex-wrap gap-2">
        {/* One button, which keeps the focus whatever it is for. */}
        <button
          ref={button}
          type="button"
          className={buttonClass}
          aria-disabled={busy}
          onClick={() => void (link ? copy() : make())}
        >
          {link ? (copied ?? m.copyLink) : busy ? m.makingLink : m.makePublicLink}
        </button>
        {link ? (
          <button
            type="button"
            className={buttonClass}
            aria-disabled={busy}
            onClick={() => void remove().then(() => button.current?.focus())}
          >
            {m.removeLink}
          </button>
        ) : null}
      </div>
      <p role="status" className="mt-1 empty:hidden">
        {notice}
      </p>
      <p role="alert" className="mt-1 font-semibold empty:hidden">
        {error}
      </p>
    </details>
  )
}

function usePublicLink(item: GenerationItem, onItem: (item: GenerationItem) => void) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const alert = useAlert()
  const { busy, error, submit } = useSubmission(m.linkFailed)
  const [copied, showCopied] = useNotice(copiedStateMs)
  const [notice, showNotice] = useNotice(4_000)
  const params = { generationId: item.generationId }
  const link = item.shareUrl && linkInLanguage(item.shareUrl, language)

  const make = () =>
    submit(async () => {
      const { generation } = await call('POST /api/generations/:generationId/share', { params })
      onItem({ ...item, shareUrl: generation.shareUrl })
    })
  const remove = (): Promise<boolean> =>
    submit(async () => {
      await call('DELETE /api/generations/:generationId/share', { params })
      onItem({ ...item, shareUrl: null })
      showNotice(m.linkRemoved)
    })
  const copy = async (): Promise<void> => {
    if (!link) return
    if (await copyText(link)) showCopied(m.copied)
    else alert(link, 'note')
  }
  return { link, busy, error, copied, notice, make, remove, copy }
}

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
            className="text-link tall"
          >
            {id === 'mail' ? m.byMail : name}
          </a>
        </li>
      ))}
    </ul>
  )
}
