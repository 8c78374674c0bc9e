import { findProof } from './find-proof.ts'

addEventListener('message', (event: MessageEvent<string>) => {
  postMessage(findProof(event.data))
})
