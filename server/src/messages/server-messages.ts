import type { Translated } from '@starside/contract/languages.ts'

/** What the server itself says to people in their language; all else is said by the web app. */
interface ServerMessages {
  /** What the installed app is, for the device's list of apps. */
  appDescription: string
  /** What chats show of a link; `{celebrity}` and `{brand}` stand for names. */
  card: {
    shared: string
    sharedPlain: string
    sharedText: string
    home: string
    homeText: string
    invited: string
    /** Words within the pictures of cards; `scripts/make-han-letters.ts` draws their letters. */
    picture: { note: string; call: string; home: string; homeNote: string; homeCall: string }
  }
  /** At the end of a page of terms. */
  version: string
  /** What stands in a blank of the legal pages where the operator told nothing yet. */
  unfilled: { site: string; operator: string; address: string; contact: string }
  /** Where photos go on this installation; the program knows it better than a text. */
  photos: { inside: string; outside: string }
}

export const serverMessages: Translated<ServerMessages> = {
  en: {
    appDescription: 'Your photo, a star, one selfie.',
    card: {
      shared: 'A selfie with {celebrity}',
      sharedPlain: 'A selfie with a star',
      sharedText:
        'Made with {brand}. This picture was made with AI. Make yours, the first is free.',
      home: '{brand}: one selfie, you and a star',
      homeText: 'Your photo, a star, one selfie that looks like it happened. The first is free.',
      invited: 'A friend invites you: bonus credits for your selfies with the stars',
      picture: {
        note: 'Made with AI.',
        call: 'Make yours. The first is free.',
        home: 'One selfie, you and a star',
        homeNote: 'Your photo and a star.',
        homeCall: 'The first is free.',
      },
    },
    version: 'Version {version}',
    unfilled: {
      site: '[name of the site]',
      operator: '[name of the operator]',
      address: '[address of the operator]',
      contact: '[e-mail of the operator]',
    },
    photos: {
      inside: 'On this site, photos stay on our own server and go to nobody else.',
      outside:
        'On this site, both photos of a selfie are also sent to {services}. How long they are kept there follows the terms of that service.',
    },
  },
  es: {
    appDescription: 'Tu foto, una estrella, un selfie.',
    card: {
      shared: 'Un selfie con {celebrity}',
      sharedPlain: 'Un selfie con una estrella',
      sharedText:
        'Hecho con {brand}. Esta imagen se hizo con IA. Haz el tuyo, el primero es gratis.',
      home: '{brand}: un selfie, tú y una estrella',
      homeText: 'Tu foto, una estrella, un selfie que parece de verdad. El primero es gratis.',
      invited: 'Te invitan: créditos extra para tus selfies con las estrellas',
      picture: {
        note: 'Hecho con IA.',
        call: 'Haz el tuyo. El primero es gratis.',
        home: 'Un selfie, tú y una estrella',
        homeNote: 'Tu foto y una estrella.',
        homeCall: 'El primero es gratis.',
      },
    },
    version: 'Versión {version}',
    unfilled: {
      site: '[nombre del sitio]',
      operator: '[nombre del titular]',
      address: '[dirección del titular]',
      contact: '[correo del titular]',
    },
    photos: {
      inside:
        'En este sitio, las fotos se quedan en nuestro propio servidor y no se entregan a nadie más.',
      outside:
        'En este sitio, las dos fotos de un selfie se envían también a {services}. Cuánto tiempo se guardan allí depende de las condiciones de ese servicio.',
    },
  },
  zh: {
    appDescription: '你的照片，一位明星，一张自拍。',
    card: {
      shared: '与{celebrity}的自拍',
      sharedPlain: '与明星的自拍',
      sharedText: '由 {brand} 制作。此图片由 AI 生成。来做你自己的，第一张免费。',
      home: '{brand}：你和明星的一张自拍',
      homeText: '你的照片，一位明星，一张以假乱真的自拍。第一张免费。',
      invited: '朋友邀请你：与明星自拍可得额外积分',
      picture: {
        note: '由 AI 制作。',
        call: '来做你自己的。第一张免费。',
        home: '一张自拍，你和明星',
        homeNote: '你的照片，一位明星。',
        homeCall: '第一张免费。',
      },
    },
    version: '版本 {version}',
    unfilled: {
      site: '［网站名称］',
      operator: '［运营者名称］',
      address: '［运营者地址］',
      contact: '［运营者邮箱］',
    },
    photos: {
      inside: '在本站，照片只保存在我们自己的服务器上，不会交给任何其他方。',
      outside:
        '在本站，每张自拍的两张照片还会发送给 {services}。照片在那里保存多久，取决于该服务的条款。',
    },
  },
}
