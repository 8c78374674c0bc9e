import { formatMessage } from '@starside/contract/fill.ts'
import { useAuth } from '../auth/auth-context.ts'
import { starTexts } from '../generation/star-texts.ts'
import { useGallery } from '../generation/use-gallery.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { Pencil } from '../ui/pencil.tsx'

/** What a purchase has changed: the credits, no watermark any more, and the last selfie without it. */
export function Bought() {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const { user } = useAuth()
  const last = useGallery().items.find(({ imageUrl }) => imageUrl !== null)
  const count = user?.creditsBalance ?? m.creditsUnknown
  return (
    <div className="mt-4 flex items-start gap-5">
      <ul className="grid grow gap-2 text-lg">
        {[formatMessage(m.creditCount, { count }, language), m.watermarkRemoved].map((line) => (
          <li key={line} className="flex items-center gap-3">
            <Pencil drawing="tick" draws className="w-7 shrink-0" />
            {line}
          </li>
        ))}
      </ul>
      {last && !last.watermarked ? (
        <img
          src={last.imageUrl ?? ''}
          alt={starTexts(last.celebrities, m).alt}
          width={last.widthPx ?? 1024}
          height={last.heightPx ?? 1280}
          className="block h-auto max-h-[40dvh] w-1/2 shrink-0 object-contain"
        />
      ) : null}
    </div>
  )
}
