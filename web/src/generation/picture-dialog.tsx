import { useId } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { dateTimeText } from '../ui/date-text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { PictureActions } from './picture-actions.tsx'
import { starTexts } from './star-texts.ts'
import { VariationStrip } from './variation-strip.tsx'

interface PictureDialogProps {
  item: GenerationItem | null
  onClose: () => void
  onDelete: (item: GenerationItem) => void
  onItem: (item: GenerationItem) => void
}

/** One finished picture of the gallery, large, with everything that can be done with it. */
export function PictureDialog({ item, onClose, onDelete, onItem }: PictureDialogProps) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const id = useId()
  return (
    <Dialog open={item !== null} onClose={onClose} labelledBy={id} className="max-w-5xl">
      {item?.imageUrl ? (
        <div className="grid md:grid-cols-[3fr_2fr]">
          <div className="bg-film p-3 sm:p-5">
            {/* Stays in sight while what can be done with it is scrolled. */}
            <div className="relative mx-auto w-fit md:sticky md:top-5">
              <img
                src={item.imageUrl}
                alt={starTexts(item.celebrities, m).alt}
                width={item.widthPx ?? 1024}
                height={item.heightPx ?? 1280}
                className="block h-auto max-h-[75dvh] w-auto max-w-full md:max-h-[calc(100dvh-5rem)]"
              />
              <span className="stamp absolute top-2 left-2">{m.badgeAi}</span>
            </div>
          </div>
          <div className="flex flex-col p-5 sm:p-6">
            <h2 id={id} className="display narrow text-4xl">
              {starTexts(item.celebrities, m).title}
            </h2>
            <p className="edge-print mt-3 text-grey">
              {dateTimeText(item.createdAt, language)}
              {' · '}
              {item.watermarked ? m.withWatermark : m.withoutWatermark}
            </p>
            <p className="mt-2 mb-5 text-[0.95rem]">{m.aiLabel}</p>
            <PictureActions onFilm={false} imageUrl={item.imageUrl} item={item} onItem={onItem}>
              {item.variations.length > 0 || item.hasBackgroundPhoto ? (
                <VariationStrip item={item} buttonClass="button" onItem={onItem} />
              ) : null}
            </PictureActions>
            <div className="mt-auto flex flex-wrap gap-2 pt-8">
              <button type="button" className="button" onClick={onClose}>
                {m.close}
              </button>
              <button type="button" className="button button-danger" onClick={() => onDelete(item)}>
                {m.deletePicture}
              </button>
            </div>
          </div>
        </div>
      ) : null}
    </Dialog>
  )
}
