/** Texts of the dialogs that verify and report a picture and confirm an e-mail. */
export const messages = {
  close: 'Close',
  requestFailed: 'That did not work. Please try again.',

  verifyTitle: 'Was this made here?',
  verifyText:
    'Choose or drop a picture. We look for the invisible mark that every picture from here carries, compare it with our pictures, and read its metadata. We keep nothing of it.',
  choosePicture: 'Choose a picture',
  dropPicture: 'or drop it here',
  looking: 'Checking the picture...',
  another: 'Another picture',
  madeHere: 'Yes. This picture was made here, with AI.',
  madeHereOn: 'Yes. This picture was made here, with AI, on {date}.',
  claimsToBe:
    'Its metadata says that it was made here, but nothing else does. Anyone can write such metadata.',
  unknown:
    "We don't recognise it. That proves nothing: it may have been made elsewhere, or changed so much that the mark is gone.",
  wasRemoved: 'It was removed here after a report.',
  how: 'How we know',
  byMark: 'The invisible mark was found.',
  byFingerprint: 'It matches a picture of ours.',
  byMetadata: 'Its metadata name this site as the maker.',
  notByAnything: 'We found no mark, match or metadata of ours.',
  fileSays: 'What the file says about itself',
  sourceType: 'Digital source type',
  system: 'Made with',
  credentials: 'Content Credentials (C2PA)',
  present: 'present',
  saysNothing: 'Nothing.',

  reportTitle: 'Report a picture',
  reportText:
    'If a picture made here shows you without your consent, or breaks the law, tell us. We decide within {hours} {hours|hour|hours}. A removed picture cannot be uploaded or made again.',
  reportLink: 'Link of the picture, or its id',
  reportReason: 'Why are you reporting it?',
  reason_depicts_me: 'It shows me and I did not agree',
  reason_intimate: 'It is intimate or degrading',
  reason_minor: 'It shows a minor',
  reason_impersonation: 'It deceives others about a person',
  reason_copyright: 'It infringes my copyright',
  reason_other: 'Something else',
  reportDetails: 'What should we know? (optional)',
  reportContact: 'How can we reach you? (email, telephone or address)',
  goodFaith: 'What I say here is true to the best of my knowledge, and I report it in good faith.',
  sendReport: 'Send the report',
  sendingReport: 'Sending...',
  reportSent: 'Thank you. We decide by {date}.',
  reportNumber: 'Keep this number in case you write to us: {id}',

  confirmTitle: 'Confirming your email',
  confirming: 'One moment...',
  confirmed: 'Your email is confirmed. Thank you.',
}

export type TrustMessages = typeof messages
