import { fill, formatMessage } from '@starside/contract/fill.ts'
import { starTexts } from '../generation/star-texts.ts'
import { useGallery } from '../generation/use-gallery.ts'
import { amountText, findOrder } from '../orders/order-store.ts'
import { usePackageTitle } from '../orders/use-package-title.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { Pencil } from '../ui/pencil.tsx'

/** Which order came through and what it has changed: its credits, and the last selfie without a watermark. */
export function Bought({ orderId }: { orderId: string }) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const order = findOrder(orderId)
  const last = useGallery().items.find(({ imageUrl }) => imageUrl !== null)
  const title = usePackageTitle()(order?.packageType ?? '')
  const bought = formatMessage(m.bought, { title, credits: order?.credits ?? 0 }, language)
  const paid = order && fill(m.purchaseReason, { price: amountText(order, m.partAmount), orderId })
  const lines = paid ? [bought, m.watermarkRemoved] : [m.watermarkRemoved]
  return (
    <div className="mt-4 flex items-start gap-5 max-sm:flex-col-reverse">
      <ul className="grid grow gap-2 text-lg">
        {lines.map((line) => (
          <li key={line} className="flex items-center gap-3">
            <Pencil drawing="tick" draws className="w-7 shrink-0" />
            {line}
          </li>
        ))}
        {paid ? <li className="text-sm [overflow-wrap:anywhere]">{paid}</li> : null}
      </ul>
      {last && !last.watermarked ? (
        <img
          src={last.imageUrl ?? ''}
          alt={starTexts(last.celebrities, m).alt}
          width={last.widthPx ?? 1024}
          height={last.heightPx ?? 1280}
          className="block h-auto max-h-[40dvh] w-2/5 shrink-0 object-contain max-sm:max-h-[25dvh] max-sm:w-auto"
        />
      ) : null}
    </div>
  )
}
