import fastifyMultipart from '@fastify/multipart'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiveGenerateForm, receiveInspectForm } from './receive-form.ts'

let server: FastifyInstance
let url: string
beforeAll(async () => {
  server = fastify({ forceCloseConnections: true })
  await server.register(fastifyMultipart)
  server.addContentTypeParser('text/plain', (_request, _body, done) => done(null, undefined))
  server.setErrorHandler((error: Error & { code: string }, _request, reply) =>
    reply.code(400).send({ code: error.code, sentence: error.message }),
  )
  server.post('/generate', (request) =>
    receiveGenerateForm(request, async (named) => known.get(named)),
  )
  server.post('/inspect', (request) => receiveInspectForm(request))
  url = await server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

const digest = 'a'.repeat(43)
const known = new Map([[digest, Buffer.from('known')]])

type Field = readonly [name: string, value: string | Blob]
const photo = (text: string) => new Blob([text], { type: 'image/jpeg' })
const basic: readonly Field[] = [
  ['userPhoto', photo('me')],
  ['presetId', 'elena-vassandri'],
]

async function send(path: string, fields: readonly Field[]): Promise<any> {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, 'photo.jpg')
  }
  const response = await fetch(url + path, { method: 'POST', body: form })
  return await response.json()
}
const generate = (...fields: readonly Field[]) => send('/generate', [...basic, ...fields])
const inspect = (...fields: readonly Field[]) =>
  send('/inspect', [['photo', photo('me')], ...fields])
/** What a photo looks like in the answer. */
const bytes = (text: string) => Buffer.from(text).toJSON()

describe('the form of a selfie', () => {
  test('with a photo and a preset is taken, and all else is left open', async () => {
    expect(await generate()).toEqual({
      userPhoto: bytes('me'),
      fields: { presetId: 'elena-vassandri' },
    })
  })

  test('names photos that were sent before by their digests, in their order', async () => {
    const form = [
      ['userPhoto', digest],
      ['celebrityPhoto', photo('star')],
      ['celebrityPhoto', digest],
    ] as const
    expect(await send('/generate', form)).toMatchObject({
      userPhoto: bytes('known'),
      celebrityPhoto: bytes('star'),
      secondStar: { photo: bytes('known') },
    })
  })

  test('with a photo that is no longer known asks for it again', async () => {
    const forgotten = ['userPhoto', 'b'.repeat(43)] as const
    expect(await send('/generate', [forgotten, ['presetId', 'elena-vassandri']])).toMatchObject({
      code: 'upload_expired',
    })
  })

  test('with a photo of the star needs no preset', async () => {
    const form = [
      ['userPhoto', photo('me')],
      ['celebrityPhoto', photo('star')],
    ] as const
    expect(await send('/generate', form)).toEqual({
      userPhoto: bytes('me'),
      celebrityPhoto: bytes('star'),
      fields: {},
    })
  })

  test('brings its fields along, and numbers as numbers', async () => {
    const answer = await generate(
      ['scene', 'studio'],
      ['aspect', '9:16'],
      ['look', 'warm'],
      ['userFaceIndex', '3'],
      ['starFaceIndex', '2'],
      ['consent', 'true'],
      ['prompt', 'at the sea'],
    )
    expect(answer.userFaceIndexes).toEqual([3])
    expect(answer.fields).toEqual({
      presetId: 'elena-vassandri',
      scene: 'studio',
      aspect: '9:16',
      look: 'warm',
      userFaceIndex: 3,
      starFaceIndex: 2,
      consent: 'true',
      prompt: 'at the sea',
    })
  })

  test('may have fields that are empty or of no meaning', async () => {
    const answer = await generate(['scene', ''], ['userFaceIndex', ''], ['colour', 'red'])
    expect(answer.fields).toEqual({ presetId: 'elena-vassandri' })
  })

  test.for<[string, readonly Field[]]>([
    ['the own photo', [['presetId', 'elena-vassandri']]],
    ['the star', [['userPhoto', photo('me')]]],
    [
      'the star, whose preset is empty',
      [
        ['userPhoto', photo('me')],
        ['presetId', ''],
      ],
    ],
    ['everything', [['colour', 'red']]],
  ])('without %s is refused', async ([, fields]) => {
    expect(await send('/generate', fields)).toMatchObject({ code: 'photos_required' })
  })

  test('that is no form is refused', async () => {
    const headers = { 'content-type': 'text/plain' }
    const response = await fetch(`${url}/generate`, { method: 'POST', body: 'me', headers })
    expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' })
  })

  test('with an unknown file names it and what is accepted', async () => {
    const name = `passport${'x'.repeat(40)}`
    expect(await generate([name, photo('x')])).toEqual({
      code: 'invalid_request',
      sentence: `The file field '${name.slice(0, 40)}' is unknown. Accepted are: userPhoto, celebrityPhoto, background.`,
    })
  })

  test.for<Field>([
    ['scene', 'moon'],
    ['look', 'instant'],
    ['aspect', '2:1'],
    ['userFaceIndex', '-1'],
    ['userFaceIndex', '100'],
    ['starFaceIndex', '1.5'],
    ['userFaces', '1;2'],
    ['consent', 'yes'],
  ])('with %j is refused by the field’s name', async ([name, value]) => {
    expect(await generate([name, value])).toEqual({
      code: 'invalid_request',
      sentence: `The field '${name}' is not as expected.`,
    })
  })

  test.for(['userPhoto', 'celebrityPhoto', 'background'])(
    'with a text for the photo %s is refused, an empty one is none',
    async (name) => {
      expect(await generate([name, 'https://photos.example/a.jpg'])).toEqual({
        code: 'invalid_request',
        sentence: `The field '${name}' is a text. Accepted is a file.`,
      })
      expect((await generate([name, ''])).userPhoto).toEqual(bytes('me'))
    },
  )

  test('with a text for the second star’s photo alone is refused too', async () => {
    const texts = ['', 'a.jpg'].map((text) => ['celebrityPhoto', text] as const)
    expect(await generate(...texts)).toMatchObject({ code: 'invalid_request' })
  })

  test('sent with the same field twice counts the last one, but for the stars’', async () => {
    const answer = await generate(
      ['userPhoto', photo('me again')],
      ['scene', 'studio'],
      ['scene', 'cafe'],
    )
    expect(answer).toMatchObject({ userPhoto: bytes('me again'), fields: { scene: 'cafe' } })
    expect(answer.secondStar).toBeUndefined()
  })
})

