import { flushSync } from 'react-dom'
import { wait } from './wait.ts'

/** Lets the picture that `update` moves glide to its place, in browsers that can, also what a cache shows a task later; resolves once it has been called. */
export async function glide(update: () => void | Promise<void>): Promise<void> {
  const isAble = CSS.supports('selector(:active-view-transition)')
  if (!isAble || !matchMedia('(prefers-reduced-motion: no-preference)').matches) return update()
  const { ready, updateCallbackDone } = document.startViewTransition(async () => {
    await flushSync(update)
    await wait(0)
  })
  // Skipped where nobody looks; the update comes all the same.
  ready.catch(() => undefined)
  await updateCallbackDone
}
