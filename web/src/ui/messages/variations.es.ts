import type { VariationMessages } from './variations.en.ts'

export const messages: VariationMessages = {
  title: 'Variaciones',
  lead: 'Un crédito, {count} variaciones. Elige la que muestra tu galería.',
  one: 'Variación {number}: {how}',
  best: 'la mejor',
  swapped: 'lados cambiados',
  otherInFront: 'la otra persona delante',
  closer: 'más cerca',
  wider: 'más lejos',
  mirrored: 'reflejada',
  adjusted: 'ajustada',
  other: 'otro lugar',
  making: 'Se está haciendo en tamaño completo…',
  others: 'Mostrar otras',
  othersNote: 'gratis, una vez',
  kept: 'Se puede cambiar durante {time}.',
  deleteNow: 'Eliminar las partes ahora',
  deleteOne: 'Eliminar la variación {number}',
  failed: 'No ha funcionado. Inténtalo de nuevo.',
}
