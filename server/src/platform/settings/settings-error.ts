/** Settings that an operator can put right: printed as a sentence, without a stack. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}
