import { BeforeAfter } from '../ui/before-after.tsx'
import { ExampleImage } from '../ui/example-image.tsx'
import { exampleNames, heroExample } from '../ui/example-list.ts'
import { useMessages } from '../ui/language.tsx'

const resultSizes = '(min-width: 48rem) 30vw, 92vw'

const others = exampleNames.filter((name) => name !== heroExample)

/** The other examples: each result over its person's photo, with both photos beside it. */
export function MoreResults() {
  const m = useMessages('shell')
  return (
    <section aria-labelledby="results" className="mx-auto max-w-[100rem] px-4 sm:px-8 lg:px-12">
      <h2 id="results" className="edge-print rule pt-3 text-sm">
        {m.resultsHeading}
      </h2>
      <ul className="grid gap-x-6 gap-y-10 pt-8 md:grid-cols-3 lg:gap-x-10">
        {others.map((name) => (
          <li key={name}>
            <BeforeAfter
              before={<ExampleImage folder={name} kind="you" alt="" sizes={resultSizes} />}
              after={
                <ExampleImage
                  folder={name}
                  kind="result"
                  alt={m.exampleAlts[name]}
                  sizes={resultSizes}
                />
              }
            />
            <div className="mt-3 grid grid-cols-[4rem_auto_4rem] items-center justify-start gap-3">
              <ExampleImage folder={name} kind="you" alt={m.yourPhoto} sizes="4rem" />
              <span aria-hidden="true" className="font-hand text-3xl text-pencil">
                +
              </span>
              <ExampleImage folder={name} kind="star" alt={m.celebrityPhoto} sizes="4rem" />
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-8 mb-20 text-sm text-grey">{m.exampleNote}</p>
    </section>
  )
}
