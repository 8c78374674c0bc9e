import { useEffect, useState } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { shareNoticeMs } from '@starside/contract/limits.ts'
import { referralLink } from '@starside/contract/referrals.ts'
import { linkInLanguage, shareNetwork, shareIntentUrl } from '@starside/contract/sharing.ts'
import { useAuth } from '../auth/auth-context.ts'
import { fill } from '@starside/contract/fill.ts'
import { shown } from '../ui/brand.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { takeWhenCome } from '../ui/take-when-come.ts'
import { useNotice } from '../ui/use-notice.ts'
import { starTexts } from './star-texts.ts'
import { isAbort } from '../api/call.ts'
import { saveBlob } from '../ui/save-blob.ts'
import { useSubmission } from '../ui/form.tsx'

/** Saving a picture and passing it on, and how that went; `shareFile` is null where a device can't. */
export function usePictureSharing(imageUrl: string, item: GenerationItem | null) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const code = useAuth().user?.referralCode
  const own = code ? referralLink(location.origin, code) : location.origin
  const link = item?.shareUrl ? linkInLanguage(item.shareUrl, language) : own
  const text = starTexts(item?.celebrities, m, shown.brand?.shareText[language]).tweet
  const [notice, showNotice] = useNotice(shareNoticeMs)
  const [file, setFile] = useState<[of: string, picture: File]>()
  // Browsers allow the share sheet only seconds after a tap, so the picture is fetched ahead.
  useEffect(() => {
    if (!canSharePictures()) return
    return takeWhenCome(fetchPicture(imageUrl), (blob) =>
      setFile([imageUrl, new File([blob], 'celebrity-selfie.jpg', { type: 'image/jpeg' })]),
    )
  }, [imageUrl])
  const host = shareNetwork.name
  const saving = useSubmission(m.downloadFailed)
  const sharing = useSubmission(fill(m.shareFailed, { host }))

  const download = () => saving.submit(() => downloadPicture(item?.downloadUrl ?? imageUrl))
  const share = () =>
    sharing.submit(async () => showNotice(fill(m[await shareOnX(text, link)], { host })))
  const shared = file?.[0] === imageUrl ? file[1] : null
  const shareFile = shared && (() => sharing.submit(() => shareNatively(shared, text, link)))
  const error = saving.error ?? sharing.error
  return { text, link, notice, error, download, share, shareFile }
}

/** True where the device's own share sheet takes picture files. */
export function canSharePictures(): boolean {
  if (typeof navigator.canShare !== 'function') return false
  const probe = new File([new Uint8Array(1)], 'selfie.jpg', { type: 'image/jpeg' })
  return navigator.canShare({ files: [probe] })
}

/** Opens the device's share sheet with the picture, which is at hand already; giving up in it is no failure. */
export async function shareNatively(file: File, text: string, url: string): Promise<void> {
  await navigator.share({ files: [file], text, url }).catch((error: unknown) => {
    if (!isAbort(error)) throw error
  })
}

/** A picture that the server offers. Throws where it does not load. */
export async function fetchPicture(address: string): Promise<Blob> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim())
  return await response.blob()
}

/** Saves a picture. Throws 'Image URL is required' and 'Failed to download image: {reason}'. */
export async function downloadPicture(imageUrl: string | null): Promise<void> {
  if (!imageUrl) throw new Error('Image URL is required')
  const blob = await fetchPicture(imageUrl).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Failed to download image: ${reason}`, { cause: error })
  })
  saveBlob(blob, `celebrity-selfie-${Date.now()}.png`)
}

/** Opens X's share window, or copies the text where that is blocked; gives the key of what is said then. */
export async function shareOnX(text: string, link: string): Promise<'shareOpened' | 'tweetCopied'> {
  const tags = shown.brand?.shareTags ?? []
  const address = shareIntentUrl(text, link, tags)
  const opened = window.open(address, '_blank', 'popup,width=640,height=560')
  if (opened) {
    // No way back to this page; `noopener` would hide whether it opened.
    opened.opener = null
    return 'shareOpened'
  }
  // Missing on hosts without TLS, which then counts as a failed copy.
  await navigator.clipboard.writeText([text, link, ...tags.map((tag) => `#${tag}`)].join(' '))
  return 'tweetCopied'
}
