import { createElement, lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { wait } from './wait.ts'

/** Pauses before a part is asked for again while the browser believes to be connected. */
const retryPausesMs = [1_000, 4_000]

/** A page loaded when first shown: `Suspense` shows its fallback meanwhile, the error boundary what fails for good. */
export function loadLater<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): ComponentType<PropsOf<Module[Name]>> {
  return lazy(async () => {
    const loaded = await loadAgain(load)
    return { default: loaded[name] as ComponentType<PropsOf<Module[Name]>> }
  })
}

type PropsOf<View> = View extends (props: infer Props extends object) => ReactNode ? Props : object

/** A part of a page that is loaded so; `fallback` stands in its place alone. */
export function loadPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  fallback: ReactNode = null,
): ComponentType<PropsOf<Module[Name]>> {
  const Part = loadLater(load, name)
  return (props) => <Suspense fallback={fallback}>{createElement(Part, props)}</Suspense>
}

/** What `load` gives; asked for where there is a connection, as browsers keep how a module failed, and again after failed answers. */
export async function loadAgain<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const pauseMs of retryPausesMs) {
    if ('onLine' in navigator && !navigator.onLine) {
      await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
    }
    try {
      return await load()
    } catch {
      await wait(pauseMs)
    }
  }
  return await load()
}
