import { startComfyuiSandbox } from './comfyui/comfyui-sandbox.ts'
import { runStandIn } from './run-stand-in.ts'

const usage = `Runs a stand-in for ComfyUI: the same protocol, no model, no GPU.

  node sandbox/src/comfyui-command.ts [--port 3104] [--host 127.0.0.1]

Point Starside at it with IMAGE_PROVIDERS=comfyui:flux-2-klein-4b and
COMFYUI_BASE_URL=http://127.0.0.1:3104. POST /control/next with "error" (or another behaviour) says
how the next request ends.
`

await runStandIn({ name: 'ComfyUI', usage, port: 3104, start: startComfyuiSandbox })
