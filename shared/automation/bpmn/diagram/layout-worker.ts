import { parentPort } from 'node:worker_threads'
import { layoutProcess } from 'bpmn-auto-layout'

/** A thread that lays out processes, one after the other. Answers undefined for one that cannot be placed. */
if (parentPort === null) throw new Error('layout-worker.ts is started as a worker thread')
const port = parentPort

port.on('message', (outline: string) => {
  void layoutProcess(outline)
    .catch(() => undefined)
    .then((laidOut) => port.postMessage(laidOut))
})
