import type { GenerationItem } from '@starside/contract/generation.ts'
import { shareNoticeMs } from '@starside/contract/limits.ts'
import { linkInLanguage, shareDestinations } from '@starside/contract/sharing.ts'
import { call } from '../api/call.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { useCopying } from '../ui/use-copying.tsx'
import { useNotice } from '../ui/use-notice.ts'
import { FilmButton, TextButton } from '../ui/button.tsx'
import { Status, useSubmission } from '../ui/form.tsx'
import { fill } from '@starside/contract/fill.ts'

/** Which version a selfie's link shows where another one is chosen, counted from 1; else 0. */
export const otherShared = (item: GenerationItem | null): number =>
  (item?.variations ?? []).findIndex((one) => one.isShared && !one.isChosen) + 1

/** The public link of a picture, made where one is shared and there is none; it shows the version that is seen. */
export function usePublicLink(item: GenerationItem | null, onItem: (item: GenerationItem) => void) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const { busy, error, submit } = useSubmission(m.linkFailed)
  const { copied, copy: copyText } = useCopying()
  const [notice, showNotice] = useNotice(shareNoticeMs)
  const params = { generationId: item?.generationId ?? '' }
  const other = otherShared(item)
  const shows = fill(other === 0 ? m.publicLinkText : m.linkShows, { number: other })
  const link = item?.shareUrl ? linkInLanguage(item.shareUrl, language) : null
  const share = async (): Promise<string> => {
    if (link !== null && other === 0) return link
    const { generation } = await call('POST /api/generations/:generationId/share', { params })
    onItem(generation)
    if (other > 0) showNotice(m.linkMoved)
    return linkInLanguage(generation.shareUrl ?? '', language)
  }
  const remove = () =>
    submit(async () => {
      onItem((await call('DELETE /api/generations/:generationId/share', { params })).generation)
      showNotice(m.linkRemoved)
    })
  const text = busy ? m.makingLink : (copied ?? (link === null ? m.publishAndCopy : m.copyLink))
  const copy = () => submit(async () => copyText(await share()))
  return { text, busy, error, notice, link, shows, copy, share: () => submit(share), remove }
}

export type PublicLink = ReturnType<typeof usePublicLink>

/** Says that a picture is public, with the way back; where it has just gone back, the way there. */
export function LinkSwitch({ shared }: { shared: PublicLink }) {
  const { link, shows, busy, notice, share, remove } = shared
  const m = useMessages('dashboard')
  if (link === null && notice === null) return <Status />
  return (
    <Status className="text-[0.95rem] text-ash">
      {link === null ? null : shows}{' '}
      <TextButton
        className="py-1 font-semibold text-bone"
        aria-disabled={busy}
        onClick={() => void (link === null ? share() : remove())}
      >
        {link === null ? m.makePublic : m.removeLink}
      </TextButton>
    </Status>
  )
}

/** The public link to copy, and chats, networks and mail to pass it on with once there is one. */
export function ShareElsewhere({ text, shared }: { text: string; shared: PublicLink }) {
  const { link, share } = shared
  const m = useMessages('dashboard')
  return (
    <>
      <FilmButton aria-disabled={shared.busy} onClick={() => void shared.copy()}>
        {shared.text}
      </FilmButton>
      {link === null ? (
        <p className="text-[0.95rem] text-ash">{m.askPublic}</p>
      ) : (
        <ul aria-label={m.shareElsewhere} className="flex flex-wrap gap-2 *:grow">
          {shareDestinations.map(({ id, name, address }) => (
            <li key={id}>
              <a
                href={address(text, link)}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={id === 'mail' ? m.shareByMail : fill(m.shareOn, { host: name })}
                className="button button-film w-full px-3 text-[0.95rem]"
                onClick={() => void share()}
              >
                {id === 'mail' ? m.byMail : name}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
