import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import { StarPicture } from './star-picture.tsx'
import { testStar } from './testing/test-star.ts'

const picture = () => document.querySelector('img')

it('a star without a picture is stood in for by one of the program', async () => {
  await show(<StarPicture star={testStar({ image: '' })} alt="Ada Vale" />)
  expect(picture()?.getAttribute('src')).toBe('/default-star.svg')
})

it('the shelf shows the small picture, everything else the whole one', async () => {
  const thumbnail = { avif: '/small.avif', jpeg: '/small.jpg' }
  const { again } = await show(<StarPicture small star={testStar({ thumbnail })} alt="" />)
  expect(document.querySelector('source')?.getAttribute('srcset')).toBe('/small.avif')
  const isSquare = () => picture()?.getAttribute('width') === picture()?.getAttribute('height')
  expect([picture()?.getAttribute('src'), picture()?.getAttribute('loading'), isSquare()]).toEqual([
    '/small.jpg',
    'lazy',
    true,
  ])
  await again(<StarPicture star={testStar({ thumbnail })} alt="" />)
  expect([picture()?.getAttribute('src'), picture()?.getAttribute('loading'), isSquare()]).toEqual([
    '/api/presets/ada-vale.jpg',
    'eager',
    false,
  ])
  expect(document.querySelector('source')).toBeNull()
})

it('a picture that does not load leaves the name, and the next one is tried', async () => {
  const { again } = await show(<StarPicture star={testStar()} alt="Ada Vale" />)
  fireEvent.error(picture()!)
  expect(picture()).toBeNull()
  expect(screen.getByText('Ada Vale').parentElement?.textContent).toContain('Image unavailable')
  await again(<StarPicture star={testStar({ image: '/other.jpg' })} alt="Ada Vale" />)
  expect(picture()?.getAttribute('src')).toBe('/other.jpg')
})
