import { expect } from 'vitest'
import type { TestApp } from './open-test-app.ts'

/** The token of the newest link that was mailed to this address, once it is there. */
export async function mailedToken(
  app: Pick<TestApp, 'mails'>,
  email: string,
  options: { after?: number } = {},
): Promise<string> {
  const find = () => {
    const mails = app.mails.slice(options.after ?? 0).filter(({ to }) => to === email)
    return /#token=([\w-]{43})/.exec(mails.at(-1)?.text ?? '')?.[1]
  }
  await expect.poll(find).toBeDefined()
  return find() ?? ''
}
