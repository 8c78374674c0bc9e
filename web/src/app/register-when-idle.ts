/**
 * Registers the service worker once the page is there and the browser has nothing else to do, so that
 * it takes no time from what somebody waits for. Vite's own server has none.
 */
export function registerWhenIdle(): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  const register = (): void => {
    import('../install/register-service-worker.ts')
      .then((install) => install.registerServiceWorker())
      // The connection is lost, or the page is being left; the next page tries again.
      .catch((error: unknown) => console.info('The service worker was not loaded.', error))
  }
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(register, { timeout: 10_000 })
  else setTimeout(register, 3_000)
}
