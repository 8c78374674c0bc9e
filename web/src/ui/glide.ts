import { flushSync } from 'react-dom'
import { wait } from './wait.ts'

/** It takes 200 on a machine that has the time. */
const flightMaxMs = 350

/** Lets the picture that `update` moves glide to its place, in browsers that can, also what a cache shows a task later; resolves once it has been called. */
export async function glide(update: () => void | Promise<void>): Promise<void> {
  const isAble = CSS.supports('selector(:active-view-transition)')
  if (!isAble || !matchMedia('(prefers-reduced-motion: no-preference)').matches) return update()
  const transition = document.startViewTransition(async () => {
    await flushSync(update)
    await wait(0)
  })
  // A busy machine would have it hang on its way. Where nobody looks it is skipped; the update comes all the same.
  const isOver = transition.ready.then(() => wait(flightMaxMs))
  void isOver.then(() => transition.skipTransition()).catch(() => undefined)
  await transition.updateCallbackDone
}
