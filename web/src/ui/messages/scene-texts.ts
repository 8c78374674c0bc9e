import type { Translated } from '@starside/contract/languages.ts'
import type { SceneName } from '@starside/contract/scenes.ts'

/** What the scenes are called; all languages here, so that a scene is one edit. */
export const sceneTexts: Translated<Record<SceneName, string>> = {
  en: {
    own: 'As in your photo',
    'red-carpet': 'Red carpet',
    'city-night': 'City at night',
    'sunny-street': 'Sunny street',
    'beach-dusk': 'Beach at dusk',
    cafe: 'Café',
    stage: 'Stage',
    stadium: 'Stadium',
    studio: 'Studio',
  },
  es: {
    own: 'Como en tu foto',
    'red-carpet': 'Alfombra roja',
    'city-night': 'Ciudad de noche',
    'sunny-street': 'Calle soleada',
    'beach-dusk': 'Playa al atardecer',
    cafe: 'Café',
    stage: 'Escenario',
    stadium: 'Estadio',
    studio: 'Estudio',
  },
  zh: {
    own: '沿用照片背景',
    'red-carpet': '红毯',
    'city-night': '城市夜景',
    'sunny-street': '阳光街道',
    'beach-dusk': '黄昏海滩',
    cafe: '咖啡馆',
    stage: '舞台',
    stadium: '体育场',
    studio: '影棚',
  },
}
