/** What stars are known for, in the order offered. No schema library here: browsers load this. */
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

/** Former stars, named in the history: no new selfies are made with them, no id is used again. */
export const retiredPresets = [
  { id: 'zuvia', name: 'Zuvia' },
  { id: 'haruven', name: 'Haruven' },
  { id: 'olmira', name: 'Olmira' },
] as const
