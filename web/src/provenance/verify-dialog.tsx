import { useEffect, useEffectEvent, useState } from 'react'
import { Dialog, DialogTitle } from '../ui/dialog.tsx'
import { dateTimeText, useMessages, useLanguage, useErrorSentence } from '../ui/language.tsx'
import { useFileDrop } from '../ui/use-file-drop.ts'
import { FormError } from '../ui/form.tsx'
import type { VerifyAnswer } from '@starside/contract/provenance.ts'
import { call } from '../api/call.ts'
import { fill } from '@starside/contract/fill.ts'
import { Pencil } from '../ui/pencil.tsx'
import { Button } from '../ui/button.tsx'

/** Finds out of a dropped or chosen picture whether it was made here. */
export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const m = useMessages('trust')
  const [file, verify] = useState<File>()
  const { answer, error } = useFindings(file)
  const isLooking = file !== undefined && !answer && error === undefined
  const { isOver, handlers } = useFileDrop(verify)
  return (
    <Dialog onClose={onClose} className="max-w-xl">
      <div className="p-6" {...handlers}>
        <DialogTitle>{m.verifyTitle}</DialogTitle>
        <p className="mt-3">{m.verifyText}</p>
        <div
          className={`mt-5 flex flex-wrap items-center gap-4 border-2 border-dashed p-4 ${isOver ? 'border-red' : 'border-line'}`}
        >
          <label className="button cursor-pointer focus-within:outline-2">
            {file ? m.another : m.choosePicture}
            <input
              type="file"
              accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
              className="sr-only"
              onChange={({ target }) => {
                if (target.files?.[0]) verify(target.files[0])
                target.value = ''
              }}
            />
          </label>
          <span className="min-w-0 flex-1 text-grey [overflow-wrap:anywhere]">
            {file?.name ?? m.dropPicture}
          </span>
        </div>
        <FormError message={error ?? null} />
        <div role="status" aria-busy={isLooking} className="mt-5 empty:hidden">
          {isLooking ? <p className="font-semibold">{m.looking}</p> : null}
          {answer ? <Verdict answer={answer} /> : null}
        </div>
        <Button className="mt-6" onClick={onClose}>
          {m.close}
        </Button>
      </div>
    </Dialog>
  )
}

type Findings = { of?: File; answer?: VerifyAnswer; error?: string }

/** What is found out about a picture, or why nothing is; empty while it is looked at. */
function useFindings(file: File | undefined): Findings {
  const m = useMessages('trust')
  const sentenceOf = useErrorSentence()
  const [found, setFound] = useState<Findings>({})
  const look = useEffectEvent((of: File, signal: AbortSignal): void => {
    // As it is, since its metadata and its pixels are both looked at.
    const body = new FormData()
    body.set('picture', of)
    call('POST /api/verify', { body, signal }).then(
      (answer) => signal.aborted || setFound({ of, answer }),
      (failure: unknown) =>
        signal.aborted || setFound({ of, error: sentenceOf(failure, m.requestFailed) }),
    )
  })
  useEffect(() => {
    const end = new AbortController()
    if (file) look(file, end.signal)
    return () => end.abort()
  }, [file])
  return found.of === file ? found : {}
}

/** What was found out about a picture: the answer, what it rests on, and what the file claims. */
export function Verdict({ answer }: { answer: VerifyAnswer }) {
  const m = useMessages('trust')
  const { language } = useLanguage()
  const isOurs = answer.verdict === 'made_here'
  const { madeOn } = answer
  const date = madeOn && dateTimeText(madeOn, language, { dateStyle: 'long', timeZone: 'UTC' })
  const made_here = date ? fill(m.madeHereOn, { date }) : m.madeHere
  const sentences = { made_here, claims_to_be: m.claimsToBe, unknown: m.unknown }
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
        {isOurs ? <Pencil drawing="tick" className="mt-1 size-6 shrink-0" /> : null}
        {sentences[answer.verdict]}
      </p>
      {answer.removed ? <p className="mt-2 font-semibold text-danger">{m.wasRemoved}</p> : null}
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
