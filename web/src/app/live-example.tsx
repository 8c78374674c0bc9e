import type { ReactNode } from 'react'
import { BeforeAfter } from '../ui/before-after.tsx'
import { ExampleImage } from '../ui/example-image.tsx'
import { heroExample } from '../ui/example-list.ts'
import { useMessages } from '../ui/language.tsx'
import { PencilFrame } from '../ui/pencil.tsx'
import { Sprockets } from '../ui/sprockets.tsx'

/** How wide the result stands in the strip; the document's head preloads it by the same rule. */
export const resultSizes = '(min-width: 64rem) 22rem, 92vw'
const frameSizes = '(min-width: 64rem) 13rem, 44vw'

/** Three frames on a strip of film: your photo, the star's, and the selfie made of them. */
export function LiveExample() {
  const m = useMessages('shell')
  return (
    <section aria-labelledby="live-example" className="relative">
      <div className="on-film bg-film text-bone sm:-mr-2 sm:origin-left sm:-rotate-[1.6deg]">
        <div className="edge-print flex items-center justify-between gap-4 px-3 py-1.5 text-amber sm:px-5">
          <h2 id="live-example">{m.liveExample}</h2>
          <span aria-hidden="true">{m.freeSelfie}</span>
        </div>
        <Sprockets />
        <div className="grid grid-cols-2 items-start gap-3 p-4 sm:grid-cols-[1fr_1fr_1.62fr] sm:px-4 sm:py-2">
          <PhotoFrame kind="you" alt={m.yourPhoto}>
            <Note text={m.noteYou} className="-rotate-6" />
          </PhotoFrame>
          <PhotoFrame kind="star" alt={m.celebrityPhoto}>
            <Note text={m.noteStar} className="-rotate-3" />
          </PhotoFrame>
          <figure className="max-sm:order-first max-sm:col-span-2">
            <div className="relative">
              <BeforeAfter
                before={
                  <ExampleImage eager folder={heroExample} kind="you" alt="" sizes={resultSizes} />
                }
                after={
                  <ExampleImage
                    eager="high"
                    folder={heroExample}
                    kind="result"
                    alt={m.exampleAlts[heroExample]}
                    sizes={resultSizes}
                  />
                }
              />
              <PencilFrame className="-inset-1.5 h-[calc(100%+0.75rem)] w-[calc(100%+0.75rem)]" />
            </div>
            <div className="pt-1.5">
              <Caption text={m.aiResult} />
            </div>
          </figure>
        </div>
        <Sprockets />
      </div>
      <p
        aria-hidden="true"
        className="absolute -top-13 right-16 hidden -rotate-6 font-hand text-5xl text-pencil sm:block"
      >
        {m.thisOne}
      </p>
    </section>
  )
}

interface PhotoFrameProps {
  kind: 'you' | 'star'
  alt: string
  children: ReactNode
}

/** One of the two photos, with a note below. */
function PhotoFrame({ kind, alt, children }: PhotoFrameProps) {
  return (
    <figure>
      <ExampleImage eager folder={heroExample} kind={kind} alt={alt} sizes={frameSizes} />
      <Caption text={alt} />
      {children}
    </figure>
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

function Caption({ text }: { text: string }) {
  return <figcaption className="edge-print pt-1.5">{text}</figcaption>
}
