import { call, ApiError } from '../api/call.ts'

/** Makes a call; where the server asks for a proof of work, once more with the solved challenge. */
export async function withProof<Input extends object, Answer>(
  input: Input,
  act: (body: Input & { proof?: string }) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await act(input)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'proof_required')) throw error
    const [{ solveChallenge }, { challenge }] = await Promise.all([
      import('./solve-challenge.ts'),
      call('GET /api/auth?action=challenge'),
    ])
    return act({ ...input, proof: await solveChallenge(challenge) })
  }
}