describe('the place', () => {
  test('is a photo or a scene, not both', async () => {
    const background: Field = ['background', photo('the sea')]
    expect((await generate(background)).background).toEqual(bytes('the sea'))
    expect(await generate(background, ['scene', 'studio'])).toMatchObject({
      code: 'scene_and_background',
    })
  })
})

describe('the prompt', () => {
  test.for<[string, string | undefined]>([
    ['  at the sea ', 'at the sea'],
    ['at\u0000\u200B\nthe sea', 'at the sea'],
    ['nu\u200Bd\u00ADe\u2060\u3164', 'nude'],
    ['nu\u0001de,\tat\r\nthe sea', 'nude, at the sea'],
    [' \u0007 ', undefined],
    ['x'.repeat(300), 'x'.repeat(300)],
    [` ${'x'.repeat(300)} `, 'x'.repeat(300)],
  ])('%j becomes %j', async ([prompt, clean]) => {
    expect((await generate(['prompt', prompt])).fields.prompt).toBe(clean)
  })

  test('of 301 characters is refused', async () => {
    expect(await generate(['prompt', 'x'.repeat(301)])).toMatchObject({ code: 'prompt_too_long' })
  })
})

describe('the faces of the own photo', () => {
  test('are counted in the order of the photo, whatever the order they are sent in', async () => {
    expect((await generate(['userFaces', '10,2'])).userFaceIndexes).toEqual([2, 10])
    expect((await generate(['userFaces', '4'])).userFaceIndexes).toEqual([4])
    expect((await generate()).userFaceIndexes).toBeUndefined()
  })

  test('are not named twice', async () => {
    expect(await generate(['userFaces', '2,0,2'])).toMatchObject({ code: 'face_chosen_twice' })
  })

  test('are not named in two fields', async () => {
    expect(await generate(['userFaces', '0,1'], ['userFaceIndex', '0'])).toEqual({
      code: 'invalid_request',
      sentence: 'Faces are named in two fields. Accepted is one of them.',
    })
  })

  test('and the stars are four at most', async () => {
    const second: Field = ['presetId', 'henrik-solmark']
    expect((await generate(['userFaces', '0,1,2'])).userFaceIndexes).toHaveLength(3)
    expect(await generate(['userFaces', '0,1,2,3'])).toMatchObject({ code: 'people_too_many' })
    expect((await generate(['userFaces', '0,1'], second)).userFaceIndexes).toHaveLength(2)
    expect(await generate(['userFaces', '0,1,2'], second)).toMatchObject({
      code: 'people_too_many',
    })
  })
})

