import {
  challengeAnswer,
  changePasswordInput,
  confirmEmailInput,
  endSessionInput,
  forgotPasswordInput,
  loginInput,
  profileAnswer,
  registerInput,
  resetPasswordInput,
  sessionAnswer,
  successAnswer,
} from '@starside/contract/auth.ts'
import {
  consumeCreditsAnswer,
  consumeCreditsInput,
  creditHistoryAnswer,
  releaseHoldAnswer,
  releaseHoldInput,
} from '@starside/contract/credits.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import {
  generateAnswer,
  generationAnswer,
  generationListAnswer,
  healthAnswer,
  inspectAnswer,
  generateQuery,
} from '@starside/contract/generation.ts'
import { peopleAnswer, presetsAnswer } from '@starside/contract/presets.ts'
import { createOrderInput, orderAnswer, orderListAnswer } from '@starside/contract/orders.ts'
import { verifyAnswer } from '@starside/contract/provenance.ts'
import { publicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { reportAnswer, reportInput } from '@starside/contract/reports.ts'
import { sceneNames, selfieAspects } from '@starside/contract/scenes.ts'
import { z } from 'zod'

/** One call of the API as its users see it. */
export interface RouteDescription {
  method: 'GET' | 'POST' | 'DELETE'
  /** Fastify's pattern. */
  path: string
  /** The value of `?action=` where the specification tells calls apart by it. */
  action?: string
  group: string
  summary: string
  /** True when the call needs `Authorization: Bearer`. */
  signedIn: boolean
  /** Parameters of the query beside `action`. */
  query?: z.ZodObject
  /** Takes an `Idempotency-Key`. */
  repeatable?: boolean
  body?: RouteBody
  answers: RouteAnswer[]
  /** The refusals that are this call's own; those of every call stand in the introduction. */
  errors: readonly ErrorCode[]
}

export interface RouteBody {
  mediaType: 'application/json' | 'multipart/form-data'
  name: string
  schema: z.ZodType
  /** Fields that are files. */
  files?: readonly string[]
}

export interface RouteAnswer {
  status: number
  mediaType: string
  /** Name of the schema in the document; absent for pictures and streams. */
  name?: string
  schema?: z.ZodType
  note?: string
}

const json = (name: string, schema: z.ZodType, status = 200): RouteAnswer => ({
  status,
  mediaType: 'application/json',
  name,
  schema,
})
const jsonBody = (name: string, schema: z.ZodType): RouteBody => ({
  mediaType: 'application/json',
  name,
  schema,
})
const success = json('SuccessAnswer', successAnswer)
const generation = json('GenerationAnswer', generationAnswer)
const session = json('SessionAnswer', sessionAnswer)
const jpeg: RouteAnswer = { status: 200, mediaType: 'image/jpeg' }
const page = z.object({ cursor: z.string().optional() })
const deleteAccountInput = z.object({ password: z.string() })
const cancelInput = z.object({ orderId: z.string() })
const sessionsAnswer = z.object({
  success: z.literal(true),
  sessions: z.array(z.record(z.string(), z.unknown())),
})

const generateForm = z.object({
  userPhoto: z.string(),
  celebrityPhoto: z.string().optional(),
  presetId: z.string().optional(),
  prompt: z.string().optional(),
  scene: z.enum(sceneNames).optional(),
  aspect: z.enum(selfieAspects).optional(),
  userFaceIndex: z.number().int().optional(),
  starFaceIndex: z.number().int().optional(),
  consent: z.enum(['true', 'false']).optional(),
})
const inspectForm = z.object({ photo: z.string(), faceIndex: z.number().int().optional() })

const photoErrors = [
  'photos_required',
  'photo_empty',
  'photo_too_large',
  'photo_format',
  'photo_damaged',
  'photo_too_many_pixels',
  'photo_too_small',
] as const

/**
 * Every call of the API, in the order in which a newcomer meets them. A test holds it against the
 * program's real routes, both ways.
 */
export const routeTable: readonly RouteDescription[] = [
  {
    method: 'POST',
    path: '/api/auth',
    action: 'register',
    group: 'Accounts',
    summary: 'Opens an account, with one credit, and signs in.',
    signedIn: false,
    body: jsonBody('RegisterInput', registerInput),
    answers: [session],
    errors: [
      'fields_required',
      'password_too_short',
      'username_too_short',
      'email_invalid',
      'email_disposable',
      'email_taken',
      'referral_unknown',
      'proof_required',
    ],
  },
  {
    method: 'POST',
    path: '/api/auth',
    action: 'login',
    group: 'Accounts',
    summary: 'Signs in and gives a bearer token for 30 days.',
    signedIn: false,
    body: jsonBody('LoginInput', loginInput),
    answers: [session],
    errors: ['credentials_wrong', 'sign_in_limited', 'proof_required', 'account_suspended'],
  },
  {
    method: 'POST',
    path: '/api/auth',
    action: 'logout',
    group: 'Accounts',
    summary: 'Ends this session.',
    signedIn: true,
    answers: [success],
    errors: [],
  },
  {
    method: 'POST',
    path: '/api/auth',
    action: 'logout-everywhere',
    group: 'Accounts',
    summary: 'Ends all sessions of the account.',
    signedIn: true,
    answers: [success],
    errors: [],
  },
  {
    method: 'POST',
    path: '/api/auth',
    action: 'forgot-password',
    group: 'Accounts',
    summary: 'Sends a reset link, if there is such an account; the answer is the same either way.',
    signedIn: false,
    body: jsonBody('ForgotPasswordInput', forgotPasswordInput),
    answers: [success],
    errors: ['mail_not_set_up'],
  },
  {
    method: 'POST',
    path: '/api/auth',
    action: 'reset-password',
    group: 'Accounts',
    summary: 'Sets a new password with the token of the reset link and ends all sessions.',
    signedIn: false,
    body: jsonBody('ResetPasswordInput', resetPasswordInput),
    answers: [success],
    errors: ['reset_token_invalid', 'password_too_short'],
  },
  {
    method: 'POST',
    path: '/api/auth',
    action: 'change-password',
    group: 'Accounts',
    summary: 'Changes the password, ends the other sessions and gives a new token.',
    signedIn: true,
    body: jsonBody('ChangePasswordInput', changePasswordInput),
    answers: [session],
    errors: ['password_wrong', 'password_too_short', 'sign_in_limited'],
  },
  {
    method: 'GET',
    path: '/api/auth',
    action: 'challenge',
    group: 'Accounts',
    summary:
      'A challenge for the calls that answer `proof_required`: find a whole number so that the SHA-256 of challenge, dot and number begins with as many zero bits as the challenge begins with, and repeat the call with `proof` set to challenge, dot and number.',
    signedIn: false,
    answers: [json('ChallengeAnswer', challengeAnswer)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/api/auth',
    action: 'sessions',
    group: 'Accounts',
    summary: 'Lists the sessions of the account.',
    signedIn: true,
    answers: [json('SessionsAnswer', sessionsAnswer)],
    errors: [],
  },
  {
    method: 'POST',
    path: '/api/auth',
    action: 'end-session',
    group: 'Accounts',
    summary: 'Ends one session of the list.',
    signedIn: true,
    body: jsonBody('EndSessionInput', endSessionInput),
    answers: [success],
    errors: ['session_unknown'],
  },
  {
    method: 'POST',
    path: '/api/auth',
    action: 'send-confirmation',
    group: 'Accounts',
    summary: 'Sends a link that confirms the e-mail.',
    signedIn: true,
    answers: [success],
    errors: [],
  },
  {
    method: 'POST',
    path: '/api/auth',
    action: 'confirm-email',
    group: 'Accounts',
    summary: 'Confirms the e-mail with the token of the link.',
    signedIn: false,
    body: jsonBody('ConfirmEmailInput', confirmEmailInput),
    answers: [success],
    errors: ['confirmation_token_invalid'],
  },
  {
    method: 'GET',
    path: '/api/user',
    action: 'profile',
    group: 'Accounts',
    summary: 'The account with its credits and figures.',
    signedIn: true,
    answers: [json('ProfileAnswer', profileAnswer)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/api/user',
    action: 'export',
    group: 'Accounts',
    summary:
      'Everything that is kept of the account as one JSON file, or with `format=zip` as an archive with the pictures.',
    signedIn: true,
    query: z.object({ format: z.enum(['json', 'zip']).optional() }),
    answers: [
      { status: 200, mediaType: 'application/json', note: 'A file to save.' },
      { status: 200, mediaType: 'application/zip' },
    ],
    errors: [],
  },
  {
    method: 'POST',
    path: '/api/user',
    action: 'delete-account',
    group: 'Accounts',
    summary: 'Deletes the account and its pictures for good.',
    signedIn: true,
    body: jsonBody('DeleteAccountInput', deleteAccountInput),
    answers: [success],
    errors: ['password_wrong', 'sign_in_limited'],
  },
  {
    method: 'GET',
    path: '/api/user',
    action: 'credit-history',
    group: 'Credits',
    summary: 'The account’s books, newest first, in pages.',
    signedIn: true,
    query: page,
    answers: [json('CreditHistoryAnswer', creditHistoryAnswer)],
    errors: [],
  },
  {
    method: 'POST',
    path: '/api/user',
    action: 'consume-credits',
    group: 'Credits',
    summary: 'Sets credits aside for a picture for 15 minutes; what is not used comes back.',
    signedIn: true,
    repeatable: true,
    body: jsonBody('ConsumeCreditsInput', consumeCreditsInput),
    answers: [json('ConsumeCreditsAnswer', consumeCreditsAnswer)],
    errors: ['amount_invalid', 'insufficient_credits', 'idempotency_conflict', 'hold_returned'],
  },
  {
    method: 'POST',
    path: '/api/user',
    action: 'release-hold',
    group: 'Credits',
    summary: 'Gives back credits that were set aside and that no picture has claimed yet.',
    signedIn: true,
    body: jsonBody('ReleaseHoldInput', releaseHoldInput),
    answers: [json('ReleaseHoldAnswer', releaseHoldAnswer)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/api/ai',
    action: 'presets',
    group: 'Pictures',
    summary: 'The stars to choose from, with licence and attribution.',
    signedIn: false,
    answers: [json('PresetsAnswer', presetsAnswer)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/api/presets/:file',
    group: 'Pictures',
    summary:
      'A star’s picture: the preset’s id with `.jpg`, `.thumbnail.avif` or `.thumbnail.jpg`.',
    signedIn: false,
    answers: [jpeg],
    errors: ['not_found'],
  },
  {
    method: 'GET',
    path: '/api/people',
    group: 'Pictures',
    summary: 'People who don’t exist, whose photos anybody may use to try the product.',
    signedIn: false,
    answers: [json('PeopleAnswer', peopleAnswer)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/api/people/:file',
    group: 'Pictures',
    summary: 'Their photo: the id with `.jpg`, `.thumbnail.avif` or `.thumbnail.jpg`.',
    signedIn: false,
    answers: [jpeg],
    errors: ['not_found'],
  },
  {
    method: 'POST',
    path: '/api/ai',
    action: 'inspect',
    group: 'Pictures',
    summary: 'Tells what would spoil the picture, before a credit is spent.',
    signedIn: true,
    body: {
      mediaType: 'multipart/form-data',
      name: 'InspectForm',
      schema: inspectForm,
      files: ['photo'],
    },
    answers: [json('InspectAnswer', inspectAnswer)],
    errors: [...photoErrors, 'photo_blocked'],
  },
  {
    method: 'POST',
    path: '/api/ai',
    action: 'generate',
    group: 'Pictures',
    summary:
      'Makes a selfie for one credit. Waits for the picture; with `Prefer: respond-async` it answers 202 at once. A failure uses no credit.',
    signedIn: true,
    repeatable: true,
    query: generateQuery,
    body: {
      mediaType: 'multipart/form-data',
      name: 'GenerateForm',
      schema: generateForm,
      files: ['userPhoto', 'celebrityPhoto'],
    },
    answers: [
      json('GenerateAnswer', generateAnswer),
      { ...json('GenerationAnswer', generationAnswer, 202), note: 'It is still being made.' },
    ],
    errors: [
      ...photoErrors,
      'face_missing',
      'face_too_small',
      'face_cut',
      'face_profile',
      'face_tilted',
      'photo_blurred',
      'pair_too_tight',
      'preset_unknown',
      'consent_required',
      'prompt_too_long',
      'prompt_refused',
      'photo_blocked',
      'picture_refused',
      'insufficient_credits',
      'hold_returned',
      'generation_running',
      'generation_failed',
      'idempotency_conflict',
    ],
  },
  {
    method: 'GET',
    path: '/api/generations/:generationId/events',
    group: 'Pictures',
    summary: 'The stages of a picture as server-sent events; the last one carries the picture.',
    signedIn: true,
    answers: [{ status: 200, mediaType: 'text/event-stream' }],
    errors: ['generation_unknown'],
  },
  {
    method: 'GET',
    path: '/api/generations/:generationId',
    group: 'Pictures',
    summary: 'One picture of one’s own.',
    signedIn: true,
    answers: [generation],
    errors: ['generation_unknown'],
  },
  {
    method: 'GET',
    path: '/api/generations',
    group: 'Pictures',
    summary: 'One’s own pictures, newest first, in pages.',
    signedIn: true,
    query: page,
    answers: [json('GenerationListAnswer', generationListAnswer)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/api/pictures/:generationId/:file',
    group: 'Pictures',
    summary: 'A picture by its signed address, as `imageUrl` and the others give it, for an hour.',
    signedIn: false,
    query: z.object({ expires: z.string(), signature: z.string() }),
    answers: [jpeg, { status: 200, mediaType: 'image/png' }],
    errors: ['generation_unknown', 'picture_expired'],
  },
  {
    method: 'DELETE',
    path: '/api/generations/:generationId',
    group: 'Pictures',
    summary: 'Deletes a picture; for half a minute it can be brought back.',
    signedIn: true,
    answers: [success],
    errors: ['generation_unknown'],
  },
  {
    method: 'POST',
    path: '/api/generations/:generationId/restore',
    group: 'Pictures',
    summary: 'Brings a deleted picture back.',
    signedIn: true,
    answers: [generation],
    errors: ['generation_unknown'],
  },
  {
    method: 'POST',
    path: '/api/generations/:generationId/share',
    group: 'Sharing',
    summary: 'Gives the picture a public link.',
    signedIn: true,
    answers: [generation],
    errors: ['generation_unknown'],
  },
  {
    method: 'DELETE',
    path: '/api/generations/:generationId/share',
    group: 'Sharing',
    summary: 'Takes the public link back.',
    signedIn: true,
    answers: [generation],
    errors: ['generation_unknown'],
  },
  {
    method: 'GET',
    path: '/api/shares/:shareId/picture.jpg',
    group: 'Sharing',
    summary: 'The picture behind a public link.',
    signedIn: false,
    answers: [jpeg],
    errors: ['generation_unknown'],
  },
  {
    method: 'POST',
    path: '/api/orders',
    group: 'Orders',
    summary: 'Opens an order and gives the address to pay at.',
    signedIn: true,
    repeatable: true,
    body: jsonBody('CreateOrderInput', createOrderInput),
    answers: [json('OrderAnswer', orderAnswer, 201)],
    errors: ['package_invalid', 'payment_provider_down', 'idempotency_conflict'],
  },
  {
    method: 'GET',
    path: '/api/orders',
    group: 'Orders',
    summary: 'One’s own orders, newest first.',
    signedIn: true,
    answers: [json('OrderListAnswer', orderListAnswer)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/api/orders/status',
    group: 'Orders',
    summary: 'How an order stands.',
    signedIn: true,
    query: z.object({ order_id: z.string() }),
    answers: [json('OrderAnswer', orderAnswer)],
    errors: ['order_unknown'],
  },
  {
    method: 'POST',
    path: '/api/orders/cancel',
    group: 'Orders',
    summary: 'Cancels an order that nothing was paid for.',
    signedIn: true,
    body: jsonBody('CancelOrderInput', cancelInput),
    answers: [json('OrderAnswer', orderAnswer)],
    errors: ['order_unknown', 'order_not_cancellable'],
  },
  {
    method: 'POST',
    path: '/api/verify',
    group: 'Reports',
    summary: 'Tells whether a picture was made here. Anybody may ask; nothing is kept.',
    signedIn: false,
    body: {
      mediaType: 'multipart/form-data',
      name: 'VerifyForm',
      schema: z.object({ picture: z.string() }),
      files: ['picture'],
    },
    answers: [json('VerifyAnswer', verifyAnswer)],
    errors: photoErrors.filter((code) => code !== 'photos_required'),
  },
  {
    method: 'POST',
    path: '/api/reports',
    group: 'Reports',
    summary: 'Reports a picture; it is decided within 48 hours. Anybody may.',
    signedIn: false,
    body: jsonBody('ReportInput', reportInput),
    answers: [json('ReportAnswer', reportAnswer, 201)],
    errors: ['report_link_unknown', 'report_incomplete'],
  },
  {
    method: 'POST',
    path: '/api/images/fal/webhook',
    group: 'Callbacks',
    summary: 'Signed notifications of fal.',
    signedIn: false,
    answers: [success],
    errors: ['signature_invalid'],
  },
  {
    method: 'POST',
    path: '/api/payments/nowpayments/ipn',
    group: 'Callbacks',
    summary: 'Signed notifications of NOWPayments.',
    signedIn: false,
    answers: [success],
    errors: ['signature_invalid'],
  },
  {
    method: 'POST',
    path: '/api/payments/btcpay/webhook',
    group: 'Callbacks',
    summary: 'Signed notifications of BTCPay Server.',
    signedIn: false,
    answers: [success],
    errors: ['signature_invalid'],
  },
  {
    method: 'GET',
    path: '/api/config',
    group: 'Service',
    summary: 'What the pages need to know of this installation.',
    signedIn: false,
    answers: [json('PublicSettings', publicSettingsAnswer)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/api/ai',
    action: 'health',
    group: 'Service',
    summary: 'Whether the service answers.',
    signedIn: false,
    answers: [json('HealthAnswer', healthAnswer)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/api/health/live',
    group: 'Service',
    summary: 'Whether the process answers.',
    signedIn: false,
    answers: [json('HealthAnswer', healthAnswer)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/api/health/ready',
    group: 'Service',
    summary: 'Whether this node should get requests.',
    signedIn: false,
    answers: [json('HealthAnswer', healthAnswer)],
    errors: ['unavailable'],
  },
  {
    method: 'GET',
    path: '/api/openapi.json',
    group: 'Service',
    summary: 'This document.',
    signedIn: false,
    answers: [{ status: 200, mediaType: 'application/json' }],
    errors: [],
  },
  {
    method: 'GET',
    path: '/api/docs',
    group: 'Service',
    summary: 'This document as a page.',
    signedIn: false,
    answers: [{ status: 200, mediaType: 'text/html' }],
    errors: [],
  },
]
