import { sleep } from '../fal/send-webhooks.ts'
import { drawSelfie } from '../pictures/draw-selfie.ts'
import { outputOf, photosOf } from './check-graph.ts'
import type { ComfyuiRequest, ComfyuiState } from './comfyui-sandbox.ts'

/** Works off what waits, one request after the other, as ComfyUI does. */
export async function workOff(state: ComfyuiState): Promise<void> {
  if (state.isWorking) return
  state.isWorking = true
  for (;;) {
    const next = state.requests.find((request) => request.state === 'pending')
    if (next === undefined || state.stop.aborted) break
    next.state = 'running'
    await work(state, next)
    next.state = 'ended'
    // After the history has it.
    state.sockets.send(next.clientId, 'executing', { node: null, prompt_id: next.id })
  }
  state.isWorking = false
}

async function work(state: ComfyuiState, request: ComfyuiRequest): Promise<void> {
  const { id, clientId, graph } = request
  const workMs = (state.options.workMs ?? 0) + (request.behaviour === 'slow' ? 1_000 : 0)
  state.sockets.send(clientId, 'execution_start', { prompt_id: id })
  if (request.behaviour === 'socket_dies') state.sockets.drop(clientId)
  const advance = (value: number, max: number) =>
    state.sockets.send(clientId, 'progress', { value, max, prompt_id: id, node: '1' })
  for (let step = 1; request.behaviour === 'hang' && !state.stop.aborted; step += 1) {
    await sleep(20, state.stop)
    // Further and further, and never there.
    advance(Math.round(100 * (1 - 1 / step)), 100)
  }
  for (let step = 1; step <= 4; step += 1) {
    await sleep(workMs / 4, state.stop)
    advance(step, 4)
  }
  const { behaviour } = request
  if (behaviour === 'lost') return
  if (behaviour === 'error' || behaviour === 'interrupted') {
    request.history = failure(request)
    return
  }
  const images =
    behaviour === 'no_picture' ? [] : [await keepPicture(state, request, behaviour === 'many')]
  request.history = {
    prompt: [request.number, id, graph, {}, []],
    outputs: { [outputOf(graph) ?? '']: { images: images.flat() } },
    status: { status_str: 'success', completed: true, messages: [] },
  }
}

async function keepPicture(state: ComfyuiState, { id, graph }: ComfyuiRequest, isMany: boolean) {
  const picture = await drawSelfie(photosOf(graph, state.files))
  const numbers = isMany ? [1, 2] : [1]
  return numbers.map((number) => {
    const filename = `ComfyUI_temp_${id}_0000${number}_.png`
    state.files.set(`temp/${filename}`, picture)
    return { filename, subfolder: '', type: 'temp' }
  })
}

function failure({ id, behaviour }: ComfyuiRequest): object {
  const common = { prompt_id: id, node_id: '14', node_type: 'KSampler', executed: [] }
  const message =
    behaviour === 'error'
      ? ['execution_error', { ...common, exception_message: 'Allocation on device' }]
      : ['execution_interrupted', common]
  return {
    prompt: [],
    outputs: {},
    status: { status_str: 'error', completed: false, messages: [message] },
  }
}
