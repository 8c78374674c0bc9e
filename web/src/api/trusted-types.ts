import { installedApp } from '@starside/contract/installed-app.ts'

interface TrustedTypesFactory {
  defaultPolicy: unknown
  createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => unknown
}

let blobsAdmitted = 0

/**
 * Lets the page start workers under `require-trusted-types-for 'script'`, by the default policy, as the HEIC decoder
 * makes its own of a blob: our built files, the service worker, and blobs within {@link whileAdmittingBlobs}.
 */
export function installTrustedTypesPolicy(): void {
  const { trustedTypes: factory } = globalThis as { trustedTypes?: TrustedTypesFactory }
  if (!factory || factory.defaultPolicy) return
  factory.createPolicy('default', {
    createScriptURL: (address) => {
      const url = new URL(address, location.href)
      if (url.origin === location.origin && isOwnScript(url)) return address
      throw new TypeError(`Not a script of this page: ${url.origin}`)
    },
  })
}

/** Does `work`, during which a script may be a blob that this page itself made. */
export async function whileAdmittingBlobs<Result>(work: () => Promise<Result>): Promise<Result> {
  blobsAdmitted += 1
  try {
    return await work()
  } finally {
    blobsAdmitted -= 1
  }
}

function isOwnScript(url: URL): boolean {
  if (url.protocol === 'blob:') return blobsAdmitted > 0
  if (url.pathname === installedApp.serviceWorker) return url.search === ''
  return url.pathname.startsWith('/assets/') || import.meta.env.DEV
}
