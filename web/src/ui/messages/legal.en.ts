/** Texts of the pages on terms and privacy: what this program does, in plain words. */
export const messages = {
  version: 'Version {version}',
  photosInside: 'On this site, photos stay on our own server and go to nobody else.',
  photosOutside:
    'On this site, both photos of a selfie are also sent to {services}. How long they are kept there follows the terms of that service.',

  termsLead: 'What you can expect from us, and what we ask of you.',
  terms: [
    {
      heading: 'What this is',
      paragraphs: [
        'Starside makes one picture out of your photo and the photo of a star. The meeting in the picture never took place, and every picture says that it was made with AI.',
      ],
    },
    {
      heading: 'Who may use it',
      paragraphs: [
        'You must be at least 18 years old. One person, one account. Keep your password to yourself: what is done with your account counts as yours.',
      ],
    },
    {
      heading: 'Photos of other people',
      paragraphs: [
        'Upload only photos that you may use. When you upload a photo of somebody else, you confirm that they agreed and are an adult; we keep the time of that confirmation.',
        'The stars and the faces to borrow that come with the site do not exist.',
      ],
    },
    {
      heading: 'What is not allowed',
      paragraphs: [
        'No pictures of minors, no nudity or sexual pictures, nothing that degrades, threatens or harasses anybody, and nothing that is meant to deceive others about a real person. Do not remove the marks, and do not present a picture as a real photo.',
        'Descriptions with forbidden words are refused, and an automatic check may refuse a photo or a picture. A refusal costs nothing.',
      ],
    },
    {
      heading: 'Credits and payments',
      paragraphs: [
        'A new account starts with one free credit, once for each mailbox. A selfie costs one credit. One that fails or is refused gives its credit back. Credits never expire; they cannot be paid out or passed on.',
        'Packages are paid once, in cryptocurrency, through a payment provider; there is no subscription. The first purchase removes the watermark from all your pictures. A payment that arrives late still counts. If a payment is taken back, its credits are taken back too; those that were already spent stay owed and come off the next ones.',
      ],
    },
    {
      heading: 'Your pictures',
      paragraphs: [
        'Your selfies are yours to save and share. A public link shows a picture to everybody who has the link, until you turn it off.',
      ],
    },
    {
      heading: 'Reports and removal',
      paragraphs: [
        'Anybody can report a picture, with the link at the bottom of every page. We decide within 48 hours. A picture that is removed cannot be uploaded or made again.',
        'An account that breaks these terms can be suspended; its public links stop working.',
      ],
    },
    {
      heading: 'Leaving',
      paragraphs: [
        'You can delete your account at any time, on the account page. Your pictures and remaining credits are gone at once and for good.',
      ],
    },
    {
      heading: 'What we cannot promise',
      paragraphs: [
        'Pictures are made by a computer and may turn out wrong. The site may be out of reach for a while. What the law gives you as a customer stays yours.',
      ],
    },
    {
      heading: 'Changes and contact',
      paragraphs: [
        'New terms get a new version. We note which one you agreed to, and when. How to reach the people who run this site stands at the bottom of every page.',
      ],
    },
  ],

  privacyLead: 'What happens to your photos and your data, step by step.',
  privacy: [
    {
      heading: 'Your photos',
      paragraphs: [
        'Your device turns a photo upright, makes it smaller and removes hidden data such as where it was taken. It is then sent to our server and used for that one selfie.',
        'The photo is deleted from our server as soon as the selfie is done or has failed, and never kept for more than 24 hours; a check every hour makes sure of it. No model is trained with it.',
      ],
    },
    {
      heading: 'Faces',
      paragraphs: [
        'The program looks for faces, to place both people in the picture. It does not find out who somebody is, and keeps no measurements of faces.',
        'Of every photo and picture we keep a fingerprint of 64 bits. It shows nothing of the photo; with it we recognise pictures that were removed after a report.',
      ],
    },
    {
      heading: 'Your selfies',
      paragraphs: [
        'They stay in your gallery until you delete them. For half a minute you can undo that; then they are gone. Only you can open them, by addresses that expire, unless you make a public link.',
      ],
    },
    {
      heading: 'Your account',
      paragraphs: [
        'We keep your email address, your username, your password in a form that cannot be read back, which terms you agreed to and when, who invited you, and where you are signed in: time, browser and network address, for at most 30 days or until you sign out.',
        'To give the free credit once and to hold back abuse, we keep your mailbox, your network and your browser as codes that only this site can compare. The code of your mailbox stays for a year, even if you delete the account.',
        'We send mail only about your account: new sign-ins, a new password, a purchase. There are no newsletters.',
      ],
    },
    {
      heading: 'Payments',
      paragraphs: [
        'You pay at the payment provider, whose own privacy terms apply there. We keep the order, the amount, its status and the provider’s payment number, but no wallet. Every credit is written into a ledger.',
      ],
    },
    {
      heading: 'Marks in pictures',
      paragraphs: [
        'Every picture carries a note in its file that it was made with AI, and an invisible mark with a number by which we recognise it. Neither names you. Anybody can ask whether a picture was made here; a picture that is uploaded for that question is not kept.',
      ],
    },
    {
      heading: 'Reports and safety',
      paragraphs: [
        'A report keeps what its sender writes, with the way to reach them. Every decision on a report is written down for good: what was decided, when, and why. People who run the site see a picture only if it was reported.',
      ],
    },
    {
      heading: 'Cookies and storage',
      paragraphs: [
        'There are no trackers and no advertising; nothing is loaded from other sites. One cookie recognises this browser, to hold back abuse. Your browser keeps your sign-in, your language, your theme, your open orders and your latest picture in its own storage, and the photos you have chosen until you use them, sign out, or half an hour is over.',
      ],
    },
    {
      heading: 'Logs',
      paragraphs: [
        'The server writes down when it was asked for what and whether that worked, to find faults. It writes down no email addresses, passwords, descriptions or pictures.',
      ],
    },
    {
      heading: 'Your rights',
      paragraphs: [
        'On the account page you can download everything that we keep about you, and delete your account. That removes your pictures, sessions and links at once; the ledger keeps its entries without your name.',
        'For everything else, write to the people who run this site. The address stands at the bottom of every page.',
      ],
    },
  ],
}

export type LegalMessages = typeof messages
