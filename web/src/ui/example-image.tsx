import { exampleWidths, type ExampleKind, type FileWidths } from './example-list.ts'

/** AVIF addresses of an example picture in all its widths, as a `srcset`. */
export function exampleSrcSet(folder: string, kind: ExampleKind): string {
  return exampleWidths[kind].avif
    .map((width) => `/examples/${folder}/${kind}-${width}.avif ${width}w`)
    .join(', ')
}

interface ExampleImageProps {
  /** Whose picture it is, or of which two, or of which scene. */
  folder: string
  kind: ExampleKind
  /** Empty for one that tells nothing more. */
  alt?: string
  /** How wide it stands on the page, as in the HTML attribute. */
  sizes: string
  className?: string
  /** Loaded at once; `high` before other pictures too. */
  eager?: boolean | 'high'
}

/** One of the pictures that `npm run examples` makes, 4:5. */
export function ExampleImage(props: ExampleImageProps) {
  const { folder, kind, alt = '', sizes, className = '', eager } = props
  const { avif, jpeg }: FileWidths = exampleWidths[kind]
  const file = jpeg === undefined ? `${avif[0]}.avif` : `${jpeg}.jpg`
  return (
    <picture>
      <source type="image/avif" srcSet={exampleSrcSet(folder, kind)} sizes={sizes} />
      <img
        src={`/examples/${folder}/${kind}-${file}`}
        alt={alt}
        width={480}
        height={600}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        fetchPriority={eager === 'high' ? 'high' : 'auto'}
        className={`block aspect-4/5 h-auto w-full object-cover ${className}`}
      />
    </picture>
  )
}
