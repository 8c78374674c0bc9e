interface TrustedTypesFactory {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ) => { createScriptURL: (address: string) => unknown }
}

/**
 * Lets the page start its own workers under `require-trusted-types-for 'script'`. The one policy is
 * the default one, because the HEIC decoder makes its worker from a blob by itself; it admits only
 * blobs of this page and this host's own built files.
 */
export function installTrustedTypesPolicy(): void {
  const factory = (
    globalThis as { trustedTypes?: TrustedTypesFactory & { defaultPolicy: unknown } }
  ).trustedTypes
  if (!factory || factory.defaultPolicy) return
  factory.createPolicy('default', {
    createScriptURL: (address) => {
      const url = new URL(address, location.href)
      if (url.origin === location.origin && isOwnScript(url)) return address
      throw new TypeError(`Not a script of this page: ${url.origin}`)
    },
  })
}

function isOwnScript(url: URL): boolean {
  return url.protocol === 'blob:' || url.pathname.startsWith('/assets/') || import.meta.env.DEV
}
