/**
 * What stars are known for, in the order in which they are offered.
 * No schema library is imported here, so that the browser's bundle stays small.
 */
export const presetCategories = [
  'screen',
  'music',
  'sport',
  'kitchen',
  'fashion',
  'science',
  'art',
  'other',
] as const
export type PresetCategory = (typeof presetCategories)[number]

/**
 * Stars that earlier versions shipped. Selfies with them stay in the history under their name;
 * new ones can't be made. Their ids are given to nobody else.
 */
export const retiredPresets = [
  { id: 'zuvia', name: 'Zuvia' },
  { id: 'haruven', name: 'Haruven' },
  { id: 'olmira', name: 'Olmira' },
] as const
