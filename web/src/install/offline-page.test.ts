import { expect, it, vi } from 'vitest'
import template from '../../offline-template.html?raw'

it('the offline page asks for a connection while it is seen, and not in a hidden tab', () => {
  vi.useFakeTimers()
  const fetch = vi.fn(() => new Promise(() => undefined))
  vi.stubGlobal('fetch', fetch)
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const page = new DOMParser().parseFromString(template, 'text/html')
  document.body.innerHTML = '<section id="en"><button></button></section>'
  // oxlint-disable-next-line no-implied-eval -- The page's own program, which no test's document runs.
  new Function(page.scripts[0]!.text)()
  vi.advanceTimersByTime(9000)
  expect(fetch).not.toHaveBeenCalled()
  visibility.mockReturnValue('visible')
  vi.advanceTimersByTime(3000)
  expect(fetch).toHaveBeenCalledTimes(1)
  visibility.mockRestore()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
