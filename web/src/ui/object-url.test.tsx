import { renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useObjectUrl } from '../generation/use-photo.ts'

afterEach(() => vi.restoreAllMocks())

it('releases an address when its blob is replaced, taken away, or no longer shown', () => {
  let made = 0
  const living = new Set<string>()
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    made += 1
    living.add(`blob:${made}`)
    return `blob:${made}`
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void living.delete(address))
  const initialProps: { blob: Blob | null } = { blob: new Blob(['first']) }
  const { result, rerender, unmount } = renderHook(({ blob }) => useObjectUrl(blob), {
    initialProps,
  })
  expect([result.current, [...living]]).toEqual(['blob:1', ['blob:1']])
  rerender({ blob: new Blob(['second']) })
  expect([result.current, [...living]]).toEqual(['blob:2', ['blob:2']])
  rerender({ blob: null })
  expect([result.current, living.size]).toEqual([null, 0])
  rerender({ blob: new Blob(['third']) })
  unmount()
  expect([made, living.size]).toEqual([3, 0])
})
