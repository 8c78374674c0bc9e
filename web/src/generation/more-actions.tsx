import { createPortal } from 'react-dom'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { PublicLink } from '../sharing/public-link.tsx'
import { ShareDestinations } from '../sharing/share-destinations.tsx'
import { useMessages } from '../ui/language.tsx'

interface MoreActionsProps {
  imageUrl: string
  item: GenerationItem | null
  text: string
  link: string
  buttonClass: string
  onItem: (item: GenerationItem) => void
}

/** What is done with a picture less often: passing it on elsewhere, printing it, its public link. */
export function MoreActions(props: MoreActionsProps) {
  const m = useMessages('dashboard')
  const { imageUrl, item, text, link, buttonClass } = props
  return (
    <>
      <ShareDestinations text={text} link={link} />
      <p>
        <button type="button" className={buttonClass} onClick={() => print()}>
          {m.printPicture}
        </button>
      </p>
      {createPortal(<img src={imageUrl} alt="" className="print-picture" />, document.body)}
      {item ? <PublicLink item={item} buttonClass={buttonClass} onItem={props.onItem} /> : null}
    </>
  )
}
