import { BeforeAfter } from '../ui/before-after.tsx'

interface CompareProps {
  before: string
  after: string
  beforeAlt: string
  afterAlt: string
}

/** The person's own photo and the finished picture, each whole within the same 4:5. */
export function Compare({ before, after, beforeAlt, afterAlt }: CompareProps) {
  const className = 'block aspect-4/5 w-full bg-black object-contain'
  return (
    <BeforeAfter
      before={<img src={before} alt={beforeAlt} className={className} />}
      after={<img src={after} alt={afterAlt} className={className} />}
    />
  )
}
