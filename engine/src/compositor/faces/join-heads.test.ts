import { describe, expect, it } from 'vitest'
import { headAt } from '../../testing/test-heads.ts'
import { joinHeads } from './join-heads.ts'

describe('joined heads', () => {
  it('are the head itself where there is one', () => {
    const head = headAt(10, 20, 30)
    expect(joinHeads([head])).toBe(head)
  })

  it('have the box about all faces, the mean of the eyes and of the sizes', () => {
    const [left, right] = [headAt(100, 100, 80), headAt(300, 140, 125)]
    const joined = joinHeads([left, right])
    expect(joined.size).toBeCloseTo(100, 6)
    expect(joined.centre.x - joined.faceWidth / 2).toBeCloseTo(68, 6)
    expect(joined.centre.x + joined.faceWidth / 2).toBeCloseTo(350, 6)
    expect(joined.eyes.x).toBe(200)
    expect(joined.chin).toEqual(right.chin)
    expect(joined.foreheadTop).toEqual(left.foreheadTop)
    expect(joined.oval).toHaveLength(left.oval.length + right.oval.length)
  })

  it('are refused without a head', () => {
    expect(() => joinHeads([])).toThrow('no head')
  })
})
