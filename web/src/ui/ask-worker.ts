/** What a module worker answers to one message; it ends then. Throws where it can't be started. */
export async function askWorker<Answer>(address: string, question: unknown): Promise<Answer> {
  const worker = new Worker(address, { type: 'module' })
  try {
    return await new Promise<Answer>((resolve, reject) => {
      worker.addEventListener('message', (event: MessageEvent<Answer>) => resolve(event.data))
      worker.addEventListener('error', () => reject(new Error('The worker could not be started')))
      worker.postMessage(question)
    })
  } finally {
    worker.terminate()
  }
}
