import { useEffect, useId, useRef, useState } from 'react'
import type { VerifyAnswer } from '@starside/contract/provenance.ts'
import { FormError } from '../ui/form-error.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useMessages } from '../ui/language.tsx'
import { askWhetherMadeHere } from './ask-whether-made-here.ts'
import { Verdict } from './verdict.tsx'

/** Finds out of a dropped or chosen picture whether it was made here. */
export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const m = useMessages('trust')
  const sentenceOf = useErrorSentence()
  const id = useId()
  const [name, setName] = useState<string | null>(null)
  const [answer, setAnswer] = useState<VerifyAnswer | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isOver, setIsOver] = useState(false)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const verify = async (file: File | undefined): Promise<void> => {
    if (!file) return
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    setName(file.name)
    setAnswer(null)
    setError(null)
    try {
      const found = await askWhetherMadeHere(file, abort.signal)
      if (!abort.signal.aborted) setAnswer(found)
    } catch (failure) {
      if (!abort.signal.aborted) setError(sentenceOf(failure, m.requestFailed))
    }
  }
  const isLooking = name !== null && answer === null && error === null
  return (
    <Dialog open onClose={onClose} labelledBy={id} className="max-w-xl">
      <div
        className="p-6"
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          void verify(event.dataTransfer.files[0])
        }}
      >
        <h2 id={id} className="display narrow text-4xl">
          {m.verifyTitle}
        </h2>
        <p className="mt-3">{m.verifyText}</p>
        <div
          className={`mt-5 flex flex-wrap items-center gap-4 border-2 border-dashed p-4 ${isOver ? 'border-red' : 'border-line'}`}
        >
          <label className="button cursor-pointer focus-within:outline-2">
            {name === null ? m.choosePicture : m.another}
            <input
              type="file"
              accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
              className="sr-only"
              onChange={(event) => {
                void verify(event.target.files?.[0])
                event.target.value = ''
              }}
            />
          </label>
          <span className="min-w-0 flex-1 truncate text-grey">{name ?? m.dropPicture}</span>
        </div>
        <FormError message={error} />
        <div role="status" aria-busy={isLooking} className="mt-5 empty:hidden">
          {isLooking ? <p className="font-semibold">{m.looking}</p> : null}
          {answer ? <Verdict answer={answer} /> : null}
        </div>
        <button type="button" className="button mt-6" onClick={onClose}>
          {m.close}
        </button>
      </div>
    </Dialog>
  )
}
