import { expect, test } from 'vitest'
import { contrastOf, luminanceOf, passingColour } from './contrast.ts'
import { deviceName } from './device-name.ts'
import { isErrorCode } from './errors.ts'
import { generationReason, joinCelebrities, readGenerationReason } from './limits.ts'
import { referralLink } from './referrals.ts'
import { parseRouteKey } from './routes/route-key.ts'

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

test('a device is called by its browser and its system, as far as it names them', () => {
  expect(deviceName(iphone)).toMatch(/^Safari, \S/)
  expect(deviceName('Firefox/143.0')).toBe('Firefox')
  expect([deviceName('curl/8.5'), deviceName(''), deviceName(null)]).toEqual([null, null, null])
})

test('a credit’s reason names its star, and no other text does', () => {
  expect(readGenerationReason(generationReason('Elena Vassandri'))).toBe('Elena Vassandri')
  expect(readGenerationReason(generationReason(''))).toBeUndefined()
  expect(readGenerationReason('Voucher of the spring, a long text')).toBeUndefined()
  expect(joinCelebrities(['Elena Vassandri', 'Henrik Solmark'])).toBe(
    'Elena Vassandri and Henrik Solmark',
  )
})

test('only the codes of the list are errors of ours', () => {
  expect(['not_found', 'toString', 'constructor', '', 7, null].map(isErrorCode)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('a code goes into its link as it is, whatever it holds', () => {
  const link = new URL(referralLink('https://selfie.example', 'A&B #1'))
  expect([link.pathname, link.searchParams.get('ref'), link.hash]).toEqual(['/', 'A&B #1', ''])
})

test('the key of a route is its method, path and action', () => {
  expect(parseRouteKey('POST /api/auth?action=login')).toEqual({
    method: 'POST',
    path: '/api/auth',
    action: 'login',
  })
  expect(parseRouteKey('GET /api/orders/:orderId').action).toBeUndefined()
})

test('luminance and contrast are those of WCAG, whichever colour comes first', () => {
  expect(luminanceOf('#ff0000')).toBeCloseTo(0.2126, 4)
  expect(luminanceOf('#00ff00')).toBeCloseTo(0.7152, 4)
  expect(luminanceOf('#0000ff')).toBeCloseTo(0.0722, 4)
  expect(luminanceOf('#060606')).toBeCloseTo(6 / 255 / 12.92, 6)
  expect(luminanceOf('#404040')).toBeCloseTo(0.0513, 4)
  expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21, 5)
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
})

test('the nearest colour that can be read passes on every ground, and is written in full', () => {
  const grounds = ['#ffffff', '#d0d0d0']
  const near = passingColour('#ff9060', grounds, 4.5)
  for (const ground of grounds) expect(contrastOf(near, ground)).toBeGreaterThanOrEqual(4.5)
  expect(passingColour('#ffff08', ['#ffffff'], 18)).toMatch(/^#[\da-f]{6}$/)
  expect(passingColour('#101010', ['#000000'], 4.5)).toMatch(/^#[7-9a-f]/)
})
