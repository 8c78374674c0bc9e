import { vi } from 'vitest'

/** Lets every canvas tell that all of it is so opaque, from 0 to 255. */
export function drawWithAlpha(alpha: number): void {
  const pixels = { getImageData: () => ({ data: [255, 255, 255, alpha] }) }
  const context = new Proxy(pixels, {
    get: (target, key) => (key === 'getImageData' ? target.getImageData : () => {}),
  })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
}
