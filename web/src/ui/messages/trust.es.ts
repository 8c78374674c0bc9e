import type { TrustMessages } from './trust.en.ts'

export const messages: TrustMessages = {
  close: 'Cerrar',
  requestFailed: 'No ha funcionado. Inténtalo de nuevo.',

  verifyTitle: '¿Se hizo aquí?',
  verifyText:
    'Elige o suelta una imagen. Buscamos la marca invisible que llevan todas las nuestras, la comparamos con nuestras imágenes y leemos sus metadatos. No guardamos nada de ella.',
  choosePicture: 'Elegir una imagen',
  dropPicture: 'o suéltala aquí',
  looking: 'Comprobando la imagen...',
  another: 'Otra imagen',
  madeHere: 'Sí. Esta imagen se hizo aquí, con IA.',
  madeHereOn: 'Sí. Esta imagen se hizo aquí, con IA, el {date}.',
  claimsToBe:
    'Sus metadatos dicen que se hizo aquí, pero nada más lo indica. Cualquiera puede escribir esos metadatos.',
  unknown:
    'No la reconocemos. Eso no prueba nada: puede venir de otro sitio o haber cambiado tanto que la marca se perdió.',
  wasRemoved: 'Se retiró de aquí tras una denuncia.',
  how: 'Cómo lo sabemos',
  byMark: 'Encontramos la marca invisible.',
  byFingerprint: 'Coincide con una imagen nuestra.',
  byMetadata: 'Sus metadatos nombran este sitio como autor.',
  notByAnything: 'No encontramos ninguna marca, coincidencia ni metadatos nuestros.',
  fileSays: 'Lo que el archivo dice de sí mismo',
  sourceType: 'Tipo de origen digital',
  system: 'Hecha con',
  credentials: 'Content Credentials (C2PA)',
  present: 'presentes',
  saysNothing: 'Nada.',

  reportTitle: 'Denunciar una imagen',
  reportText:
    'Si una imagen hecha aquí te muestra sin tu consentimiento o infringe la ley, dínoslo. Decidimos en un plazo de {hours} {hours|hora|horas}. Una imagen retirada no puede volver a subirse ni hacerse.',
  reportLink: 'Enlace de la imagen o su identificador',
  reportReason: '¿Por qué la denuncias?',
  reason_depicts_me: 'Me muestra y no di mi consentimiento',
  reason_intimate: 'Es íntima o degradante',
  reason_minor: 'Muestra a un menor',
  reason_impersonation: 'Engaña a otros sobre una persona',
  reason_copyright: 'Infringe mis derechos de autor',
  reason_other: 'Otra cosa',
  reportDetails: '¿Qué debemos saber? (opcional)',
  reportContact: '¿Cómo podemos contactarte? (correo, teléfono o dirección)',
  goodFaith: 'Lo que digo es cierto según mi leal saber y entender, y lo denuncio de buena fe.',
  sendReport: 'Enviar la denuncia',
  sendingReport: 'Enviando...',
  reportSent: 'Gracias. Decidiremos antes del {date}.',
  reportNumber: 'Guarda este número por si nos escribes: {id}',

  confirmTitle: 'Confirmando tu correo',
  confirming: 'Un momento...',
  confirmed: 'Tu correo está confirmado. Gracias.',
}
