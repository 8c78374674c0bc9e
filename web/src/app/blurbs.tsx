import type { ReactNode } from 'react'
import { ExampleImage } from '../ui/example-image.tsx'
import { firstPair, pairFolder } from '../ui/example-list.ts'
import { useMessages } from '../ui/language.tsx'

/** Three short promises, each beside a picture; in rows on a phone. */
export function Blurbs() {
  const m = useMessages('shell')
  return (
    <section aria-labelledby="how" className="page-width">
      <h2 id="how" className="edge-print rule pt-3 text-sm">
        {m.howHeading}
      </h2>
      <div className="grid gap-6 pt-6 pb-12 lg:grid-cols-3 lg:gap-16 lg:pt-8 lg:pb-20">
        <Blurb title={m.easyTitle} text={m.easyText}>
          <div aria-hidden="true" className="bg-film p-1.5 pb-4">
            <ExampleImage folder={firstPair.face} kind="portrait" alt="" sizes="10rem" />
          </div>
        </Blurb>
        <Blurb title={m.qualityTitle} text={m.qualityText}>
          <div className="aspect-square overflow-hidden rounded-full border-4 border-film outline-2 outline-line">
            <ExampleImage
              folder="hair"
              kind="detail"
              alt={m.loupeAlt}
              sizes="10rem"
              className="h-full"
            />
          </div>
        </Blurb>
        <Blurb title={m.shareTitle} text={m.shareText}>
          <div
            aria-hidden="true"
            className="relative rotate-3 bg-bone p-1.5 pb-6 outline outline-line"
          >
            <ExampleImage folder={pairFolder(firstPair)} kind="first" alt="" sizes="10rem" />
            <span className="stamp absolute right-1.5 bottom-0.5">{m.badgeAi}</span>
          </div>
        </Blurb>
      </div>
    </section>
  )
}

function Blurb(props: { title: string; text: string; children: ReactNode }) {
  return (
    <article className="grid grid-cols-[5rem_1fr] items-start gap-4 lg:grid-cols-[10rem_1fr] lg:gap-6">
      {props.children}
      <div>
        <h3 className="display narrow text-3xl lg:text-4xl">{props.title}</h3>
        <p className="mt-2 max-w-sm">{props.text}</p>
      </div>
    </article>
  )
}
