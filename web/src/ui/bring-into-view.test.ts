import { afterEach, expect, it, vi } from 'vitest'
import { bringWorkIntoView } from './bring-into-view.ts'
import { glide } from './glide.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  document.body.replaceChildren()
  Reflect.deleteProperty(document, 'startViewTransition')
})

/** Whether this is a desk where motion is wanted. */
const standAt = (isDesk: boolean) => vi.stubGlobal('matchMedia', () => ({ matches: isDesk }))

it.each([
  [true, 'film-strip', 'strip'],
  [false, 'film-strip', 'work'],
  [true, 'page', 'work'],
])('on a desk (%s) work within a %s is shown from its %s on', (isDesk, className, shown) => {
  standAt(isDesk)
  const strip = document.body.appendChild(document.createElement('div'))
  strip.className = className
  const work = strip.appendChild(document.createElement('div'))
  const scrolled: string[] = []
  strip.scrollIntoView = () => void scrolled.push('strip')
  work.scrollIntoView = () => void scrolled.push('work')
  bringWorkIntoView(work)
  expect(scrolled).toEqual([shown])
})

/** Whether the browser knows view transitions. */
const browserThatCan = (isAble: boolean) => vi.stubGlobal('CSS', { supports: () => isAble })

it.each([
  ['without motion', false, true],
  ['in a browser that can’t', true, false],
])('%s nothing glides: the update comes at once', async (_where, isDesk, isAble) => {
  standAt(isDesk)
  browserThatCan(isAble)
  const start = vi.fn()
  Object.assign(document, { startViewTransition: start })
  const update = vi.fn()
  const done = glide(update)
  expect(update).toHaveBeenCalledOnce()
  await done
  expect(start).not.toHaveBeenCalled()
})

it('the update comes once the browser has taken what it changes, also where nothing then glides', async () => {
  standAt(true)
  browserThatCan(true)
  const taken = Promise.withResolvers<void>()
  const ready = Promise.reject(new DOMException('Nobody looks.', 'InvalidStateError'))
  const start = vi.fn((change: () => void) => ({
    ready,
    updateCallbackDone: taken.promise.then(change),
    skipTransition: vi.fn(),
  }))
  Object.assign(document, { startViewTransition: start })
  const update = vi.fn()
  const done = glide(update)
  expect(update).not.toHaveBeenCalled()
  taken.resolve()
  await done
  expect(update).toHaveBeenCalledOnce()
})
