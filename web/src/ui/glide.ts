import { flushSync } from 'react-dom'
import { wait } from './wait.ts'

const isWanted = '(width >= 80rem) and (prefers-reduced-motion: no-preference)'

/** Lets what `update` moves glide there on a desk, in browsers that can, also what a cache shows a task later; resolves once it has been called. */
export async function glide(update: () => void): Promise<void> {
  if (!matchMedia(isWanted).matches || !('startViewTransition' in document)) return update()
  const { ready, updateCallbackDone } = document.startViewTransition(async () => {
    flushSync(update)
    await wait(0)
  })
  // Skipped where nobody looks; the update comes all the same.
  ready.catch(() => undefined)
  await updateCallbackDone
}
