import { flushSync } from 'react-dom'
import { wait } from './wait.ts'

const isMotionWanted = '(prefers-reduced-motion: no-preference)'
const selector = 'selector(:active-view-transition-type(any))'

type Update = () => void | Promise<void>

/** Lets what `update` moves glide there, all but a picture only on a desk, in browsers that can, also what a cache shows a task later; resolves once it has been called. */
export async function glide(what: 'studio' | 'gallery' | 'picture', update: Update): Promise<void> {
  const wanted = what === 'picture' ? isMotionWanted : `(width >= 80rem) and ${isMotionWanted}`
  if (!matchMedia(wanted).matches || !CSS.supports(selector)) return update()
  const { ready, updateCallbackDone } = document.startViewTransition({
    types: [what],
    update: async () => {
      await flushSync(update)
      await wait(0)
    },
  })
  // Skipped where nobody looks; the update comes all the same.
  ready.catch(() => undefined)
  await updateCallbackDone
}
