import type { ReactNode } from 'react'
import type { PrintQueueAnswer } from '@starside/contract/events.ts'

type ListedPicture = Pick<PrintQueueAnswer['prints'][number], 'imageUrl' | 'widthPx' | 'heightPx'>

interface PictureListProps<Picture> {
  label: string
  pictures: readonly Picture[]
  keyOf: (picture: Picture) => string
  altOf: (picture: Picture) => string
  children: (picture: Picture) => ReactNode
}

/** Pictures of guests for the team, side by side; nothing where there are none. */
export function PictureList<Picture extends ListedPicture>(
  props: PictureListProps<Picture>,
): ReactNode {
  const { label, pictures } = props
  if (pictures.length === 0) return null
  return (
    <section aria-label={label} className="grid gap-3">
      <h2 className="text-xl font-semibold">{label}</h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-6">
        {pictures.map((picture) => (
          <li key={props.keyOf(picture)} className="grid content-start gap-2">
            <img
              src={picture.imageUrl}
              alt={props.altOf(picture)}
              width={picture.widthPx}
              height={picture.heightPx}
              loading="lazy"
              className="block h-auto w-full"
            />
            {props.children(picture)}
          </li>
        ))}
      </ul>
    </section>
  )
}
