import { useId } from 'react'
import { FormError } from '../ui/form-error.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useMessages } from '../ui/language.tsx'
import { useFileDrop } from '../ui/use-file-drop.ts'
import { useVerification } from './use-verification.ts'
import { Verdict } from './verdict.tsx'

/** Finds out of a dropped or chosen picture whether it was made here. */
export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const m = useMessages('trust')
  const id = useId()
  const { name, answer, error, isLooking, verify } = useVerification()
  const { isOver, handlers } = useFileDrop(verify)
  return (
    <Dialog open onClose={onClose} labelledBy={id} className="max-w-xl">
      <div className="p-6" {...handlers}>
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
                const file = event.target.files?.[0]
                if (file) verify(file)
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
