import { Suspense, useEffect, useState } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { shareNoticeMs } from '@starside/contract/limits.ts'
import { referralLink } from '@starside/contract/referrals.ts'
import { linkInLanguage, shareNetwork } from '@starside/contract/sharing.ts'
import { useAuth } from '../auth/auth-context.ts'
import { canSharePictures, shareNatively } from '../sharing/share-natively.ts'
import { shareOnX } from '../sharing/share-on-x.ts'
import { fill } from '../ui/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { currentBrand } from '../ui/brand.ts'
import { useNotice } from '../ui/use-notice.ts'
import { downloadFileName, downloadPicture } from './download-picture.ts'
import { starTexts } from './star-texts.ts'
import { loadLater } from '../ui/load-later.ts'

const MoreActions = loadLater(async () => (await import('./more-actions.tsx')).MoreActions)

interface PictureActionsProps {
  imageUrl: string
  /** Null while a restored picture's details are not known; then it can be saved but not linked. */
  item: GenerationItem | null
  onFilm: boolean
  onItem: (item: GenerationItem) => void
}

/** Download, share on X, share with the device; below them what is wanted less often. */
export function PictureActions({ imageUrl, item, onFilm, onItem }: PictureActionsProps) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const { user } = useAuth()
  const [notice, showNotice] = useNotice(shareNoticeMs)
  const [error, setError] = useState<string | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const host = shareNetwork.name
  const code = user?.referralCode
  const link = item?.shareUrl
    ? linkInLanguage(item.shareUrl, language)
    : code
      ? referralLink(location.origin, code)
      : location.origin
  const text = starTexts(item?.celebrities, m, currentBrand()?.shareText[language]).tweet
  const buttonClass = onFilm ? 'button button-film' : 'button'

  // The share sheet opens only right after a tap, so the picture is fetched ahead of it.
  useEffect(() => {
    if (!canSharePictures()) return
    let wanted = true
    void pictureFile(imageUrl).then((fetched) => {
      if (wanted) setFile(fetched)
    })
    return () => {
      wanted = false
    }
  }, [imageUrl])

  const download = async (): Promise<void> => {
    setError(null)
    try {
      await downloadPicture(item?.downloadUrl ?? imageUrl, downloadFileName(Date.now()))
    } catch (failure) {
      console.warn(failure)
      setError(m.downloadFailed)
    }
  }
  const share = async (): Promise<void> => {
    setError(null)
    const outcome = await shareOnX(text, link)
    if (outcome === 'opened') showNotice(fill(m.shareOpened, { host }))
    else if (outcome === 'copied') showNotice(fill(m.tweetCopied, { host }))
    else setError(fill(m.shareFailed, { host }))
  }
  const shareFile = async (): Promise<void> => {
    if (!file) return
    try {
      await shareNatively(file, text, link)
    } catch {
      setError(fill(m.shareFailed, { host }))
    }
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <button type="button" className="button button-main" onClick={() => void download()}>
          {m.downloadImage}
        </button>
        <button type="button" className={buttonClass} onClick={() => void share()}>
          {fill(m.shareOn, { host })}
        </button>
        {file ? (
          <button type="button" className={buttonClass} onClick={() => void shareFile()}>
            {m.sharePicture}
          </button>
        ) : null}
      </div>
      <p role="status" className="min-h-0 font-semibold empty:hidden">
        {notice}
      </p>
      <p
        role="alert"
        className={`font-semibold empty:hidden ${onFilm ? 'text-safelight' : 'text-red'}`}
      >
        {error}
      </p>
      <Suspense fallback={null}>
        <MoreActions
          imageUrl={imageUrl}
          item={item}
          text={text}
          link={link}
          buttonClass={buttonClass}
          onItem={onItem}
        />
      </Suspense>
    </div>
  )
}

async function pictureFile(imageUrl: string): Promise<File | null> {
  try {
    const response = await fetch(imageUrl)
    if (!response.ok) return null
    return new File([await response.blob()], 'celebrity-selfie.jpg', { type: 'image/jpeg' })
  } catch {
    return null
  }
}
