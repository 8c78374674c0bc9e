import { renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { usePhotoAddress, type ChosenPhoto } from './use-photo.ts'

afterEach(() => vi.restoreAllMocks())

function photoOf(name: string, readable = true): ChosenPhoto {
  const prepared = { file: new File([name], name), readable, widthPx: null, heightPx: null }
  return { prepared, check: null, faceIndex: null }
}

it('releases an address when its photo is replaced, taken away, or no longer shown', () => {
  let made = 0
  const living = new Set<string>()
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    made += 1
    living.add(`blob:${made}`)
    return `blob:${made}`
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void living.delete(address))
  const initialProps: { photo: ChosenPhoto | null } = { photo: photoOf('first') }
  const { result, rerender, unmount } = renderHook(({ photo }) => usePhotoAddress(photo), {
    initialProps,
  })
  expect([result.current, [...living]]).toEqual(['blob:1', ['blob:1']])
  rerender({ photo: photoOf('second') })
  expect([result.current, [...living]]).toEqual(['blob:2', ['blob:2']])
  rerender({ photo: null })
  expect([result.current, living.size]).toEqual([null, 0])
  rerender({ photo: photoOf('third') })
  unmount()
  expect([made, living.size]).toEqual([3, 0])
})
