import { useEffect, useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { PrintFormat } from '@starside/contract/event-formats.ts'
import type { EventItem } from '@starside/contract/events.ts'
import type { QueuedPrint } from './prints-page.tsx'

/** How many pictures are on a sheet: a strip has four, and two strips are cut out of one sheet. */
const cells: Record<PrintFormat, number> = { '10x15': 1, strip: 8, square: 1 }

interface PrintSheetProps {
  event: EventItem
  print: QueuedPrint
  /** Called once the browser's print dialog has closed. */
  onPrinted: () => void
}

/**
 * What the printer gets instead of the page: the picture in the size of its
 * paper, which `print-sheet.css` sets. The dialog opens by itself once the pictures are there.
 */
export function PrintSheet({ event, print, onPrinted }: PrintSheetProps) {
  const versions = [print.imageUrl, ...print.furtherUrls]
  const sheet = useRef<HTMLDivElement>(null)
  const report = useEffectEvent(onPrinted)
  useEffect(() => {
    let isWanted = true
    const pictures = [...(sheet.current?.querySelectorAll('img') ?? [])]
    void Promise.allSettled(pictures.map((picture) => picture.decode())).then(() => {
      if (!isWanted) return
      window.print()
      report()
    })
    return () => {
      isWanted = false
    }
  }, [])
  return createPortal(
    <div ref={sheet} className={`print-sheet print-${print.format}`} aria-hidden="true">
      {Array.from({ length: cells[print.format] }, (_, index) => (
        <div key={index} className="print-cell">
          {/* Side by side on both strips, so that each has all versions. */}
          <img src={versions[Math.floor(index / 2) % versions.length]} alt="" />
        </div>
      ))}
      <p>{event.title}</p>
      {print.format === 'strip' ? <p>{event.title}</p> : null}
    </div>,
    document.body,
  )
}
