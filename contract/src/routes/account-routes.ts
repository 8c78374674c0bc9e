import { z } from 'zod'
import {
  challengeAnswer,
  changePasswordInput,
  confirmEmailInput,
  endSessionInput,
  forgotPasswordInput,
  loginInput,
  profileAnswer,
  registerInput,
  registrationAnswer,
  resetPasswordInput,
  sessionAnswer,
  sessionsAnswer,
  deleteAccountInput,
} from '../auth.ts'
import { declareRoutes, files, json, jsonBody, success } from './declare-routes.ts'

const session = json('SessionAnswer', sessionAnswer)

/** Why no account is opened. */
export const registrationErrors = [
  'fields_required',
  'password_too_short',
  'username_too_short',
  'email_invalid',
  'email_disposable',
  'email_taken',
  'proof_required',
] as const

/** Opening an account, its sessions and its password. */
export const authRoutes = declareRoutes({
  'POST /api/auth?action=register': {
    summary: 'Opens an account, with one credit, and signs in.',
    access: 'anybody',
    body: jsonBody('RegisterInput', registerInput),
    answers: { 200: json('RegistrationAnswer', registrationAnswer) },
    errors: [...registrationErrors, 'referral_unknown'],
  },
  'POST /api/auth?action=login': {
    summary: 'Signs in and gives a bearer token for 30 days.',
    access: 'anybody',
    body: jsonBody('LoginInput', loginInput),
    answers: { 200: session },
    errors: ['credentials_wrong', 'sign_in_limited', 'proof_required', 'account_suspended'],
  },
  'POST /api/auth?action=logout': {
    summary: 'Ends this session.',
    access: 'user',
    answers: { 200: success },
  },
  'POST /api/auth?action=logout-everywhere': {
    summary: 'Ends all sessions of the account.',
    access: 'user',
    answers: { 200: success },
  },
  'POST /api/auth?action=forgot-password': {
    summary: 'Sends a reset link, if there is such an account; the answer is the same either way.',
    access: 'anybody',
    body: jsonBody('ForgotPasswordInput', forgotPasswordInput),
    answers: { 200: success },
    errors: ['mail_not_set_up'],
  },
  'POST /api/auth?action=reset-password': {
    summary: 'Sets a new password with the token of the reset link and ends all sessions.',
    access: 'anybody',
    body: jsonBody('ResetPasswordInput', resetPasswordInput),
    answers: { 200: success },
    errors: ['reset_token_invalid', 'password_too_short'],
  },
  'POST /api/auth?action=change-password': {
    summary: 'Changes the password, ends the other sessions and gives a new token.',
    access: 'user',
    body: jsonBody('ChangePasswordInput', changePasswordInput),
    answers: { 200: session },
    errors: ['password_wrong', 'password_too_short', 'sign_in_limited'],
  },
  'GET /api/auth?action=challenge': {
    summary:
      'A challenge for the calls that answer `proof_required`: find a whole number so that the SHA-256 of challenge, dot and number begins with as many zero bits as the challenge begins with, and repeat the call with `proof` set to challenge, dot and number.',
    access: 'anybody',
    answers: { 200: json('ChallengeAnswer', challengeAnswer) },
  },
  'GET /api/auth?action=sessions': {
    summary: 'Lists the sessions of the account.',
    access: 'user',
    answers: { 200: json('SessionsAnswer', sessionsAnswer) },
  },
  'POST /api/auth?action=end-session': {
    summary: 'Ends one session of the list.',
    access: 'user',
    body: jsonBody('EndSessionInput', endSessionInput),
    answers: { 200: success },
    errors: ['session_unknown'],
  },
  'POST /api/auth?action=send-confirmation': {
    summary: 'Sends a link that confirms the e-mail.',
    access: 'user',
    limit: 'confirmation',
    answers: { 200: success },
  },
  'POST /api/auth?action=confirm-email': {
    summary: 'Confirms the e-mail with the token of the link.',
    access: 'anybody',
    body: jsonBody('ConfirmEmailInput', confirmEmailInput),
    answers: { 200: success },
    errors: ['confirmation_token_invalid'],
  },
})

/** What a person sees of all features together. */
export const userRoutes = declareRoutes({
  'GET /api/user?action=profile': {
    summary: 'The account with its credits and figures.',
    access: 'user',
    answers: { 200: json('ProfileAnswer', profileAnswer) },
  },
  'GET /api/user?action=export': {
    summary:
      'Everything that is kept of the account as one JSON file, or with `format=zip` as an archive with the pictures.',
    access: 'user',
    limit: 'export',
    query: z.object({ format: z.enum(['json', 'zip']).optional() }),
    answers: { 200: files('application/json', 'application/zip') },
  },
  'POST /api/user?action=delete-account': {
    summary: 'Deletes the account and its pictures for good.',
    access: 'user',
    body: jsonBody('DeleteAccountInput', deleteAccountInput),
    answers: { 200: success },
    errors: ['password_wrong', 'sign_in_limited'],
  },
})
