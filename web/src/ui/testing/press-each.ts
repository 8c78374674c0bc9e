import { act, cleanup, fireEvent } from '@testing-library/react'
import { vi } from 'vitest'
import { changesOf, outline } from './outline.ts'

/** What happened since it was begun, in order, for a test to compare as a whole. */
export const happened: string[] = []

/** A callback that only notes how it was called. */
export const noted =
  (name: string) =>
  (...values: unknown[]): void =>
    void happened.push(`${name}(${values.map(textOf).join(', ')})`)

/** The same for one that is waited for. */
export const notedLater = (name: string) => {
  const note = noted(name)
  return async (...values: unknown[]): Promise<void> => note(...values)
}

function textOf(value: unknown): string {
  if (value instanceof File) return `file ${value.name}`
  if (typeof value === 'function') return 'function'
  // An event, or part of the page.
  if (
    typeof value === 'object' &&
    value !== null &&
    ('nativeEvent' in value || value instanceof Node)
  ) {
    return '…'
  }
  return JSON.stringify(value) ?? 'undefined'
}

function bodyOf(body: unknown): string {
  if (!(body instanceof FormData)) return typeof body === 'string' ? body : ''
  return [...body]
    .map(([name, value]) => `${name}=${value instanceof File ? value.name : value}`)
    .join('&')
}

/** What the server answers: JSON by the method and the address, a status, or nothing at all. */
export type Answers = Record<string, object | number>

/**
 * Notes each request, and answers those of the list; what is not in it waits until it is aborted. The
 * time limit of one that was answered ends in a later test, and is nothing that happened there.
 */
export function answerRequests(answers: Answers = {}): void {
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const line = `${init.method ?? 'GET'} ${address}`
    const flags = init.keepalive ? ' (keepalive)' : ''
    happened.push(`${line} ${bodyOf(init.body)}`.trimEnd() + flags)
    const answer = answers[line]
    if (answer === undefined) {
      init.signal?.addEventListener('abort', () => happened.push(`aborted ${line}`))
      return new Promise(() => undefined)
    }
    return typeof answer === 'number'
      ? Response.json({ success: false }, { status: answer })
      : Response.json(answer)
  })
}

/**
 * Stops all clocks, so that what a part does after a pause is not done meanwhile on a slow machine. Ends with
 * `vi.useRealTimers`.
 */
export const stopTime = (now: number): void =>
  void vi.useFakeTimers({
    now,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  })

const { setTimeout: waitInTruth } = globalThis

/** Lets what was asked for come, and be shown. */
export const settle = () =>
  act(async () => {
    const nowMs = Date.now()
    for (let turn = 0; turn < 3; turn += 1) {
      // Parts of a page whose program comes later.
      await vi.dynamicImportSettled()
      if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(1)
      await new Promise((done) => {
        waitInTruth(done)
      })
    }
    if (vi.isFakeTimers()) vi.setSystemTime(nowMs)
  })

const controls = 'button, a[href], input, select, textarea'

/** What somebody does with a control: presses it, or fills it in; a form is filled in before it is sent. */
function operate(control: Element): void {
  if (control instanceof HTMLButtonElement && control.type === 'submit') {
    for (const field of control.form?.elements ?? []) {
      if (field instanceof HTMLInputElement && field.type === 'email') {
        fireEvent.change(field, { target: { value: 'ada@example.test' } })
      } else if (!(field instanceof HTMLButtonElement)) operate(field)
    }
    return void fireEvent.click(control)
  }
  if (control instanceof HTMLSelectElement) {
    fireEvent.change(control, {
      target: { value: control.options[control.options.length - 1]?.value },
    })
  } else if (control instanceof HTMLTextAreaElement) {
    fireEvent.change(control, { target: { value: 'words1234' } })
  } else if (control instanceof HTMLInputElement) {
    if (control.type === 'radio' || control.type === 'checkbox')
      return void fireEvent.click(control)
    if (control.type === 'file') {
      const files = [new File(['x'], 'chosen.jpg', { type: 'image/jpeg' })]
      return void fireEvent.change(control, { target: { files } })
    }
    fireEvent.change(control, {
      target: { value: control.type === 'range' ? control.max : 'words1234' },
    })
  } else fireEvent.click(control)
}

function nameOf(control: Element): string {
  const label = control.getAttribute('aria-label') ?? control.closest('label')?.textContent
  const words = label ?? control.textContent ?? ''
  const alt = control.querySelector('img')?.getAttribute('alt') ?? ''
  const own =
    control.id === '' ? null : document.querySelector(`label[for="${CSS.escape(control.id)}"]`)
  const name = own?.textContent ?? (words.trim() || alt)
  return `${control.tagName.toLowerCase()} ${name.slice(0, 60)}`
}

/** Of a row of many pictures to choose from these stand for the rest. */
const sampled = new Set(['face-2', 'amara-okwenna', 'beach-dusk', 'photo', '9:16', 'warm'])
const standsForOthers = (control: Element): boolean =>
  !(control instanceof HTMLInputElement) || control.type !== 'radio' || sampled.has(control.value)

/**
 * Shows a part of the page anew for each of its controls, uses that control alone, and says what came of
 * it: callbacks, requests, where it leads, where the focus is, and what is shown otherwise.
 */
export async function pressEach(
  open: () => Promise<unknown>,
  isMeant = standsForOthers,
): Promise<string[]> {
  const found: string[] = []
  const follow = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null
    if (link && !event.defaultPrevented) happened.push(`leads to ${link.getAttribute('href')}`)
    if (link) event.preventDefault()
  }
  addEventListener('click', follow)
  try {
    for (let at = 0; ; at += 1) {
      cleanup()
      document.body.replaceChildren()
      history.replaceState(null, '', '/')
      await open()
      await settle()
      happened.length = 0
      const control = [...document.querySelectorAll(controls)].filter(isMeant)[at]
      if (!control) return found
      const name = nameOf(control)
      const [before, address] = [outline(), location.href]
      await act(async () => operate(control))
      await settle()
      const leads =
        location.href === address ? [] : [`address ${location.href.replace(location.origin, '')}`]
      const focused = document.activeElement
      const focus =
        focused && focused !== document.body && focused !== control
          ? [`focus ${nameOf(focused)}`]
          : []
      const lines = [
        ...happened,
        ...leads,
        ...focus,
        ...(leads.length > 0 ? [] : changesOf(before, outline())),
      ]
      found.push(`${at + 1}. ${name}`, ...lines.map((line) => `   ${line}`))
    }
  } finally {
    removeEventListener('click', follow)
    history.replaceState(null, '', '/')
  }
}
