import type { Answer, TestApp } from './open-test-app.ts'

interface TestBrowser {
  /** One call from this browser's address, with the one cookie that it was given. */
  call(path: string, json?: unknown, token?: string): Promise<Answer>
  /** The device cookie, once there is one. */
  cookie(): string | undefined
}

/** A browser at an address; the app must trust one proxy (TRUST_PROXY=1). */
export function openBrowser(
  app: Pick<TestApp, 'call'>,
  options: { address: string; agent?: string; cookie?: string | undefined },
): TestBrowser {
  let { cookie } = options
  return {
    cookie: () => cookie,
    async call(path, json, token) {
      const answer = await app.call(path, {
        ...(json === undefined ? {} : { json }),
        ...(token === undefined ? {} : { token }),
        headers: {
          'user-agent': options.agent ?? 'a browser',
          'x-forwarded-for': options.address,
          ...(cookie === undefined ? {} : { cookie }),
        },
      })
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return answer
    },
  }
}
