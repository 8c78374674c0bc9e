import { z } from 'zod'
import { emailLengthMax } from './limits.ts'
import { successful } from './successful.ts'

/** An answered challenge: after `proof_required`, the same call with it goes through. */
export const proofOfWork = z.string().max(200)

/** Fields arrive unchecked as text; their order of checks is the specification's (section 5). */
export const registerInput = z.object({
  email: z.string().optional(),
  password: z.string().optional(),
  username: z.string().optional(),
  referralCode: z.string().nullish(),
  proof: proofOfWork.optional(),
})
export type RegisterInput = z.infer<typeof registerInput>

export const loginInput = z.object({
  email: z.string(),
  password: z.string(),
  proof: proofOfWork.optional(),
})

export const forgotPasswordInput = z.object({
  email: z
    .string()
    .max(emailLengthMax)
    // It is looked up after the answer, when it is too late to refuse what no database can hold.
    .refine((email) => !email.includes('\u0000')),
})
export const resetPasswordInput = z.object({ token: z.string().max(200), password: z.string() })
export const confirmEmailInput = z.object({ token: z.string().max(200) })
export const endSessionInput = z.object({ sessionId: z.uuid() })
export const changePasswordInput = z.object({
  currentPassword: z.string(),
  newPassword: z.string(),
})

export const deleteAccountInput = z.object({ password: z.string() })

/** The open sessions of the account, newest first. */
export const sessionsAnswer = successful({
  sessions: z.array(
    z.object({
      id: z.string(),
      /** ISO times. */
      createdAt: z.string(),
      expiresAt: z.string(),
      address: z.string(),
      userAgent: z.string(),
      /** True for the session that asks. */
      isCurrent: z.boolean(),
    }),
  ),
})

export const sessionUser = z.object({ userId: z.string(), email: z.string(), username: z.string() })

/** Answer of login, register and change-password: a new bearer token. */
export const sessionAnswer = successful({
  token: z.string(),
  user: sessionUser,
})

/** Free credit or bonus that a new account lacks, perhaps until its e-mail is confirmed. */
export const registrationNotices = [
  'signup_credit_used',
  'referral_bonus_withheld',
  'referral_bonus_after_confirmation',
] as const
export type RegistrationNotice = (typeof registrationNotices)[number]

/** Answer of register. */
export const registrationAnswer = sessionAnswer.extend({
  notices: z.array(z.enum(registrationNotices)),
})

/** A challenge for a proof of work; see proof-of-work.ts. */
export const challengeAnswer = successful({ challenge: z.string() })

/** The user as the client holds it. */
export const profileUser = sessionUser.extend({
  referralCode: z.string(),
  creditsBalance: z.number().int(),
  /** Credits of a refunded purchase that are still owed; above zero only at a balance of zero. */
  creditsOwed: z.number().int(),
  totalCreditsEverBought: z.number().int(),
  /** How many people registered with this user's code. */
  friendsReferred: z.number().int(),
  /** How many selfies this user has made and not deleted. */
  selfiesCreated: z.number().int(),
  /** ISO time of registration. */
  createdAt: z.string(),
  /** The version of the terms that the person is asked about; null: none. */
  termsToAccept: z.string().nullable(),
})
export type ProfileUser = z.infer<typeof profileUser>

export const profileAnswer = successful({ user: profileUser })
export type ProfileAnswer = z.infer<typeof profileAnswer>
