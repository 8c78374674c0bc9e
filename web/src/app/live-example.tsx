import personAvif320 from '../assets/example/person-320.avif'
import personAvif640 from '../assets/example/person-640.avif'
import personJpeg from '../assets/example/person-480.jpg'
import resultAvif480 from '../assets/example/result-480.avif'
import resultAvif960 from '../assets/example/result-960.avif'
import resultJpeg from '../assets/example/result-960.jpg'
import starAvif320 from '../assets/example/star-320.avif'
import starAvif640 from '../assets/example/star-640.avif'
import starJpeg from '../assets/example/star-480.jpg'
import { useMessages } from '../ui/language.tsx'
import { PencilFrame } from '../ui/pencil.tsx'
import { Sprockets } from '../ui/sprockets.tsx'

/** Addresses of the example pictures, AVIF first. */
export const examplePictures = {
  person: { avif: `${personAvif320} 320w, ${personAvif640} 640w`, jpeg: personJpeg },
  star: { avif: `${starAvif320} 320w, ${starAvif640} 640w`, jpeg: starJpeg },
  result: { avif: `${resultAvif480} 480w, ${resultAvif960} 960w`, jpeg: resultJpeg },
}
/** How wide the result stands in the strip; the document's head preloads it by the same rule. */
export const resultSizes = '(min-width: 64rem) 22rem, 44vw'
const frameSizes = '(min-width: 64rem) 13rem, 27vw'

interface ExamplePictureProps {
  picture: keyof typeof examplePictures
  alt: string
  sizes: string
  className?: string
  eager?: boolean
}

/** One of the example pictures, 4:5. */
export function ExamplePicture({
  picture,
  alt,
  sizes,
  className = '',
  eager,
}: ExamplePictureProps) {
  const { avif, jpeg } = examplePictures[picture]
  return (
    <picture>
      <source type="image/avif" srcSet={avif} sizes={sizes} />
      <img
        src={jpeg}
        alt={alt}
        width={480}
        height={600}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        fetchPriority={picture === 'result' && eager ? 'high' : 'auto'}
        className={`block aspect-4/5 h-auto w-full object-cover ${className}`}
      />
    </picture>
  )
}

/** Three frames on a strip of film: your photo, the star's, and the selfie made of them, circled. */
export function LiveExample() {
  const m = useMessages('shell')
  return (
    <section aria-labelledby="live-example" className="relative">
      <div className="on-film -mr-2 origin-left -rotate-[1.6deg] bg-film text-bone">
        <div className="edge-print flex items-center justify-between gap-4 px-3 py-1.5 text-amber sm:px-5">
          <h2 id="live-example">{m.liveExample}</h2>
          <span aria-hidden="true" className="hidden sm:inline">
            {m.filmName}
          </span>
          <span aria-hidden="true">12 · 12A · 13</span>
        </div>
        <Sprockets />
        <div className="grid grid-cols-[1fr_1fr_1.62fr] items-start gap-2 px-2 py-2 sm:gap-3 sm:px-4">
          <figure>
            <ExamplePicture eager picture="person" alt={m.yourPhotoAlt} sizes={frameSizes} />
            <Caption number="12" text={m.yourPhoto} />
            <Note text={m.noteYou} className="-rotate-6" />
          </figure>
          <figure>
            <ExamplePicture eager picture="star" alt={m.celebrityPhotoAlt} sizes={frameSizes} />
            <Caption number="12A" text={m.celebrityPhoto} />
            <Note text={m.noteStar} className="-rotate-3" />
          </figure>
          <figure>
            <div className="relative">
              <ExamplePicture eager picture="result" alt={m.aiResultAlt} sizes={resultSizes} />
              <PencilFrame className="-inset-1.5 h-[calc(100%+0.75rem)] w-[calc(100%+0.75rem)]" />
            </div>
            <Caption number="13" text={m.aiResult} />
          </figure>
        </div>
        <Sprockets />
        <div
          aria-hidden="true"
          className="edge-print flex justify-between gap-4 px-3 py-1.5 text-amber sm:px-5"
        >
          <span>{m.exposuresLeft}</span>
          <span className="hidden sm:inline">ISO 800</span>
          <span>400TX</span>
        </div>
      </div>
      <p
        aria-hidden="true"
        className="absolute -top-10 right-8 -rotate-6 font-hand text-4xl text-pencil sm:-top-13 sm:right-16 sm:text-5xl"
      >
        {m.thisOne}
      </p>
    </section>
  )
}

/** A word in grease pencil on the empty film; the captions say the same. */
function Note({ text, className }: { text: string; className: string }) {
  return (
    <p
      aria-hidden="true"
      className={`hidden pt-5 pl-3 font-hand text-3xl whitespace-nowrap text-safelight sm:block xl:text-4xl ${className}`}
    >
      {text}
    </p>
  )
}

function Caption({ number, text }: { number: string; text: string }) {
  return (
    <figcaption className="edge-print flex flex-wrap gap-x-2 pt-1.5">
      <span aria-hidden="true" className="text-amber">
        {number}
      </span>
      {text}
    </figcaption>
  )
}
