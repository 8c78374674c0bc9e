import { storageKeys } from '@starside/contract/api.ts'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions } from '../api/testing/test-answers.ts'
import { useGenerator } from './use-generator.ts'

beforeEach(() => void holdQuestions())
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
  localStorage.clear()
})

const open = () =>
  renderHook(() => useGenerator({ verifyCredits: async () => true, onComplete: () => {} })).result
/** The page is shown; `persisted` where the browser had kept it as it was left. */
const comeBack = (persisted: boolean) =>
  act(async () => void dispatchEvent(Object.assign(new Event('pageshow'), { persisted })))

it('a page that the browser kept tells of an upload that leaving it broke off, once', async () => {
  const generator = open()
  await comeBack(true)
  expect(generator.current.problem).toBeNull()
  sessionStorage.setItem(storageKeys.interruptedUpload, String(Date.now()))
  await comeBack(false)
  expect(generator.current.problem).toBeNull()
  await comeBack(true)
  expect(generator.current.problem).toEqual({ kind: 'interruption' })
  act(() => generator.current.dismissProblem())
  await comeBack(true)
  expect(generator.current.problem).toBeNull()
})
