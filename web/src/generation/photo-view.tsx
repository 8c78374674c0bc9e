import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { EmptyFrame } from './frame.tsx'
import { chosenFaces } from './toggle-face.ts'
import { usePhotoAddress, type ChosenPhoto } from './use-photo.ts'

interface PhotoViewProps {
  photo: ChosenPhoto
  alt: string
  onChooseFace: (index: number) => void
}

/**
 * A chosen photo in its frame, filled around the face; a photo of several is shown whole, so that
 * each who can be in a picture can be picked.
 */
export function PhotoView({ photo, alt, onChooseFace }: PhotoViewProps) {
  const m = useMessages('dashboard')
  const { prepared, check } = photo
  const address = usePhotoAddress(photo)
  if (!prepared) {
    return (
      <EmptyFrame>
        <span role="status">{m.preparing}</span>
      </EmptyFrame>
    )
  }
  if (!prepared.readable) {
    return (
      <EmptyFrame>
        <span className="font-mono text-sm break-all">{prepared.file.name}</span>
        <br />
        {m.failedToLoadImage}
      </EmptyFrame>
    )
  }
  const chosen = chosenFaces(photo)
  const faces = check?.state === 'answered' ? check.answer.faces : []
  const size = { width: prepared.widthPx ?? undefined, height: prepared.heightPx ?? undefined }
  if (faces.length <= 1) {
    return (
      <img
        src={address ?? undefined}
        alt={alt}
        {...size}
        className="block aspect-4/5 h-auto w-full object-cover transition-[object-position] duration-300"
        style={{ objectPosition: facePosition(faces[0], size) }}
      />
    )
  }
  return (
    <div className="grid aspect-4/5 place-items-center overflow-hidden bg-black">
      <div className="relative max-h-full max-w-full">
        <img
          src={address ?? undefined}
          alt={alt}
          {...size}
          className="block h-auto max-h-full w-full object-contain"
        />
        {faces.map((face, index) => {
          const isChosen = chosen.includes(index)
          // The photo check says why.
          if (face.refusals.length > 0 && !isChosen) return null
          return (
            <button
              key={`${face.x} ${face.y}`}
              type="button"
              aria-label={fill(m.faceNumber, { number: index + 1 })}
              aria-pressed={isChosen}
              className={`absolute min-h-6 min-w-6 rounded-[50%] border-3 ${isChosen ? 'border-safelight' : 'border-dashed border-bone'}`}
              style={{
                left: percent(face.x),
                top: percent(face.y),
                width: percent(face.width),
                height: percent(face.height),
              }}
              onClick={() => onChooseFace(index)}
            >
              <span aria-hidden="true" className="stamp absolute -top-3 left-1/2 -translate-x-1/2">
                {index + 1}
              </span>
            </button>
          )
        })}
      </div>
    </div>
  )
}

const percent = (fraction: number): string => `${(fraction * 100).toFixed(2)}%`

/** Where the photo lies in its frame: around the found face, in the middle while none is known. */
function facePosition(
  face: FaceBox | undefined,
  { width, height }: { width: number | undefined; height: number | undefined },
): string {
  return face && width && height ? positionPhoto(face, width / height, 4 / 5) : '50% 40%'
}

/** A face's box in fractions of the upright photo's width and height. */
export interface FaceBox {
  x: number
  y: number
  width: number
  height: number
}

/**
 * The CSS `object-position` at which a photo that covers its frame (`object-fit: cover`) shows the
 * middle of a face as near to the frame's middle as its edges allow. Aspects are width over height.
 */
export function positionPhoto(face: FaceBox, photoAspect: number, frameAspect: number): string {
  const across = alongOneSide(face.x + face.width / 2, photoAspect / frameAspect)
  const down = alongOneSide(face.y + face.height / 2, frameAspect / photoAspect)
  return `${across}% ${down}%`
}

/** `photoLength` counts in lengths of the frame; a photo that fits has no room to be moved. */
function alongOneSide(faceMiddle: number, photoLength: number): number {
  if (photoLength <= 1) return 50
  const position = (0.5 - faceMiddle * photoLength) / (1 - photoLength)
  return Math.round(Math.min(1, Math.max(0, position)) * 100)
}
