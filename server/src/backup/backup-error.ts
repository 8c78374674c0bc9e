/** A backup or restore that can't go on, with a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
