import { ExampleImage } from '../ui/example-image.tsx'
import { heroExample } from '../ui/example-list.ts'
import { useMessages } from '../ui/language.tsx'
import { PencilTick } from '../ui/pencil.tsx'

/** Three short promises, each beside a detail of the example's pictures. */
export function Blurbs() {
  const m = useMessages('shell')
  return (
    <section aria-labelledby="how" className="mx-auto max-w-[100rem] px-4 sm:px-8 lg:px-12">
      <h2 id="how" className="edge-print rule flex justify-between pt-3 text-sm">
        {m.howHeading}
        <span aria-hidden="true">1 → 3</span>
      </h2>
      <div className="grid gap-y-14 pt-10 pb-24 md:grid-cols-3 md:gap-x-10 lg:gap-x-16">
        <article>
          <div className="relative mb-6 flex h-56 items-end gap-3" aria-hidden="true">
            <div className="w-28 bg-film p-1.5 pb-5">
              <ExampleImage folder={heroExample} kind="you" alt="" sizes="7rem" />
            </div>
            <div className="w-28 bg-film p-1.5 pb-5">
              <ExampleImage folder={heroExample} kind="star" alt="" sizes="7rem" />
            </div>
            <PencilTick className="absolute bottom-1 left-20 w-16" />
            <PencilTick className="absolute bottom-1 left-52 w-16" />
          </div>
          <h3 className="display narrow text-4xl">{m.easyTitle}</h3>
          <p className="mt-3 max-w-sm">{m.easyText}</p>
        </article>
        <article>
          <div className="relative mb-6 h-56">
            <div className="size-56 overflow-hidden rounded-full border-[7px] border-film outline-2 outline-line">
              <ExampleImage
                folder="hair"
                kind="detail"
                alt={m.loupeAlt}
                sizes="14rem"
                className="h-full"
              />
            </div>
          </div>
          <h3 className="display narrow text-4xl">{m.qualityTitle}</h3>
          <p className="mt-3 max-w-sm">{m.qualityText}</p>
        </article>
        <article>
          <div className="mb-6 flex h-56 items-end" aria-hidden="true">
            <div className="relative w-40 rotate-3 bg-bone p-2 pb-8 outline outline-line">
              <ExampleImage folder={heroExample} kind="result" alt="" sizes="10rem" />
              <span className="stamp absolute right-2 bottom-1.5">{m.badgeAi}</span>
            </div>
            <span className="mb-6 ml-8 -rotate-6 font-hand text-4xl text-pencil">{m.atYou}</span>
          </div>
          <h3 className="display narrow text-4xl">{m.shareTitle}</h3>
          <p className="mt-3 max-w-sm">{m.shareText}</p>
        </article>
      </div>
    </section>
  )
}
