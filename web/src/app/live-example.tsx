import { useState, type ReactNode } from 'react'
import { fill } from '@starside/contract/fill.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import { usePublicSettings } from '../api/use-public-settings.ts'
import { useAuth } from '../auth/auth-context.ts'
import { rememberTriedStar } from '../generation/selfie-draft.ts'
import { ExampleImage } from '../ui/example-image.tsx'
import { firstPair, pairFolder, sampleFaces, sampleStars } from '../ui/example-list.ts'
import type { SamplePair } from '../ui/example-list.ts'
import { useMessages } from '../ui/language.tsx'
import { loadPart } from '../ui/load-later.tsx'
import { Pencil } from '../ui/pencil.tsx'

const OwnFace = loadPart(() => import('./own-face.tsx'), 'OwnFace')

/** How wide the result stands; the document's head preloads it by the same rule. */
export const resultSizes = '(min-width: 64rem) 40rem, (min-width: 48rem) 55vw, 92vw'

/** What was chosen last, for whoever comes back from another page. */
let lastPair: SamplePair = firstPair

/** Sample faces and stars to choose from, and the selfie of the two, which was made before. */
export function LiveExample() {
  const m = useMessages('shell')
  const { isAuthenticated } = useAuth()
  const [pair, setPair] = useState(lastPair)
  /** What was chosen before the page was hydrated told React of no change: it is read once then. */
  const readChoices = (choices: HTMLElement | null): void => {
    const checked = [...(choices?.querySelectorAll<HTMLInputElement>(':checked') ?? [])]
    const isChecked = (name: string) => checked.some(({ value }) => value === name)
    const next: SamplePair = {
      face: sampleFaces.find(isChecked) ?? pair.face,
      star: keysOf(sampleStars).find(isChecked) ?? pair.star,
    }
    if (pairFolder(next) === pairFolder(pair)) return
    // Who is signed in has a star in the studio already.
    if (next.star !== pair.star && !isAuthenticated) rememberTriedStar(next.star)
    lastPair = next
    setPair(next)
  }
  const [own, setOwn] = useState<File | null>(null)
  /** As with the choices, one from before is read once the page is hydrated. */
  const bringFace = (field: HTMLInputElement | null): void => {
    const [photo] = field?.files ?? []
    if (!field || !photo) return
    // So that the same one can be chosen again by whoever comes back.
    field.value = ''
    const sample = document.querySelector<HTMLInputElement>('[name=face]:checked')
    if (sample) sample.checked = false
    setOwn(photo)
  }
  return (
    <section
      aria-labelledby="live-example"
      className="grid gap-x-8 gap-y-5 md:grid-cols-[3fr_2fr] lg:contents"
    >
      <ExamplePictures pair={pair} />
      <div
        ref={readChoices}
        className="grid content-start gap-3 lg:col-start-1 lg:gap-2"
        onChange={(event) => readChoices(event.currentTarget)}
      >
        <h2 id="live-example" className="display narrow text-3xl">
          {m.liveExample}
        </h2>
        <Choices
          name="face"
          legend={m.pickFace}
          chosen={pair.face}
          labels={sampleFaces.map((face, n) => [face, fill(m.sampleFace, { number: n + 1 })])}
          onPicked={() => setOwn(null)}
        >
          <label className="button w-32 shrink-0 cursor-pointer px-2 text-balance has-focus-visible:outline-3 has-focus-visible:outline-offset-3 outline-red md:col-span-2 md:w-auto">
            {m.useOwnFace}
            <input
              type="file"
              accept="image/*"
              className="sr-only"
              ref={bringFace}
              onChange={(event) => bringFace(event.currentTarget)}
            />
          </label>
        </Choices>
        {own ? <OwnFace file={own} star={pair.star} /> : null}
        {isAuthenticated ? null : <p className="text-sm text-grey">{m.ownFaceNote}</p>}
        <Choices
          name="star"
          legend={m.pickStar}
          chosen={pair.star}
          labels={Object.entries(sampleStars)}
        />
        <p className={`text-sm text-grey ${own ? 'invisible' : ''}`}>{m.exampleNote}</p>
      </div>
    </section>
  )
}

/** The selfie of the two, with the mark of a free one; on its corner small prints of their photos, or of a visitor's own. */
function ExamplePictures({ pair }: { pair: SamplePair }) {
  const m = useMessages('shell')
  const markText = usePublicSettings()?.markText
  const [[shown, before], setShown] = useState<readonly SamplePair[]>([pair])
  if (shown !== pair) setShown([pair, shown ?? pair])
  const pairs = before ? [before, pair] : [pair]
  const alt = fill(m.exampleAlt, { star: sampleStars[pair.star] })
  const prints = [
    { id: 'own-photo', folder: pair.face, text: m.yourPhoto, turn: '-rotate-3' },
    { id: 'star-photo', folder: pair.star, text: m.celebrityPhoto, turn: 'rotate-2' },
  ]
  return (
    <div className="relative self-start stays-in-sight lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:w-full lg:max-w-[min(40rem,(100dvh-8rem)*0.8)] lg:justify-self-end">
      <figure className="first-selfie relative aspect-4/5 text-bone [container-type:inline-size]">
        {pairs.map((one) => (
          <ExampleImage
            key={pairFolder(one)}
            eager="high"
            folder={pairFolder(one)}
            kind={pairFolder(one) === pairFolder(firstPair) ? 'first' : 'result'}
            alt={one === pair ? alt : ''}
            sizes={resultSizes}
            // The one before stays below until the next has come over it.
            className={one === before ? 'absolute inset-0' : `relative ${before ? 'appears' : ''}`}
          />
        ))}
        <div id="own-way" />
        <Pencil drawing="frame" draws className="-inset-1.5 size-[calc(100%+0.75rem)]" />
        <figcaption className="stamp absolute top-3 right-3">{m.aiResult}</figcaption>
        <span aria-hidden="true" className="brand-mark empty:hidden">
          {markText}
        </span>
      </figure>
      <div className="prints absolute bottom-0.5 left-2 flex items-end gap-2 sm:left-4">
        {prints.map(({ id, folder, text, turn }) => (
          <figure
            key={id}
            className={`w-24 bg-bone p-1 text-film shadow outline outline-line sm:w-28 ${turn}`}
          >
            <div id={id} />
            <ExampleImage eager folder={folder} kind="portrait" alt={text} sizes="7rem" />
            <figcaption aria-hidden="true" className="pt-1 text-center text-xs sm:text-sm">
              {text}
            </figcaption>
          </figure>
        ))}
      </div>
    </div>
  )
}

interface ChoicesProps {
  name: string
  legend: string
  chosen: string
  labels: readonly (readonly [folder: string, label: string])[]
  onPicked?: () => void
  /** Stands before them. */
  children?: ReactNode
}

function Choices({ name, legend, chosen, labels, onPicked, children }: ChoicesProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-semibold">{legend}</legend>
      <div className="-m-1 flex gap-1.5 overflow-x-auto p-1 md:grid md:grid-cols-4 lg:grid-cols-8">
        {children}
        {labels.map(([value, label]) => (
          <label
            key={value}
            className="relative w-16 shrink-0 cursor-pointer outline-red has-checked:outline-3 has-focus-visible:outline-3 has-focus-visible:outline-offset-3 md:w-auto"
          >
            <input
              type="radio"
              autoComplete="off"
              name={name}
              value={value}
              defaultChecked={value === chosen}
              onChange={onPicked}
              className="sr-only"
            />
            <ExampleImage folder={value} kind="portrait" alt={label} sizes="6rem" />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
