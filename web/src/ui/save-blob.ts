/** Hands a blob to the browser as a file to save. */
export function saveBlob(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read the blob only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
