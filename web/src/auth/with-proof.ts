import { call, ApiError } from '../api/call.ts'
// oxlint-disable-next-line import/default -- Vite makes the address out of the suffix.
import workerAddress from './find-proof-worker.ts?worker&url'

/** Makes a call; where the server asks for a proof of work, once more with the solved challenge. */
export async function withProof<Input extends object, Answer>(
  input: Input,
  act: (body: Input & { proof?: string }) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await act(input)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'proof_required')) throw error
    const [{ askWorker }, { challenge }] = await Promise.all([
      import('../ui/ask-worker.ts'),
      call('GET /api/auth?action=challenge'),
    ])
    // It takes about a second.
    return act({ ...input, proof: await askWorker<string>(workerAddress, challenge) })
  }
}
