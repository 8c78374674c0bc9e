import { expect, it } from 'vitest'
import { createOrder } from './start-purchase.ts'

it.each(['gold', '', 'constructor'])(
  'refuses the package %j before asking the server',
  async (type) => {
    await expect(createOrder(type)).rejects.toThrow(`Invalid package type: ${type}`)
  },
)
