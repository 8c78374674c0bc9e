import { AppError } from '../../platform/errors/app-error.ts'
import type { GuessLimits } from './guess-limits.ts'
import type { SignedInUser } from './session.ts'

/**
 * Runs an act for which somebody who is signed in gives their password once more. A stolen session
 * can't be used to find the password out: wrong ones are counted, and after some of them the act
 * is refused with `sign_in_limited`.
 */
export function limitGuesses<Result>(
  limits: GuessLimits,
  user: SignedInUser,
  address: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const guesser = { account: user.email, address, trusted: 'session' }
  return limits.oneAtATime(user.email, async () => {
    await limits.assertMayTry(guesser)
    try {
      return await act()
    } catch (error) {
      if (error instanceof AppError && error.code === 'password_wrong') {
        await limits.countFailure(guesser)
      }
      throw error
    }
  })
}
