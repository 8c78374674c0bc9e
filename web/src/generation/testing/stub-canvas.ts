import { vi } from 'vitest'

/** A canvas that is written as `frame` gives it, and can't be where that is null: happy-dom has none. */
export function stubCanvas(frame: () => Blob | null = () => new Blob(['frame'])) {
  const drawImage = vi.fn()
  const written = vi.fn<(width: number, height: number, type: string) => void>()
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      readonly size: [number, number]
      constructor(width: number, height: number) {
        this.size = [width, height]
      }
      getContext = () => ({ drawImage })
      convertToBlob = async ({ type }: { type: string }): Promise<Blob> => {
        written(...this.size, type)
        const blob = frame()
        if (!blob) throw new Error('It could not be written')
        return blob
      }
    },
  )
  return { drawImage, written }
}
