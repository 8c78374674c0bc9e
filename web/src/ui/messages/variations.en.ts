/** Texts of a picture's variations and of the editor. */
export const messages = {
  title: 'Variations',
  lead: 'One credit, {count} variations. Choose the one that your gallery shows.',
  one: 'Variation {number}: {how}',
  best: 'best',
  swapped: 'sides swapped',
  otherInFront: 'the other in front',
  closer: 'closer',
  wider: 'wider',
  mirrored: 'mirrored',
  adjusted: 'adjusted',
  other: 'another place',
  making: 'Being made at full size…',
  others: 'Show others',
  othersNote: 'free, once',
  kept: 'Can be changed for {time}.',
  deleteNow: 'Delete the parts now',
  deleteOne: 'Delete variation {number}',
  failed: 'That did not work. Please try again.',
}

export type VariationMessages = typeof messages