describe('a second star', () => {
  const secondOf = async (...fields: readonly Field[]) => (await generate(...fields)).secondStar

  test('is a preset, with its own face', async () => {
    const answer = await generate(
      ['starFaceIndex', '1'],
      ['presetId', 'henrik-solmark'],
      ['starFaceIndex', '2'],
    )
    expect(answer.secondStar).toEqual({ presetId: 'henrik-solmark', starFaceIndex: 2 })
    expect(answer.fields).toEqual({ presetId: 'elena-vassandri', starFaceIndex: 1 })
  })

  test('is a photo, the second one that is sent', async () => {
    const photos = [
      ['celebrityPhoto', photo('')],
      ['celebrityPhoto', photo('second')],
    ] as const
    expect(await secondOf(...photos)).toEqual({ photo: bytes('second') })
  })

  test('is none where both are empty', async () => {
    const fields = [
      ['presetId', ''],
      ['starFaceIndex', ''],
      ['starFaceIndex', '1'],
      ['celebrityPhoto', photo('')],
      ['celebrityPhoto', photo('')],
    ] as const
    expect(await secondOf(...fields)).toBeUndefined()
  })

  test('is not the first one again', async () => {
    expect(await generate(['presetId', 'elena-vassandri'])).toMatchObject({
      code: 'star_chosen_twice',
    })
    const group = (second: string, face: string) =>
      send('/generate', [
        ['userPhoto', photo('me')],
        ['celebrityPhoto', photo('group')],
        ['celebrityPhoto', photo(second)],
        ['starFaceIndex', ''],
        ['starFaceIndex', face],
      ])
    expect(await group('group', '0')).toMatchObject({ code: 'star_chosen_twice' })
    expect((await group('group', '1')).secondStar).toMatchObject({ starFaceIndex: 1 })
    expect((await group('other', '0')).secondStar).toMatchObject({ starFaceIndex: 0 })
  })

  test('that only a face is named of is refused', async () => {
    expect(await generate(['starFaceIndex', '1'], ['starFaceIndex', '2'])).toEqual({
      code: 'invalid_request',
      sentence: 'A face of a second star was named without the star.',
    })
  })

  test('whose face is no number is refused', async () => {
    const second: Field = ['presetId', 'henrik-solmark']
    expect(await generate(['starFaceIndex', '1'], second, ['starFaceIndex', 'left'])).toEqual({
      code: 'invalid_request',
      sentence: "The field 'starFaceIndex' is not as expected.",
    })
  })

  test('is not followed by a third', async () => {
    const tooMany = { code: 'people_too_many' }
    const presets = ['henrik-solmark', 'mina-asakuri'].map((id) => ['presetId', id] as const)
    expect(await generate(...presets)).toMatchObject(tooMany)
    const photos = ['one', 'two', 'three'].map((text) => ['celebrityPhoto', photo(text)] as const)
    expect(await generate(...photos)).toMatchObject(tooMany)
  })
})

describe('the limits of a form', () => {
  test('a photo may have fifteen megabytes and no byte more', async () => {
    const largest = 15 * 1024 * 1024
    const sendPhoto = (size: number) =>
      send('/generate', [['userPhoto', new Blob([new Uint8Array(size)])]])
    expect(await sendPhoto(largest)).toMatchObject({ code: 'photos_required' })
    expect(await sendPhoto(largest + 1)).toMatchObject({ code: 'FST_REQ_FILE_TOO_LARGE' })
  })

  test('a selfie has five files at most, and a photo check one', async () => {
    const own = Array.from({ length: 6 }, () => ['userPhoto', photo('me')] as const)
    expect(await send('/generate', own.slice(0, 5))).toMatchObject({ code: 'photos_required' })
    expect(await send('/generate', own)).toMatchObject({ code: 'FST_FILES_LIMIT' })
    expect(await inspect(['photo', photo('me')])).toMatchObject({ code: 'FST_FILES_LIMIT' })
  })

  test('twenty fields are taken', async () => {
    const fields = Array.from({ length: 21 }, (_, index) => [`field${index}`, 'x'] as const)
    expect(await send('/generate', fields.slice(0, 20))).toMatchObject({ code: 'photos_required' })
    expect(await send('/generate', fields)).toMatchObject({ code: 'FST_FIELDS_LIMIT' })
  })
})

describe('the form of the photo check', () => {
  test('is one photo, and the faces that are meant', async () => {
    expect(await inspect()).toMatchObject({ bytes: bytes('me'), isBackground: false })
    expect(await inspect(['faceIndex', '1'])).toMatchObject({
      bytes: bytes('me'),
      faceIndexes: [1],
    })
    expect(await inspect(['faces', '2,0'])).toMatchObject({
      bytes: bytes('me'),
      faceIndexes: [0, 2],
    })
    expect(await inspect(['isBackground', 'true'])).toMatchObject({ isBackground: true })
  })

  test('without a photo, or with what is no face, is refused', async () => {
    expect(await send('/inspect', [['faces', '1']])).toMatchObject({ code: 'photos_required' })
    expect(await inspect(['faces', 'all'])).toMatchObject({
      sentence: "The field 'faces' is not as expected.",
    })
    expect(await send('/inspect', [['userPhoto', photo('me')]])).toMatchObject({
      sentence: "The file field 'userPhoto' is unknown. Accepted are: photo.",
    })
  })
})
