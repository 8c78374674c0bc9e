// Written by `npm run examples`: pictures that the embedded compositor made, all 4:5.
import type { SceneName } from '@starside/contract/scenes.ts'
import kwesiYou240Avif from './kwesi/you-240.avif'
import kwesiYou480Avif from './kwesi/you-480.avif'
import kwesiYou320Jpg from './kwesi/you-320.jpg'
import kwesiStar240Avif from './kwesi/star-240.avif'
import kwesiStar480Avif from './kwesi/star-480.avif'
import kwesiStar320Jpg from './kwesi/star-320.jpg'
import kwesiResult480Avif from './kwesi/result-480.avif'
import kwesiResult960Avif from './kwesi/result-960.avif'
import kwesiResult720Jpg from './kwesi/result-720.jpg'
import amaraYou240Avif from './amara/you-240.avif'
import amaraYou480Avif from './amara/you-480.avif'
import amaraYou320Jpg from './amara/you-320.jpg'
import amaraStar240Avif from './amara/star-240.avif'
import amaraStar480Avif from './amara/star-480.avif'
import amaraStar320Jpg from './amara/star-320.jpg'
import amaraResult480Avif from './amara/result-480.avif'
import amaraResult960Avif from './amara/result-960.avif'
import amaraResult720Jpg from './amara/result-720.jpg'
import rafaelYou240Avif from './rafael/you-240.avif'
import rafaelYou480Avif from './rafael/you-480.avif'
import rafaelYou320Jpg from './rafael/you-320.jpg'
import rafaelStar240Avif from './rafael/star-240.avif'
import rafaelStar480Avif from './rafael/star-480.avif'
import rafaelStar320Jpg from './rafael/star-320.jpg'
import rafaelResult480Avif from './rafael/result-480.avif'
import rafaelResult960Avif from './rafael/result-960.avif'
import rafaelResult720Jpg from './rafael/result-720.jpg'
import henrikYou240Avif from './henrik/you-240.avif'
import henrikYou480Avif from './henrik/you-480.avif'
import henrikYou320Jpg from './henrik/you-320.jpg'
import henrikStar240Avif from './henrik/star-240.avif'
import henrikStar480Avif from './henrik/star-480.avif'
import henrikStar320Jpg from './henrik/star-320.jpg'
import henrikResult480Avif from './henrik/result-480.avif'
import henrikResult960Avif from './henrik/result-960.avif'
import henrikResult720Jpg from './henrik/result-720.jpg'
import detail320Avif from './detail-320.avif'
import detail640Avif from './detail-640.avif'
import detail480Jpg from './detail-480.jpg'
import scenesOwn240Avif from './scenes/own-240.avif'
import scenesOwn240Jpg from './scenes/own-240.jpg'
import scenesRedCarpet240Avif from './scenes/red-carpet-240.avif'
import scenesRedCarpet240Jpg from './scenes/red-carpet-240.jpg'
import scenesCityNight240Avif from './scenes/city-night-240.avif'
import scenesCityNight240Jpg from './scenes/city-night-240.jpg'
import scenesSunnyStreet240Avif from './scenes/sunny-street-240.avif'
import scenesSunnyStreet240Jpg from './scenes/sunny-street-240.jpg'
import scenesStudio240Avif from './scenes/studio-240.avif'
import scenesStudio240Jpg from './scenes/studio-240.jpg'

export interface ExamplePicture {
  /** For `srcset`. */
  avif: string
  /** For browsers without AVIF, and its size in pixels. */
  jpeg: string
  width: number
  height: number
}

export interface Example {
  name: string
  /** Ids of the person and of the star. */
  person: string
  star: string
  you: ExamplePicture
  starPhoto: ExamplePicture
  result: ExamplePicture
}

/** Results with the two photos that each was made of, the best first. */
export const examples: readonly Example[] = [
  {
    name: 'kwesi',
    person: 'face-3',
    star: 'kwesi-ansarou',
    you: { avif: `${kwesiYou240Avif} 240w, ${kwesiYou480Avif} 480w`, jpeg: kwesiYou320Jpg, width: 320, height: 400 },
    starPhoto: { avif: `${kwesiStar240Avif} 240w, ${kwesiStar480Avif} 480w`, jpeg: kwesiStar320Jpg, width: 320, height: 400 },
    result: { avif: `${kwesiResult480Avif} 480w, ${kwesiResult960Avif} 960w`, jpeg: kwesiResult720Jpg, width: 720, height: 900 },
  },
  {
    name: 'amara',
    person: 'face-5',
    star: 'amara-okwenna',
    you: { avif: `${amaraYou240Avif} 240w, ${amaraYou480Avif} 480w`, jpeg: amaraYou320Jpg, width: 320, height: 400 },
    starPhoto: { avif: `${amaraStar240Avif} 240w, ${amaraStar480Avif} 480w`, jpeg: amaraStar320Jpg, width: 320, height: 400 },
    result: { avif: `${amaraResult480Avif} 480w, ${amaraResult960Avif} 960w`, jpeg: amaraResult720Jpg, width: 720, height: 900 },
  },
  {
    name: 'rafael',
    person: 'face-1',
    star: 'rafael-montoriva',
    you: { avif: `${rafaelYou240Avif} 240w, ${rafaelYou480Avif} 480w`, jpeg: rafaelYou320Jpg, width: 320, height: 400 },
    starPhoto: { avif: `${rafaelStar240Avif} 240w, ${rafaelStar480Avif} 480w`, jpeg: rafaelStar320Jpg, width: 320, height: 400 },
    result: { avif: `${rafaelResult480Avif} 480w, ${rafaelResult960Avif} 960w`, jpeg: rafaelResult720Jpg, width: 720, height: 900 },
  },
  {
    name: 'henrik',
    person: 'face-2',
    star: 'henrik-solmark',
    you: { avif: `${henrikYou240Avif} 240w, ${henrikYou480Avif} 480w`, jpeg: henrikYou320Jpg, width: 320, height: 400 },
    starPhoto: { avif: `${henrikStar240Avif} 240w, ${henrikStar480Avif} 480w`, jpeg: henrikStar320Jpg, width: 320, height: 400 },
    result: { avif: `${henrikResult480Avif} 480w, ${henrikResult960Avif} 960w`, jpeg: henrikResult720Jpg, width: 720, height: 900 },
  },
]

/** Hair against a background, cut out of a result. */
export const detail: ExamplePicture = { avif: `${detail320Avif} 320w, ${detail640Avif} 640w`, jpeg: detail480Jpg, width: 480, height: 600 }

/** What each scene looks like. */
export const sceneThumbnails: Record<SceneName, ExamplePicture> = {
  'own': { avif: `${scenesOwn240Avif} 240w`, jpeg: scenesOwn240Jpg, width: 240, height: 300 },
  'red-carpet': { avif: `${scenesRedCarpet240Avif} 240w`, jpeg: scenesRedCarpet240Jpg, width: 240, height: 300 },
  'city-night': { avif: `${scenesCityNight240Avif} 240w`, jpeg: scenesCityNight240Jpg, width: 240, height: 300 },
  'sunny-street': { avif: `${scenesSunnyStreet240Avif} 240w`, jpeg: scenesSunnyStreet240Jpg, width: 240, height: 300 },
  'studio': { avif: `${scenesStudio240Avif} 240w`, jpeg: scenesStudio240Jpg, width: 240, height: 300 },
}
