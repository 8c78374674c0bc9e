import { Suspense, type ReactNode } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { referralLink } from '@starside/contract/referrals.ts'
import { linkInLanguage, shareNetwork } from '@starside/contract/sharing.ts'
import { useAuth } from '../auth/auth-context.ts'
import { fill } from '@starside/contract/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { currentBrand } from '../ui/brand.ts'
import { starTexts } from './star-texts.ts'
import { loadLater } from '../ui/load-later.ts'
import { usePictureSharing } from './use-picture-sharing.ts'

const MoreActions = loadLater(async () => (await import('./more-actions.tsx')).MoreActions)

interface PictureActionsProps {
  imageUrl: string
  /** Null while a restored picture's details are not known; then it can be saved but not linked. */
  item: GenerationItem | null
  onFilm: boolean
  onItem: (item: GenerationItem) => void
  /** What stands between both kinds of actions, and may come later without moving the first. */
  children?: ReactNode
}

/** Download, share on X, share with the device; at the end what is wanted less often. */
export function PictureActions(props: PictureActionsProps) {
  const { imageUrl, item, onFilm, onItem, children } = props
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const { user } = useAuth()
  const code = user?.referralCode
  const link = item?.shareUrl
    ? linkInLanguage(item.shareUrl, language)
    : code
      ? referralLink(location.origin, code)
      : location.origin
  const text = starTexts(item?.celebrities, m, currentBrand()?.shareText[language]).tweet
  const buttonClass = onFilm ? 'button button-film' : 'button'

  const { notice, error, download, share, shareFile } = usePictureSharing({
    imageUrl,
    downloadUrl: item?.downloadUrl ?? imageUrl,
    text,
    link,
  })
  return (
    <div className={`grid gap-3 ${onFilm ? 'pt-2' : ''}`}>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="button button-main" onClick={() => void download()}>
          {m.downloadImage}
        </button>
        <button type="button" className={buttonClass} onClick={() => void share()}>
          {fill(m.shareOn, { host: shareNetwork.name })}
        </button>
        {shareFile ? (
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
      {children}
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
