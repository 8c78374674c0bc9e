import type { VerifyAnswer } from '@starside/contract/provenance.ts'
import { fill } from '@starside/contract/fill.ts'
import { languageNames } from '@starside/contract/languages.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { PencilTick } from '../ui/pencil.tsx'

/** What was found out about a picture: the answer, what it rests on, and what the file claims. */
export function Verdict({ answer }: { answer: VerifyAnswer }) {
  const m = useMessages('trust')
  const { language } = useLanguage()
  const isOurs = answer.verdict === 'made_here'
  const day = new Intl.DateTimeFormat(languageNames[language].tag, {
    dateStyle: 'long',
    timeZone: 'UTC',
  })
  const sentence =
    answer.verdict === 'claims_to_be'
      ? m.claimsToBe
      : !isOurs
        ? m.unknown
        : answer.madeOn === null
          ? m.madeHere
          : fill(m.madeHereOn, { date: day.format(new Date(answer.madeOn)) })
  const grounds = { mark: m.byMark, fingerprint: m.byFingerprint, metadata: m.byMetadata }
  const { digitalSourceType, system, systemVersion, contentCredentials } = answer.metadata
  const claims = [
    [m.sourceType, digitalSourceType?.split('/').at(-1)],
    [m.system, [system, systemVersion].filter(Boolean).join(' ')],
    [m.credentials, contentCredentials ? m.present : undefined],
  ].filter((claim): claim is [string, string] => Boolean(claim[1]))
  return (
    <div className={`border-l-[10px] px-4 py-1 ${isOurs ? 'border-green' : 'border-line'}`}>
      <p className="flex gap-3 text-lg font-semibold">
        {isOurs ? <PencilTick className="mt-1 size-6 shrink-0" /> : null}
        {sentence}
      </p>
      {answer.removed ? <p className="mt-2 font-semibold text-red">{m.wasRemoved}</p> : null}
      <h3 className="mt-4 font-bold">{m.how}</h3>
      <ul className="mt-1">
        {answer.recognisedBy.map((ground) => (
          <li key={ground}>{grounds[ground]}</li>
        ))}
        {answer.recognisedBy.length === 0 ? <li>{m.notByAnything}</li> : null}
      </ul>
      <h3 className="mt-4 font-bold">{m.fileSays}</h3>
      {claims.length === 0 ? <p className="mt-1">{m.saysNothing}</p> : null}
      <dl className="mt-1 grid gap-x-4 text-[0.95rem] sm:grid-cols-[auto_1fr]">
        {claims.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-grey">{name}</dt>
            <dd className="mb-1 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
