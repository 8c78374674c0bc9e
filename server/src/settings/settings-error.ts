/** Settings that an operator can put right: told as a sentence, without a stack. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}
