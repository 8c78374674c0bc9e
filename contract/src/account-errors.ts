/** What a failure answers: its HTTP status, and the sentence a person reads. */
export interface ErrorDescription {
  status: number
  sentence: string
}

/** Failures of registration, sign-in, password and session; a part of `errorTable`. */
export const accountErrors = {
  fields_required: { status: 400, sentence: 'All fields are required' },
  password_too_short: { status: 400, sentence: 'Password must be at least 6 characters' },
  password_too_long: { status: 400, sentence: 'Password must be at most 256 characters' },
  username_too_short: { status: 400, sentence: 'Username must be at least 3 characters' },
  username_too_long: { status: 400, sentence: 'Username must be at most 40 characters' },
  username_invalid: {
    status: 400,
    sentence: 'Username may not contain control characters or line breaks.',
  },
  email_invalid: { status: 400, sentence: 'Please enter a valid email address.' },
  email_taken: { status: 409, sentence: 'An account with this email already exists.' },
  referral_unknown: {
    status: 400,
    sentence: 'This referral code does not exist. Please correct it or leave it empty.',
  },
  credentials_wrong: { status: 401, sentence: 'Wrong email or password.' },
  password_wrong: { status: 400, sentence: 'The current password is wrong.' },
  sign_in_limited: {
    status: 429,
    sentence: 'Too many failed sign-ins. Please wait 15 minutes or reset your password.',
  },
  proof_required: {
    status: 429,
    sentence:
      'Many people use this network today, so your browser has to solve a small task first. Please try again.',
  },
  mail_not_set_up: {
    status: 503,
    sentence: 'This site cannot send e-mails at the moment. Please write to the contact address.',
  },
  token_missing: { status: 401, sentence: 'Please sign in.' },
  token_invalid: { status: 401, sentence: 'Your session has ended. Please sign in again.' },
  account_suspended: { status: 403, sentence: 'This account is suspended.' },
  email_disposable: {
    status: 400,
    sentence: 'Please use an email address that you keep; disposable addresses are not accepted.',
  },
  confirmation_token_invalid: {
    status: 400,
    sentence: 'This confirmation link is no longer valid. Please ask for a new one.',
  },
  session_unknown: { status: 404, sentence: 'This session has already ended.' },
  reset_token_invalid: {
    status: 400,
    sentence: 'This reset link is no longer valid. Please ask for a new one.',
  },
} as const satisfies Record<string, ErrorDescription>
