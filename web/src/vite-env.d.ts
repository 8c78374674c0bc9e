/// <reference types="vite/client" />

declare module '*.avif' {
  const address: string
  export default address
}

interface WindowEventMap {
  /** The server refused the stored token. */
  'session-ended': Event
}
