/** Lets videos show any stream: happy-dom takes streams of its own kind alone. */
export function takeAnyStream(): void {
  Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', {
    configurable: true,
    writable: true,
    value: null,
  })
}
