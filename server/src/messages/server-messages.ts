import type { Translated } from '@starside/contract/languages.ts'

/** What the server itself says to people in their language; all else is said by the web app. */
interface ServerMessages {
  /** What the installed app is, for the device's list of apps. */
  appDescription: string
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
