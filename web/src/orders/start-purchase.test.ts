import { expect, it, vi } from 'vitest'
import { createOrder } from './use-payments.ts'

it.each(['gold', '', 'constructor'])(
  'refuses the package %j before asking for an order',
  async (type) => {
    const offered = JSON.stringify({ packages: [{ type: 'basic' }] })
    const elements = { getElementById: () => ({ textContent: offered }) }
    vi.stubGlobal('document', elements)
    const fetched = vi.fn()
    vi.stubGlobal('fetch', fetched)
    await expect(createOrder(type)).rejects.toThrow(`Invalid package type: ${type}`)
    expect(fetched).not.toHaveBeenCalled()
    vi.unstubAllGlobals()
  },
)
