/// <reference types="vite/client" />

declare module '*.avif' {
  const address: string
  export default address
}
