import type { ErrorDescription } from './account-errors.ts'
import {
  acceptedFormats,
  headsMax,
  promptLengthMax,
  starsMax,
  uploadBytesMax,
  uploadPixelsMax,
} from './limits.ts'

/** Failures of what a selfie is asked for with, its photos above all; a part of `errorTable`. */
export const photoErrors = {
  photos_required: {
    status: 400,
    sentence: 'Both user photo and celebrity photo are required',
  },
  preset_unknown: { status: 400, sentence: 'Selected celebrity not found' },
  consent_required: {
    status: 400,
    sentence: 'Please confirm that the people in your own photos agreed and are adults.',
  },
  prompt_too_long: {
    status: 400,
    sentence: `The description may have at most ${promptLengthMax} characters.`,
  },
  photo_empty: { status: 400, sentence: `The file is empty. Accepted are ${acceptedFormats}.` },
  photo_too_large: {
    status: 413,
    sentence: `The photo is larger than ${uploadBytesMax / 1024 / 1024} MB.`,
  },
  // No 408 (RFC 9110, section 15.5.9): browsers repeat such a request by themselves.
  upload_too_slow: {
    status: 400,
    sentence: 'The upload came too slowly or stood still. Please try again over a better line.',
  },
  photo_format: {
    status: 415,
    sentence: `This file is not a photo we can read. Accepted are ${acceptedFormats}.`,
  },
  photo_damaged: {
    status: 422,
    sentence: 'The photo is damaged or cut off. Please choose another file.',
  },
  photo_too_many_pixels: {
    status: 413,
    sentence: `The photo has more than ${uploadPixelsMax / 1_000_000} megapixels. Please scale it down.`,
  },
  photo_too_small: {
    status: 422,
    sentence: 'The photo is too small. It should be at least 256 pixels wide and high.',
  },
  face_missing: {
    status: 422,
    sentence: 'No face was found. Please choose a photo that shows a face from the front.',
  },
  face_too_small: {
    status: 422,
    sentence:
      'The face is too small. Please choose a photo taken closer, or cut a large one to head and shoulders.',
  },
  face_cut: {
    status: 422,
    sentence: 'The face is cut off. Please choose a photo with the whole head and the shoulders.',
  },
  face_profile: {
    status: 422,
    sentence: 'The face is turned too far away. Please choose a photo that looks at the camera.',
  },
  face_tilted: {
    status: 422,
    sentence:
      'The head is tilted too far back or down. Please choose a photo that looks straight at the camera.',
  },
  photo_blurred: {
    status: 422,
    sentence: 'The photo is too blurred. Please choose a sharper one.',
  },
  face_unknown: {
    status: 422,
    sentence: 'This photo has no such face. Please choose again who is to be in the picture.',
  },
  face_chosen_twice: {
    status: 400,
    sentence: 'A face was chosen twice. Every face can be in the picture once.',
  },
  star_chosen_twice: {
    status: 400,
    sentence:
      'The same star was chosen twice. Please choose another second star, or one star only.',
  },
  people_too_many: {
    status: 400,
    sentence: `At most ${headsMax} people fit into one picture, ${starsMax} of them stars.`,
  },
  two_stars_unsupported: {
    status: 422,
    sentence: 'The image service makes pictures with one star only. Please choose one.',
  },
  people_too_far_apart: {
    status: 422,
    sentence:
      'So many people would be too small in this format, or stand at its foot. Please take the format 1:1 or 16:9, or fewer faces.',
  },
  pair_too_tight: {
    status: 422,
    sentence:
      'Both photos end too soon below the chin to stand side by side. Please choose another photo of one of the two, with the shoulders.',
  },
  story_too_tight: {
    status: 422,
    sentence:
      'The photo ends too soon below the chin for a 9:16 picture. Please choose another format, or a photo with the shoulders.',
  },
  background_too_narrow: {
    status: 422,
    sentence: 'The photo is not wide enough for a background: it needs at least 512 pixels.',
  },
  background_too_low: {
    status: 422,
    sentence: 'The photo is not high enough for a background: it needs at least 512 pixels.',
  },
  background_unusable: {
    status: 422,
    sentence: 'The background should be a still photo with nothing cut out.',
  },
  scene_and_background: {
    status: 400,
    sentence: 'A scene and a background photo were sent. Please choose one of the two.',
  },
  background_unsupported: {
    status: 422,
    sentence:
      'The image service cannot take a background photo beside these photos. Please choose a scene.',
  },
} as const satisfies Record<string, ErrorDescription>
