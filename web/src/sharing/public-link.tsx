import { useRef } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { shareNoticeMs } from '@starside/contract/limits.ts'
import { linkInLanguage, shareDestinations } from '@starside/contract/sharing.ts'
import { call } from '../api/call.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { useCopying } from '../ui/use-copying.tsx'
import { useNotice } from '../ui/use-notice.ts'
import { FilmButton, TextButton } from '../ui/button.tsx'
import { SmallError, useSubmission, Status } from '../ui/form.tsx'
import { fill } from '@starside/contract/fill.ts'

type PublicLinkProps = { item: GenerationItem; onItem: (item: GenerationItem) => void }

/** The public link of a picture that has one, and the way to take it back. */
export function PublicLink({ item, onItem }: PublicLinkProps) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const part = useRef<HTMLDivElement>(null)
  const { busy, error, submit } = useSubmission(m.linkFailed)
  const [notice, showNotice] = useNotice(shareNoticeMs)
  const remove = (): Promise<boolean> =>
    submit(async () => {
      const params = { generationId: item.generationId }
      onItem((await call('DELETE /api/generations/:generationId/share', { params })).generation)
      showNotice(m.linkRemoved)
      part.current?.focus()
    })
  return (
    <div ref={part} tabIndex={-1} className="grid gap-2 text-[0.95rem] empty:hidden">
      {item.shareUrl ? (
        <>
          <p>{m.publicLinkText}</p>
          <p className="border-b border-current/40 py-1 font-mono text-sm break-all">
            {linkInLanguage(item.shareUrl, language)}
          </p>
          <FilmButton
            className="justify-self-start"
            aria-disabled={busy}
            onClick={() => void remove()}
          >
            {m.removeLink}
          </FilmButton>
        </>
      ) : null}
      <Status>{notice}</Status>
      <SmallError>{error}</SmallError>
    </div>
  )
}

/** Says which version the public link shows, where it isn't the one on show, and lets it show that one. */
export function LinkNote({ item, onMove }: { item: GenerationItem; onMove: () => unknown }) {
  const m = useMessages('dashboard')
  const at = item.variations.findIndex(({ isShared, isChosen }) => isShared && !isChosen)
  if (at < 0) return null
  return (
    <p className="text-[0.95rem]">
      {fill(m.linkShows, { number: at + 1 })}{' '}
      <TextButton className="py-1 font-semibold" onClick={onMove}>
        {m.moveLink}
      </TextButton>
    </p>
  )
}

/** Copies the public link of a picture, which is made first where there is none. */
export function useCopyLink(item: GenerationItem | null, onItem: (item: GenerationItem) => void) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const { busy, error, submit } = useSubmission(m.linkFailed)
  const { copied, copy: copyText } = useCopying()
  const [notice, showNotice] = useNotice(shareNoticeMs)
  const share = async (): Promise<string> => {
    const params = { generationId: item?.generationId ?? '' }
    const { generation } = await call('POST /api/generations/:generationId/share', { params })
    onItem(generation)
    showNotice(m.publicLinkText)
    return generation.shareUrl ?? ''
  }
  const text = busy ? m.makingLink : (copied ?? m.copyLink)
  const copy = () =>
    submit(async () => copyText(linkInLanguage(item?.shareUrl ?? (await share()), language)))
  /** `move` lets the link show the version on show. */
  return { text, busy, error, notice, copy, move: () => submit(share) }
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
            aria-label={id === 'mail' ? m.shareByMail : fill(m.shareOn, { host: name })}
            className="text-link tall"
          >
            {id === 'mail' ? m.byMail : name}
          </a>
        </li>
      ))}
    </ul>
  )
}
